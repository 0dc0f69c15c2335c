import type { GraphQLSchema } from 'graphql';

import type { ContentContext } from '../access/content-context.ts';
import { isPermittedTo } from '../access/permitted.ts';
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
import { SCHEMA_LINKS } from './links/schema-links.ts';
import { presentResult } from './present-result.ts';
import { readParameters } from './read-parameters.ts';

/**
 * Answers one request, rejections included.
 *
 * @throws any error that is no {@link ContentError}
 */
export type Dispatch = (request: ContentRequest, context: ContentContext) => Promise<Outcome>;

/**
 * Serves {@link contentRoutes} and the indexes over them.
 *
 * @throws TypeError where schema and table do not fit
 */
export async function contentBridge(schema: GraphQLSchema): Promise<Dispatch> {
  const rows = await contentPaths(schema, contentRoutes);
  const paths = [...indexPaths(rows), ...rows];
  return async (request, context) => {
    const isDescribed = request.method === 'OPTIONS';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    for (const path of paths) {
      const inPath = path.match(request.path);
      if (!inPath) continue;
      if (isDescribed) return describe(path, request, context);
      const operation = path.endpoints.find(({ methods }) => methods.includes(method));
      if (operation) return run(path, operation, inPath, request, context);
    }
    return isDescribed ? { status: 200, headers: {}, body: [] } : errorResponseOf(NO_ROUTE);
  };
}

async function describe(path: ContentPath, request: ContentRequest, context: ContentContext): Promise<Outcome> {
  const href = (below: string) => context.api + below;
  const name = path.endpoints.find(({ record }) => record)?.record?.name;
  const links = name === undefined ? undefined : SCHEMA_LINKS[name]?.(href);
  // The reference describes a path without reading a body of JSON.
  const headers = await allowed(path, parametersOf(sourcesOf({ ...request, json: undefined }, {})), context);
  return { status: 200, headers, body: describeFully(path, href(path.pattern), links) };
}

async function run(
  path: ContentPath,
  operation: ContentOperation | IndexOperation,
  inPath: Arguments,
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
    const value = await operation.run(args, context, display);
    return presentResult(value, { path, operation, request, args, display, api: context.api });
  };
  const outcome = await answer().catch(errorResponseOf);
  const allow = outcome.raw?.isBare ? {} : await allowed(path, args, context);
  const format = 'route' in operation ? (operation.route.format?.(args) ?? null) : null;
  return { ...outcome, format, headers: { ...outcome.headers, ...allow } };
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

/** A change is shown as its field says (`shownIn` in its extensions), or as its row does, else to be edited on. */
function displayOf({ route, field, parameters }: ContentOperation, args: Arguments, context: unknown): DisplayContext {
  const shownIn = field.extensions.shownIn as ((context: unknown) => DisplayContext) | undefined;
  if ('mutation' in route) return shownIn?.(context) ?? route.context ?? 'edit';
  return parameters.context ? (args.context as DisplayContext) : 'view';
}
