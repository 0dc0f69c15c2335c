import { Readable } from 'node:stream';

import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import { ServiceError } from '../schema/service-error.ts';

import {
  type Arguments,
  readBody,
  readExpand,
  readFromJson,
  readFromPath,
  readFromUrl,
  readMessage,
  readPage,
  readWait,
} from './read-arguments.ts';
import type { ErrorResponder, RestAnswer } from '../http/answers/error-response.ts';
import {
  isRead,
  type RestMethod,
  type RestRoute,
  type RestTable,
  readRow,
  takesBody,
  type WrittenRoute,
} from './rest-table.ts';
import type { RestRequest } from './rest-request.ts';
import { selectionOfAll, sofaOperations, withRelations } from './sofa-operations.ts';

/** A row of a table, ready to answer. */
export interface RestEndpoint {
  readonly method: RestMethod;
  /** Path in the notation of the specification, relative to the bridge's base. */
  readonly path: string;
  /** The root field that answers, or that a document stands for; its extensions hold the permissions. */
  readonly field: GraphQLField<unknown, unknown>;
  /** The root fields that are executed, each of which the caller must be permitted. */
  readonly roots: readonly GraphQLField<unknown, unknown>[];
  readonly route: WrittenRoute;
  /** The operation of a document; absent if it is derived from a row. */
  readonly operation?: { readonly schema: GraphQLSchema; readonly document: DocumentNode };
  /** @throws any error other than a ServiceError, which becomes the answer */
  answer(request: RestRequest, context: unknown): Promise<RestAnswer>;
}

/** Dependencies of a bridge in addition to schema and table. */
export interface RestBridgeOptions {
  /** Prepares an operation to be executed for each request. */
  readonly plan: (
    schema: GraphQLSchema,
    document: DocumentNode,
  ) => (args: Arguments, context: unknown) => ExecutionResult | Promise<ExecutionResult>;
  readonly reject: ErrorResponder;
  /** Returns true if the caller in a context may see a field with these permissions; other fields are omitted. */
  readonly maySee: (context: unknown, permissions: unknown) => boolean;
}

/**
 * Serves a table's rows from a schema's root fields.
 *
 * @throws TypeError if a row names no field of the schema
 */
export async function restBridge(
  schema: GraphQLSchema,
  table: RestTable,
  options: RestBridgeOptions,
): Promise<RestEndpoint[]> {
  const operations = await sofaOperations(schema, table);
  return Object.entries(table).map(([row, declared]) => {
    const field = fieldOf(schema, declared);
    const document = operations.get(row);
    if (!field || !document) throw new TypeError(`The row "${row}" names no field of the schema`);
    const route = writtenOut(declared, field);
    const planOf = memoized((expanded) => {
      const relations = Object.entries(route.expand ?? {}).filter(([name]) => expanded.includes(name));
      return options.plan(schema, withRelations(document, Object.fromEntries(relations)));
    });
    const { method, path } = readRow(row);
    const resultOf: Row['resultOf'] = (data) => data?.[field.name];
    const names = { fixedMembers: fixedMembers(schema, field, route), sentNames: sentNamesOf(field, route) };
    return endpointOf({ method, path, field, roots: [field], route, planOf, resultOf, ...names }, options);
  });
}

/** @throws TypeError if `expand` names no relation of the record */
function writtenOut(route: RestRoute, field: GraphQLField<unknown, unknown>): WrittenRoute {
  const { expand, ...others } = route;
  if (!expand) return others;
  const record = recordOf(field, route);
  const relations = Object.entries(expand).map(([name, fields]): [string, string] => {
    if (typeof fields === 'string') return [name, fields];
    const relation = getNamedType(isObjectType(record) ? record.getFields()[name]?.type : undefined);
    if (!isObjectType(relation)) throw new TypeError(`${name} is not a relation of the result of ${field.name}`);
    return [name, selectionOfAll(relation, fields)];
  });
  return { ...others, expand: Object.fromEntries(relations) };
}

/** The type of the record that a row returns, or of the records of its page. */
export function recordOf(field: GraphQLField<unknown, unknown>, route: RestRoute): GraphQLNamedType {
  return getNamedType(isPage(field, route) ? nodesOf(field) : field.type);
}

/** @throws TypeError for a field that does not return a page */
export function nodesOf(field: GraphQLField<unknown, unknown>): GraphQLOutputType {
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined;
  if (!nodes) throw new TypeError(`${field.name} is not a connection`);
  return nodes.type;
}

