import type { GraphQLSchema } from 'graphql';

import type { ContentContext } from '../access/content-context.ts';
import { isPermittedTo } from '../access/root-field.ts';
import { inSpan, type SpanOptions } from '../../http/observing/tracing.ts';
import { ContentError } from '../schema/content-error.ts';
import type { DisplayContext } from '../schema/display-context.ts';

import {
  type Arguments,
  type ContentOperation,
  type ContentPath,
  contentPaths,
  type IndexOperation,
} from './content-paths.ts';
import { type Outcome, errorResponseOf } from './content-table.ts';
import { type ContentRequest, parametersOf, sourcesOf } from './content-request.ts';
import { contentRoutes } from './content-routes.ts';
import { describeFully } from './describe-route.ts';
import { indexPaths } from './index-paths.ts';
import { presentResult } from './present-result.ts';
import { wantedFields } from './selection.ts';
import { readParameters } from './read-parameters.ts';

/**
 * Answers one request, rejections included.
 *
 * @throws any error other than a {@link ContentError}
 */
export type Dispatch = (request: ContentRequest, context: ContentContext) => Promise<Outcome>;

/** The content interface. */
export interface ContentBridge {
  readonly dispatch: Dispatch;
  /** Returns true if the answer to a visitor depends only on the request's address and the content. */
  dependsOnContentAlone(request: ContentRequest): boolean;
}

/**
 * Serves {@link contentRoutes} and the indexes over them.
 *
 * @throws TypeError if schema and table do not match
 */
export async function contentBridge(schema: GraphQLSchema): Promise<ContentBridge> {
  const rows = await contentPaths(schema, contentRoutes);
  const paths = [...indexPaths(rows), ...rows];
  const find = ({ method, path }: ContentRequest): FoundOperation | null => {
    const asked = method === 'HEAD' ? 'GET' : method;
    for (const one of paths) {
      const inPath = one.match(path);
      const operation = inPath && one.endpoints.find(({ methods }) => methods.includes(asked));
      if (operation) return { path: one, operation, inPath };
    }
    return null;
  };
  return {
    dispatch: async (request, context) => {
      if (request.method === 'OPTIONS') {
        const described = paths.find((path) => path.match(request.path) !== null);
        return described ? describe(described, request, context) : { status: 200, headers: {}, body: [] };
      }
      const found = find(request);
      return found === null ? errorResponseOf(NO_ROUTE) : run(found, request, context);
    },
    dependsOnContentAlone: (request) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const operation = find(request)?.operation;
      return operation !== undefined && 'route' in operation && !operation.route.isAlwaysNew;
    },
  };
}

/** The operation of a request, and the parameters in its path. */
interface FoundOperation {
  readonly path: ContentPath;
  readonly operation: ContentOperation | IndexOperation;
  readonly inPath: Arguments;
}

async function describe(path: ContentPath, request: ContentRequest, context: ContentContext): Promise<Outcome> {
  // The reference describes a path without reading a JSON body.
  const args = parametersOf(sourcesOf({ ...request, json: undefined }, {}));
  const headers = await allowed(path, args, context);
  return { status: 200, headers, fields: args._fields, body: describeFully(path, context.api) };
}

async function run(
  { path, operation, inPath }: FoundOperation,
  request: ContentRequest,
  context: ContentContext,
): Promise<Outcome> {
  let args: Arguments = readParameters([inPath], operation.parameters).values;
  const answer = async (): Promise<Outcome> => {
    const { values, fault } = readParameters(sourcesOf(request, inPath), operation.parameters);
    args = values;
    if (fault) throw fault;
    if ('show' in operation) return operation.show(args, context);
    const display = displayOf(operation, args, context);
    const fields = fieldsToCompute(operation, request, args);
    // A single object has its links whatever fields are requested.
    const isLinked = fields === null || fields.has('_links') || !operation.isList;
    const value = await inSpan(spanOf(operation), () => operation.run(args, context, { display, fields, isLinked }));
    return presentResult(value, { path, operation, request, args, display, isLinked, api: context.api });
  };
  const outcome = await answer().catch(errorResponseOf);
  const allow = outcome.raw?.isBare || request.isEmbedded ? {} : await allowed(path, args, context);
  const format = 'route' in operation ? (operation.route.format?.(args) ?? null) : null;
  return { ...outcome, fields: args._fields, format, headers: { ...outcome.headers, ...allow } };
}

function spanOf({ route }: ContentOperation): SpanOptions<unknown> {
  const [type, name] = 'query' in route ? ['query', route.query] : ['mutation', route.mutation];
  return { name: `${type} ${name}`, attributes: { 'graphql.operation.type': type, 'graphql.operation.name': name } };
}

/** The fields that the answer to a read needs; null for all. Objects to embed are also found by fields. */
function fieldsToCompute(
  { route }: ContentOperation,
  { query }: ContentRequest,
  { _fields }: Arguments,
): ReadonlySet<string> | null {
  const wanted = wantedFields(_fields);
  if (wanted === null || !('query' in route) || query._embed !== undefined) return null;
  return new Set([...wanted.keys(), ...(route.keyedBy === undefined ? [] : [route.keyedBy])]);
}

/** Lists the methods of a path that this caller may use with these arguments. */
async function allowed(
  { endpoints }: ContentPath,
  args: Arguments,
  context: ContentContext,
): Promise<{ readonly Allow?: string }> {
  const permitted = await Promise.all(endpoints.map(({ field }) => isPermittedTo(field, args, context)));
  const methods = endpoints.filter((_, at) => permitted[at]).flatMap((operation) => operation.methods);
  return methods.length > 0 ? { Allow: methods.join(', ') } : {};
}

const NO_ROUTE = new ContentError('rest_no_route', 'No route was found matching the URL and request method', 404);

/** A change is shown as its field says (`shownIn` in its extensions), or as its row does, else in the context `edit`. */
function displayOf({ route, field, parameters }: ContentOperation, args: Arguments, context: unknown): DisplayContext {
  const shownIn = field.extensions.shownIn as ((context: unknown) => DisplayContext) | undefined;
  if ('mutation' in route) return shownIn?.(context) ?? route.context ?? 'edit';
  return parameters.context ? (args.context as DisplayContext) : 'view';
}
