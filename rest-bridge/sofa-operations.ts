import { type DocumentNode, GraphQLObjectType, GraphQLSchema, Kind, visit } from 'graphql';
import { createSofa, createSofaRouter } from 'sofa-api';

import { MAX_TREE_DEPTH } from '../schema/account/group.ts';

import type { RootField } from './rest-table.ts';

/**
 * Lets SOFA derive one operation for each row of a table. SOFA's router is asked for each field once, at the start, and
 * executes nothing: it hands over the operation. Requests bypass it, since it serves web hooks too, reads arguments in
 * ways that the specification does not, and answers null where a member must be absent.
 * @throws TypeError where a row names no field of the schema
 */
export async function sofaOperations(
  schema: GraphQLSchema,
  table: Readonly<Record<string, RootField>>,
): Promise<Map<string, DocumentNode>> {
  let derived: DocumentNode | undefined;
  const sofa = createSofa({
    schema: withFieldsOf(Object.values(table), schema),
    basePath: '/',
    depthLimit: MAX_TREE_DEPTH,
    routes: Object.fromEntries(
      Object.values(table).map((field) => [coordinateOf(field), { method: 'POST', path: `/${coordinateOf(field)}` }]),
    ),
    execute: ({ document }) => {
      derived = document;
      return { errors: [] };
    },
  });
  const router = createSofaRouter({ ...sofa, models: [] });
  const operations = new Map<string, DocumentNode>();
  for (const [row, field] of Object.entries(table)) {
    derived = undefined;
    await router.fetch(`http://sofa/${coordinateOf(field)}`, { method: 'POST' });
    if (!derived) throw new TypeError(`The row "${row}" names no field of the schema`);
    operations.set(row, withoutWriteOnly(derived, schema));
  }
  return operations;
}

/** Name of a root field as SOFA writes it: `Query.device`. */
function coordinateOf(field: RootField): string {
  return 'query' in field ? `Query.${field.query}` : `Mutation.${field.mutation}`;
}

function withFieldsOf(rows: readonly RootField[], schema: GraphQLSchema): GraphQLSchema {
  const named = new Set(rows.map(coordinateOf));
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()].map((root) => {
    if (!root) return undefined;
    const { fields, ...config } = root.toConfig();
    return new GraphQLObjectType({
      ...config,
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => named.has(`${root.name}.${name}`))),
      // Of a type without a definition SOFA prints and parses one for each argument, to find a description for a document
      // that nobody reads.
      astNode: { kind: Kind.OBJECT_TYPE_DEFINITION, name: { kind: Kind.NAME, value: root.name }, fields: [] },
    });
  });
  return new GraphQLSchema({ query, mutation });
}

/** Takes fields that REST may not show out of an operation. Specification: "Device", `subscription_status`. */
function withoutWriteOnly(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const writeOnly = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!('getFields' in type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.extensions.writeOnly === true) writeOnly.add(field.name);
    }
  }
  return visit(document, {
    [Kind.FIELD]: (field) => (writeOnly.has(field.name.value) ? null : undefined),
  });
}
