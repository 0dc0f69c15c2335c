import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql';

import { Untyped } from '../../schema/untyped.ts';

import { Integer } from './integer.ts';
import type { ParameterDefinition, ParameterTable } from './parameter.ts';

/** Makes the arguments of a root field of the content interface from a table of parameters. */
export function fieldArguments(table: ParameterTable): GraphQLFieldConfigArgumentMap {
  return Object.fromEntries(
    Object.entries(table).map(([name, definition]) => [
      name,
      { type: typeOf(definition), description: definition.description ?? name },
    ]),
  );
}

/** The parameters of a root field; undefined where it was not declared with `rootField`. */
export function parametersOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): ParameterTable | undefined {
  return field.extensions.parameters as ParameterTable | undefined;
}

const SCALARS: Readonly<Record<string, GraphQLScalarType>> = {
  integer: Integer,
  boolean: GraphQLBoolean,
  string: GraphQLString,
};

function typeOf({ type = 'object', items, unchecked }: ParameterDefinition): GraphQLInputType {
  if (unchecked) return Untyped;
  if (type !== 'array') return SCALARS[type] ?? Untyped;
  return new GraphQLList(new GraphQLNonNull(items?.type === 'integer' ? Integer : GraphQLString));
}
