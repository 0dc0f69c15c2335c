import type { GraphQLScalarType } from 'graphql';
import { Args, ArgsType, type ClassType, Extensions, Field } from 'type-graphql';

import { Untyped } from '../../schema/untyped.ts';

import { Integer } from './integer.ts';
import type { ParameterDefinition, ParameterTable } from './parameter.ts';

/**
 * Declares the arguments of a root field of the content interface from a table of parameters: put it on the method's
 * argument, typed `ParametersOf<typeof table>`.
 */
export function Takes(table: ParameterTable): ParameterDecorator {
  const type = argumentsOf(table);
  return (prototype, method, index) => {
    if (method === undefined) throw new TypeError('@Takes stands on the argument of a method');
    Args(() => type)(prototype, method, index);
    const extend = Extensions({ parameters: table }) as MethodDecorator;
    extend(prototype, method, Object.getOwnPropertyDescriptor(prototype, method) ?? {});
  };
}

/** The parameters of a root field; undefined where it was not declared with {@link Takes}. */
export function parametersOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): ParameterTable | undefined {
  return field.extensions.parameters as ParameterTable | undefined;
}

function argumentsOf(table: ParameterTable): ClassType {
  class Arguments {}
  for (const [name, definition] of Object.entries(table)) {
    const type = typeOf(definition);
    Field(() => type as typeof String, { nullable: true, description: definition.description ?? name })(
      Arguments.prototype,
      name,
    );
  }
  ArgsType()(Arguments);
  return Arguments;
}

type ArgumentType = typeof String | typeof Boolean | GraphQLScalarType;

function typeOf({ type, items, unchecked }: ParameterDefinition): ArgumentType | [ArgumentType] {
  if (unchecked) return Untyped;
  if (type === 'array') return [items?.type === 'integer' ? Integer : String];
  if (type === 'integer') return Integer;
  if (type === 'boolean') return Boolean;
  return type === 'string' ? String : Untyped;
}
