import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

import { jsonOf } from './answer.ts';
import type { Comparison } from './comparison.ts';

/** Depth to which a record within a record of its own kind is asked for. */
const MAX_REPEATS = 1;

/** Asks for the whole schema of the gateway by introspection, and answers that of the commit. */
export async function readSchema(comparison: Comparison): Promise<GraphQLSchema> {
  const query = getIntrospectionQuery({ descriptions: true, specifiedByUrl: true, inputValueDeprecation: true });
  const answer = await comparison.ask({
    method: 'POST',
    path: '/graphql',
    as: 'owner',
    json: { query },
    isNeeded: true,
  });
  const { data } = jsonOf(answer) as { readonly data: IntrospectionQuery };
  return buildClientSchema(data);
}

/** The root fields of a schema that one asks or that one changes things by. */
export function rootFieldsOf(schema: GraphQLSchema, kind: 'query' | 'mutation'): GraphQLField<unknown, unknown>[] {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {});
}

/** Makes an operation of a root field that asks for every field that needs no argument. */
export function queryOfAllFields(
  schema: GraphQLSchema,
  kind: 'query' | 'mutation',
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): string {
  const field = rootFieldsOf(schema, kind).find((one) => one.name === name);
  if (field === undefined) throw new Error(`The schema has no ${kind} ${name}`);
  const given = Object.entries(args).map(([arg, value]) => `${arg}: ${literalOf(value)}`);
  const list = given.length === 0 ? '' : `(${given.join(', ')})`;
  return `${kind} { ${name}${list} ${selectionOf(field.type, [])} }`;
}

/** Writes a JSON value as a GraphQL literal. */
export function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${literalOf(one)}`)
    .join(', ')} }`;
}

function selectionOf(type: GraphQLOutputType, above: readonly string[]): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const path = [...above, named.name];
  const fields = Object.values(named.getFields()).filter((field) => isAskedFor(field, path));
  return `{ ${fields.map((field) => `${field.name} ${selectionOf(field.type, path)}`).join(' ')} }`;
}

function isAskedFor(field: GraphQLField<unknown, unknown>, path: readonly string[]): boolean {
  if (field.args.some(isRequiredArgument)) return false;
  const named = getNamedType(field.type);
  const repeats = path.filter((above) => above === named.name).length;
  const isList = isListType(isNonNullType(field.type) ? field.type.ofType : field.type);
  return !isObjectType(named) || repeats <= (isList ? MAX_REPEATS : 0);
}
