import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';

import { LRUCache } from 'lru-cache';

import type { ContentContext } from '../access/content-context.ts';
import type { DisplayContext } from '../schema/display-context.ts';
import type { ParameterTable } from '../schema/parameter.ts';
import { parametersOf } from '../access/root-field.ts';
import { planOperation, type RunOperation } from '../../graphql/execution/plan-operation.ts';
import { sofaOperations } from '../../rest-bridge/sofa-operations.ts';

import { type ContentRoute, type ContentTable, type Outcome, readContentRow } from './content-table.ts';
import { narrowTo } from './selection.ts';

/** Parameters of a request by name. */
export type Arguments = Readonly<Record<string, unknown>>;

interface Operation {
  readonly methods: readonly string[];
  readonly field: Pick<GraphQLField<unknown, unknown>, 'extensions'>;
  readonly parameters: ParameterTable;
  /** The record that it returns, alone or in a list. */
  readonly record: GraphQLObjectType | undefined;
}

/** An index of the interface, which names no field of the schema. */
export interface IndexOperation extends Operation {
  show(args: Arguments, context: ContentContext): Promise<Outcome>;
}

/** A row of the table, ready to run. */
export interface ContentOperation extends Operation {
  readonly route: ContentRoute;
  /** True if it returns a list, paged or not. */
  readonly isList: boolean;
  /** Runs the operation that SOFA derived, narrowed to the fields that are shown. */
  run(args: Arguments, context: unknown, shown: Shown): Promise<unknown>;
}

/** The fields of a record that are shown. */
export interface Shown {
  readonly display: DisplayContext;
  /** Names of the requested fields; null for all of the context. */
  readonly fields: ReadonlySet<string> | null;
  /** True if links are shown too. */
  readonly isLinked: boolean;
}

/** The rows of one path, or its index. */
export interface ContentPath {
  /** As the route index writes it, a regular expression: `/wp/v2/posts/(?P<id>[\d]+)`. */
  readonly pattern: string;
  readonly namespace: string;
  readonly endpoints: readonly (ContentOperation | IndexOperation)[];
  /** Reads the parameters in a path; null if the path does not match. Letter case is ignored. */
  match(path: string): Readonly<Record<string, string>> | null;
}

/**
 * Prepares the paths of a table, in its order.
 *
 * @throws TypeError if rows, fields and parameters do not match
 */
export async function contentPaths(schema: GraphQLSchema, table: ContentTable): Promise<ContentPath[]> {
  const operations = await operationsOf(schema, table);
  const paths = new Map<string, ContentOperation[]>();
  const [queries = {}, mutations = {}] = [schema.getQueryType(), schema.getMutationType()].map((type) =>
    type?.getFields(),
  );
  const withoutRow = new Set([...Object.values(queries), ...Object.values(mutations)]);
  for (const [row, route] of Object.entries(table)) {
    const { methods, path } = readContentRow(row);
    const field = 'query' in route ? queries[route.query] : mutations[route.mutation];
    const document = operations.get(sofaRow(row));
    if (!field || !document) throw new TypeError(`The row "${row}" names no field of the schema`);
    withoutRow.delete(field);
    const parameters = parametersOf(field);
    if (!parameters) throw new TypeError(`The field "${field.name}" must be declared with rootField`);
    const operation = {
      methods,
      route,
      field,
      parameters,
      record: recordOf(field),
      isList: itemsOf(field) !== undefined || isListType(getNullableType(field.type)),
      run: runner(schema, document, field, parameters),
    };
    paths.set(path, [...(paths.get(path) ?? []), operation]);
  }
  const [missing] = withoutRow;
  if (missing) throw new TypeError(`The field "${missing.name}" has no row in the table`);
  return [...paths].map(([path, endpoints]) => contentPath(path, endpoints));
}

function operationsOf(schema: GraphQLSchema, table: ContentTable): Promise<Map<string, DocumentNode>> {
  const rows = Object.entries(table).map(([row, route]) => {
    const field = 'query' in route ? { query: route.query } : { mutation: route.mutation };
    return [sofaRow(row), field] as const;
  });
  return sofaOperations(schema, Object.fromEntries(rows));
}

/** The row under which SOFA registers an operation: one method is enough. */
function sofaRow(row: string): string {
  const { methods, path } = readContentRow(row);
  return `${methods[0]} ${path}`;
}

/** Maximum number of cached selections of an operation. */
const MAX_NARROWED = 50;

function runner(
  schema: GraphQLSchema,
  derived: DocumentNode,
  field: GraphQLField<unknown, unknown>,
  table: ParameterTable,
): ContentOperation['run'] {
  const narrowed = new LRUCache<string, RunOperation>({ max: MAX_NARROWED });
  return async (args, contextValue, { display, fields, isLinked }) => {
    const name = fields === null ? display : [display, isLinked, ...[...fields].toSorted()].join();
    const run = narrowed.get(name) ?? planOperation(schema, narrowTo(display, derived, schema, fields, isLinked));
    narrowed.set(name, run);
    const declared = Object.entries(args).filter(([name]) => Object.hasOwn(table, name));
    const variableValues = Object.fromEntries(declared);
    const { data, errors } = await run(variableValues, contextValue);
    const [error] = errors ?? [];
    if (error) throw error.originalError ?? error;
    return data?.[field.name];
  };
}

function contentPath(path: string, endpoints: readonly ContentOperation[]): ContentPath {
  const parameters = Object.assign({}, ...endpoints.map((endpoint) => endpoint.parameters)) as ParameterTable;
  const pattern = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { type, pattern = type === 'integer' ? '[\\d]+' : '[\\w-]+' } = parameters[name] ?? {};
    return `(?P<${name}>${pattern})`;
  });
  const expression = new RegExp(`^${pattern.replaceAll('(?P<', '(?<')}$`, 'i');
  return {
    pattern,
    namespace: /^\/(\w+\/v?[\d.]+)/.exec(path)?.[1] ?? '',
    endpoints,
    match: (requested) => {
      const match = expression.exec(requested);
      return match && { ...match.groups };
    },
  };
}

function recordOf(field: GraphQLField<unknown, unknown>): GraphQLObjectType | undefined {
  const record = getNamedType(itemsOf(field)?.type ?? field.type);
  return isObjectType(record) ? record : undefined;
}

/** The field of a page that has its records; undefined if there are no pages. */
function itemsOf(field: GraphQLField<unknown, unknown>): GraphQLField<unknown, unknown> | undefined {
  const type = getNamedType(field.type);
  const { items, total_pages } = isObjectType(type) ? type.getFields() : {};
  return total_pages && items;
}
