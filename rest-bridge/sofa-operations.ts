import { type DocumentNode, type ExecutionResult, type GraphQLSchema, isObjectType, Kind, visit } from 'graphql';
import { createSofa, createSofaRouter } from 'sofa-api';

import { MAX_TREE_DEPTH } from '../schema/account/group.ts';

import type { Arguments } from './read-arguments.ts';
import { type RestMethod, type RestTable, readRow } from './rest-table.ts';

/** Executes an operation of a schema, as graphql-js does. */
export type Execute = (operation: {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly contextValue: unknown;
  readonly variableValues: Arguments;
}) => ExecutionResult | Promise<ExecutionResult>;

/** Runs the operation that SOFA derived for a root field. */
export type RunOperation = (args: Arguments, context: unknown) => Promise<ExecutionResult>;

type SofaConfig = Parameters<typeof createSofa>[0];

/** What SOFA's handler carries for us from the call to {@link Execute} and back. */
interface Carrier {
  readonly args: Arguments;
  readonly context: unknown;
  result?: ExecutionResult;
}

/** The part of a SOFA route that is used; fets types it by schemas that are of no use here. */
interface SofaRoute {
  readonly method: RestMethod;
  readonly path: string;
  readonly handler: (request: unknown, carrier: Carrier) => Promise<unknown>;
}

/**
 * Lets SOFA derive one operation for each row of a table.
 *
 * SOFA's own HTTP is left aside: its router also serves web hooks and every field without a row, reads arguments in ways
 * that the specification does not, and answers null where a member must be absent. So its handlers are called directly,
 * with arguments that have been read and checked, and the result is taken as it comes out of the execution.
 */
export function sofaOperations(schema: GraphQLSchema, table: RestTable, execute: Execute): Map<string, RunOperation> {
  const documents = new Map<DocumentNode, DocumentNode>();
  const sofa = createSofa({
    schema,
    basePath: '',
    depthLimit: MAX_TREE_DEPTH,
    routes: Object.fromEntries(
      Object.entries(table).map(([row, route]) => [
        'query' in route ? `Query.${route.query}` : `Mutation.${route.mutation}`,
        readRow(row),
      ]),
    ),
    context: (carrier: unknown) => carrier,
    errorHandler: (() => undefined) as unknown as NonNullable<SofaConfig['errorHandler']>,
    execute: (async (operation: { document: DocumentNode; contextValue: Carrier }) => {
      const { document, contextValue: carrier } = operation;
      const readable = documents.get(document) ?? withoutWriteOnly(document, schema);
      documents.set(document, readable);
      const { args: variableValues, context: contextValue } = carrier;
      carrier.result = await execute({ schema, document: readable, contextValue, variableValues });
      return HANDED_OVER;
    }) as unknown as NonNullable<SofaConfig['execute']>,
  });
  const { __routes: routes } = withoutDescriptions(
    schema,
    () => createSofaRouter({ ...sofa, models: [] }) as unknown as { __routes: SofaRoute[] },
  );
  return new Map(routes.map((route) => [`${route.method} ${route.path}`, runBy(route)]));
}

/**
 * Does some work while the root types have definitions without fields. Of a type without a definition SOFA prints and
 * parses one for each argument, to find a description that nobody reads: that took most of a second at each start.
 */
function withoutDescriptions<T>(schema: GraphQLSchema, work: () => T): T {
  const roots = [schema.getQueryType(), schema.getMutationType()].filter((type) => isObjectType(type));
  const before = roots.map(({ astNode }) => astNode);
  for (const root of roots) {
    root.astNode = { kind: Kind.OBJECT_TYPE_DEFINITION, name: { kind: Kind.NAME, value: root.name }, fields: [] };
  }
  try {
    return work();
  } finally {
    for (const [at, root] of roots.entries()) root.astNode = before[at];
  }
}

/** Tells SOFA that there is nothing for it to turn into a response. */
const HANDED_OVER = { errors: [] };

function runBy(route: SofaRoute): RunOperation {
  return async (args, context) => {
    const carrier: Carrier = { args, context };
    await route.handler({ url: '', body: null, params: args }, carrier);
    if (!carrier.result) throw new TypeError(`SOFA did not execute the operation of ${route.method} ${route.path}`);
    return carrier.result;
  };
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
