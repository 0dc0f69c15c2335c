import { ContentError } from '../schema/content-error.ts';
import type { ParameterTable } from '../schema/parameter.ts';

import type { ContentPath } from './content-endpoints.ts';
import type { Outcome } from './content-outcome.ts';
import { describeRoute } from './describe-route.ts';

/** What the index says of the website. */
export interface SiteDescription {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly home: string;
  readonly gmt_offset: string;
  readonly timezone_string: string;
}

/** A path that shows an index of the interface: its root, or that of a namespace. */
export interface IndexPath extends Pick<ContentPath, 'pattern' | 'namespace' | 'match'> {
  readonly endpoints: readonly [{ readonly methods: readonly ['GET']; readonly parameters: ParameterTable }];
  show(args: Readonly<Record<string, unknown>>, site: () => Promise<SiteDescription>): Promise<Outcome>;
}

const CONTEXT = { context: { default: 'view' } } as const satisfies ParameterTable;

/**
 * The indexes of the interface: `/`, and one for each namespace of its paths.
 *
 * @param address the root of the interface
 */
export function indexPaths(paths: readonly ContentPath[], address: string): IndexPath[] {
  const namespaces = [...new Set(paths.map(({ namespace }) => namespace))];
  const described = (): (IndexPath | ContentPath)[] => [root, ...roots.flatMap((index) => [index, ...pathsIn(index)])];
  const pathsIn = ({ namespace }: IndexPath) => paths.filter((path) => path.namespace === namespace);
  const routesOf = (listed: readonly (IndexPath | ContentPath)[]) =>
    Object.fromEntries(listed.map((path) => [path.pattern, describeRoute(path, address + path.pattern)]));

  const root = indexPath('/', '', CONTEXT, async (_args, site) => ({
    status: 200,
    headers: {},
    body: { ...(await site()), namespaces, authentication: [], routes: routesOf(described()) },
    links: { help: [{ href: 'http://v2.wp-api.org/' }] },
  }));
  const roots: readonly IndexPath[] = namespaces.map((namespace) =>
    indexPath(`/${namespace}`, namespace, { namespace: { default: namespace }, ...CONTEXT }, async (args) => {
      const asked = roots.find((index) => index.namespace === args.namespace);
      if (!asked) {
        throw new ContentError('rest_invalid_namespace', 'The specified namespace could not be found.', 404);
      }
      return {
        status: 200,
        headers: {},
        body: { namespace: asked.namespace, routes: routesOf([asked, ...pathsIn(asked)]) },
        links: { up: [{ href: `${address}/` }] },
      };
    }),
  );
  return [root, ...roots];
}

function indexPath(pattern: string, namespace: string, parameters: ParameterTable, show: IndexPath['show']): IndexPath {
  return {
    pattern,
    namespace,
    endpoints: [{ methods: ['GET'], parameters }],
    match: (path) => (path.toLowerCase() === pattern ? {} : null),
    show,
  };
}
