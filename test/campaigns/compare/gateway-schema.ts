import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql';

import { selectAllFields } from '../../fixtures/select-all-fields.ts';

import { jsonOf } from './answer.ts';
import type { Comparison } from './comparison.ts';

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
  return `${kind} { ${name}${list} ${selectAllFields(field.type)} }`;
}

/** Writes a JSON value as a GraphQL literal. */
export function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${literalOf(one)}`)
    .join(', ')} }`;
}
