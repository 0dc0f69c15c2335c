import {
  type DocumentNode,
  getNamedType,
  type GraphQLSchema,
  Kind,
  type NamedTypeNode,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { ApolloServerPlugin } from '@apollo/server';

import { DateTime } from '../../schema/date-time-scalars.ts';

/** Types with which documents of version 0.2 declare variables for date-times. */
const FORMER_TYPES: readonly string[] = ['String', 'ISO8601DateTime'];

/**
 * Declares variables as `DateTime` that are used as one, if a document declares them as version 0.2 did, such as the saved copies
 * of trip maps. Other documents stay as they are.
 */
export function withDateTimeVariables(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const isFormer = document.definitions.some(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.variableDefinitions?.some(({ type }) => FORMER_TYPES.includes(namedType(type).name.value)),
  );
  if (!isFormer) return document;
  const used = new Set<string>();
  const types = new TypeInfo(schema);
  const notice = ({ name }: { readonly name: { readonly value: string } }) => {
    if (getNamedType(types.getInputType()) === schema.getType(DateTime.name)) used.add(name.value);
  };
  visit(document, visitWithTypeInfo(types, { [Kind.VARIABLE]: notice }));
  if (used.size === 0) return document;
  return visit(document, {
    [Kind.VARIABLE_DEFINITION]: (node) =>
      used.has(node.variable.name.value) ? { ...node, type: asDateTime(node.type) } : undefined,
  });
}

function namedType(type: TypeNode): NamedTypeNode {
  return type.kind === Kind.NAMED_TYPE ? type : namedType(type.type);
}

function asDateTime(type: TypeNode): TypeNode {
  if (type.kind === Kind.LIST_TYPE) return { ...type, type: asDateTime(type.type) };
  if (type.kind === Kind.NON_NULL_TYPE) return { ...type, type: asDateTime(type.type) as NamedTypeNode };
  return FORMER_TYPES.includes(type.name.value) ? { ...type, name: { ...type.name, value: DateTime.name } } : type;
}

/** Applies {@link withDateTimeVariables} to each document when it has been parsed, before it is validated. */
export function formerVariablesPlugin(schema: GraphQLSchema): ApolloServerPlugin {
  return {
    requestDidStart: async () => ({
      parsingDidStart: async (context) => async (error) => {
        if (!error && context.document)
          Object.assign(context, { document: withDateTimeVariables(schema, context.document) });
      },
    }),
  };
}
