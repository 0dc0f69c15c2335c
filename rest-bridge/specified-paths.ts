import { ConfigError } from '../schema/config-error.ts';

import { parametersOf, shapeOf, withoutNames } from './document-routes.ts';
import type { RestEndpoint } from './rest-bridge.ts';

/** Paths that no document replaces: those of the specification, section A, and the description of the API. */
export const SPECIFIED_PATHS: readonly string[] = [
  '/account',
  '/subscriptions',
  '/devices',
  '/device/{key}',
  '/groups',
  '/group/{group_key}',
  '/openapi.json',
];

/** Endpoints of a service whose documents have routes. */
export interface MergedEndpoints {
  readonly endpoints: readonly RestEndpoint[];
  /** Says which rows are replaced. */
  readonly warnings: readonly string[];
}

/**
 * Adds endpoints of documents to those of the table; of two with the same method and path, that of the document is served.
 *
 * @throws ConfigError naming TRUSTED_DOCUMENTS and a document whose path would get requests of {@link SPECIFIED_PATHS}
 */
export function mergeEndpoints(built: readonly RestEndpoint[], own: readonly RestEndpoint[]): MergedEndpoints {
  for (const endpoint of own) {
    const { path } = endpoint;
    const specified = SPECIFIED_PATHS.find((one) => takesFrom(path, one));
    if (specified === undefined) continue;
    throw new ConfigError(
      `TRUSTED_DOCUMENTS must have valid routes only; ${fileOf(endpoint)}: ${path} would replace ${specified}, which clients rely on; choose another path`,
    );
  }
  const shapes = new Map(own.map((endpoint) => [shapeOf(endpoint), endpoint]));
  const replaced = built.filter((endpoint) => shapes.has(shapeOf(endpoint)));
  // The first path of a shape names the parameters of all: an address is described once.
  const paths = new Map([...own.toReversed(), ...built].map(({ path }) => [withoutNames(path), path]));
  return {
    endpoints: [
      ...built.filter((endpoint) => !replaced.includes(endpoint)),
      ...own.map((endpoint) => atPath(endpoint, paths.get(withoutNames(endpoint.path)) ?? endpoint.path)),
    ],
    warnings: replaced.map(
      (endpoint) =>
        `${endpoint.method} ${endpoint.path} is answered by ${fileOf(shapes.get(shapeOf(endpoint)))} of TRUSTED_DOCUMENTS, not by ${endpoint.field.name}`,
    ),
  };
}

/** Name of the file of a document. */
function fileOf(endpoint: RestEndpoint | undefined): string {
  return endpoint?.operation?.document.loc?.source.name ?? '';
}

/** An endpoint at a path of the same shape, which may have other names of parameters. */
function atPath(endpoint: RestEndpoint, path: string): RestEndpoint {
  if (path === endpoint.path) return endpoint;
  const theirs = parametersOf(path);
  const names = new Map(parametersOf(endpoint.path).map((own, at) => [own, theirs[at] ?? own]));
  const args = endpoint.field.args.map((argument) => ({
    ...argument,
    name: names.get(argument.name) ?? argument.name,
  }));
  return {
    ...endpoint,
    path,
    field: { ...endpoint.field, args },
    answer: ({ params, ...request }, context) => {
      const own = Object.fromEntries([...names].map(([name, sent]) => [name, params[sent] ?? '']));
      return endpoint.answer({ ...request, params: own }, context);
    },
  };
}

/** Returns true if a router would answer requests of a path by another one: fixed segments go before parameters. */
function takesFrom(path: string, specified: string): boolean {
  const [own, theirs] = [path, specified].map((one) => one.replace(/(?<=.)\/$/, '').split('/'));
  return (
    own?.length === theirs?.length &&
    theirs?.every((segment, at) => segment.startsWith('{') || segment === own?.[at]) === true
  );
}