/** Returns the row that reads what a row of the same path changes. */
export function readOf({ path }: RestEndpoint, endpoints: readonly RestEndpoint[]): RestEndpoint | undefined {
  return endpoints.find((one) => one.path === path && isRead(one));
}

/** Returns true if the response of a row is a record as GET of some path shows it. */
export function showsRecord({ field, route }: RestEndpoint, endpoints: readonly RestEndpoint[]): boolean {
  const record = getNullableType(field.type);
  return route.file === undefined && endpoints.some((one) => isRead(one) && getNullableType(one.field.type) === record);
}

type Plan = ReturnType<RestBridgeOptions['plan']>;

/** Parts of an endpoint. */
export type Row = Omit<RestEndpoint, 'answer'> & {
  /** Members of the body that are set on creation and cannot be changed. */
  readonly fixedMembers: readonly string[];
  /** Names of arguments in requests that differ from those with which errors of the schema begin. */
  readonly sentNames: ReadonlyMap<string, string>;
  /** The part of a result that is the body; throws if there is none. */
  readonly resultOf: (data: ExecutionResult['data']) => unknown;
  /** The operation with these relations; planned on first use. */
  readonly planOf: (expanded: readonly string[]) => Plan;
};

function memoized(planOf: Row['planOf']): Row['planOf'] {
  const plans = new Map<string, Plan>();
  return (expanded) => {
    const name = expanded.join();
    const plan = plans.get(name) ?? planOf(expanded);
    plans.set(name, plan);
    return plan;
  };
}

/** Makes the endpoint of a row. */
export function endpointOf(row: Row, { reject, maySee }: RestBridgeOptions): RestEndpoint {
  const { planOf, sentNames, resultOf, fixedMembers: _, ...described } = row;
  const { path, field, route } = described;
  const guarded = guardedFields(field);
  const answer: RestEndpoint['answer'] = async (request, context) => {
    try {
      const run = planOf(readExpand(route, request.search));
      const { data, errors } = await run(readArguments(row, request), context);
      const [error] = errors ?? [];
      if (error) throw withSentName(error.originalError ?? error, sentNames);
      const status = route.status ?? 200;
      if (route.mediaType !== undefined) {
        const body = Readable.from(resultOf(data) as AsyncIterable<string>);
        return { status, headers: fileHeaders(route.mediaType, path, request.params), body };
      }
      const value = resultOf(data) as Arguments;
      if (status === 204) return { status };
      for (const { name, permissions } of guarded) {
        if (!maySee(context, permissions)) delete value[name];
      }
      return { status, body: shape(value, route) };
    } catch (error) {
      if (error instanceof ServiceError) return reject(error);
      throw error;
    }
  };
  return { ...described, answer };
}

/** Names of a row's arguments that differ from those in the schema. */
function sentNamesOf(field: GraphQLField<unknown, unknown>, route: RestRoute): ReadonlyMap<string, string> {
  const ofPage = isPage(field, route) ? { first: 'size', after: 'cursor' } : {};
  return new Map(Object.entries({ ...ofPage, ...route.named }));
}

/** An error of the schema that begins with the name of an argument, with the name that was sent. */
function withSentName(error: Error, names: ReadonlyMap<string, string>): Error {
  if (!(error instanceof ServiceError)) return error;
  const [name = ''] = error.message.split(' ', 1);
  const sent = names.get(name);
  return sent === undefined ? error : new ServiceError(error.code, sent + error.message.slice(name.length));
}

/** Path parameters first, then the body, or the query of a request without one. */
function readArguments({ method, field, route, fixedMembers }: Row, request: RestRequest): Arguments {
  if (route.message !== undefined) return { [route.message]: readMessage(request) };
  const inBody = takesBody(method, route);
  const body = inBody ? bodyOf(route, request) : {};
  const fixed = fixedMembers.find((name) => Object.hasOwn(body, name));
  if (fixed !== undefined) throw new ServiceError('BAD_REQUEST', `${fixed} cannot be changed`);
  const paged = isPage(field, route);
  const args: Arguments = {
    ...(paged && readPage(request.search, route.size)),
    ...readWait(route, request.prefer),
    ...route.fixed,
  };
  for (const argument of field.args) {
    const { name, type } = argument;
    if ((paged && isPageArgument(name)) || Object.hasOwn(route.fixed ?? {}, name)) continue;
    if (name === route.file) args[name] = fileOf(request);
    else if (Object.hasOwn(request.params, name)) args[name] = readFromPath(argument, request.params[name]);
    else if (name === route.body)
      args[name] = readFromJson(name, type, { ...body, ...inQueryOf(argument, route, request) });
    else if (inBody)
      args[name] = readFromJson(name, type, Object.hasOwn(body, name) ? body[name] : argument.defaultValue);
    else args[name] = readFromUrl({ ...argument, name: route.named?.[name] ?? name }, request.search) ?? args[name];
    if (args[name] === undefined) delete args[name];
  }
  return args;
}

/** The members of the argument `body` that are in the query. */
function inQueryOf(body: GraphQLArgument, route: RestRoute, { search }: RestRequest): Arguments {
  return Object.fromEntries(membersInQuery(body, route).map((member) => [member.name, readFromUrl(member, search)]));
}

function bodyOf(route: RestRoute, request: RestRequest): Arguments {
  try {
    const body = readBody(request);
    request.onMembers?.(Object.keys(body));
    return body;
  } catch (error) {
    if (route.unreadableBody === 'empty') return {};
    throw error;
  }
}

/** @throws ServiceError BAD_REQUEST without a file */
function fileOf({ file }: RestRequest): string {
  if (file === undefined) throw new ServiceError('BAD_REQUEST', 'The body must be a file, or a form with one');
  return file;
}

/** Headers of a file, named like the end of its path with the parameters filled in. */
function fileHeaders(mediaType: string, path: string, params: RestRequest['params']): Record<string, string> {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\{(\w+)\}/g, (_, parameter: string) => params[parameter]?.replace(/[^\w-]/g, '') ?? '');
  return { 'Content-Type': mediaType, 'Content-Disposition': `attachment; filename="${name}"` };
}

/** A connection becomes `{root: […], cursor?}`; another list `{root: […]}`; a record stays as it is. */
function shape(value: Arguments, route: RestRoute): unknown {
  if (route.root === undefined) return value;
  if (!('page_info' in value)) return { [route.root]: value };
  const { next_cursor: cursor } = value.page_info as { next_cursor: string | null };
  const nodes = value.nodes as readonly Arguments[];
  const records = route.oneOfExpand ? nodes.map((node) => withoutNull(node, route)) : nodes;
  return cursor === null ? { [route.root]: records } : { [route.root]: records, cursor };
}

/** A record without relations that are null. */
function withoutNull(record: Arguments, { expand = {} }: RestRoute): Arguments {
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => value !== null || !Object.hasOwn(expand, name)),
  );
}

/** Returns true if a row lists a page at a time, by `size` and `cursor`. */
export function isPage(field: GraphQLField<unknown, unknown>, route: RestRoute): boolean {
  return route.root !== undefined && field.args.some((argument) => argument.name === 'after');
}

/** The members of a row's argument `body` that requests have in the query. */
export function membersInQuery(
  { name, type }: GraphQLArgument,
  { body, inQuery = [] }: RestRoute,
): GraphQLInputField[] {
  const input = getNamedType(type);
  if (name !== body || !isInputObjectType(input)) return [];
  return Object.values(input.getFields()).filter((member) => inQuery.includes(member.name));
}

/** Returns true if an argument of such a row is served as `size` or `cursor`. */
export function isPageArgument(name: string): boolean {
  return name === 'first' || name === 'after';
}

/** Members of the body that `createTag` accepts and `updateTag` does not. */
function fixedMembers(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>, { body }: RestRoute): string[] {
  const creation = schema.getMutationType()?.getFields()[field.name.replace(/^update/, 'create')];
  const changed = membersOfBody(field, body);
  return membersOfBody(creation, body).filter((name) => !changed.includes(name));
}

function membersOfBody(field: GraphQLField<unknown, unknown> | undefined, body: string | undefined): string[] {
  const type = getNamedType(field?.args.find(({ name }) => name === body)?.type);
  return isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

function fieldOf(schema: GraphQLSchema, route: RestRoute): GraphQLField<unknown, unknown> | undefined {
  return 'query' in route
    ? schema.getQueryType()?.getFields()[route.query]
    : schema.getMutationType()?.getFields()[route.mutation];
}

function guardedFields(field: GraphQLField<unknown, unknown>): { name: string; permissions: unknown }[] {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields())
    .filter(({ extensions }) => extensions.access !== undefined)
    .map(({ name, extensions }) => ({ name, permissions: extensions.access }));
}
