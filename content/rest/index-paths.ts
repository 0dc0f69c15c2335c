import type { ContentContext } from '../access/content-context.ts';
import { describeSite } from '../describe-site.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParameterTable } from '../schema/parameter.ts';

import type { Arguments, ContentPath } from './content-paths.ts';
import type { Outcome } from './content-outcome.ts';
import { describeRoute } from './describe-route.ts';

/** A path that shows an index of the interface: its root, or that of a namespace. */
export interface IndexPath extends Pick<ContentPath, 'pattern' | 'namespace' | 'match'> {
  readonly endpoints: readonly [{ readonly methods: readonly ['GET']; readonly parameters: ParameterTable }];
  show(args: Arguments, context: ContentContext): Promise<Outcome>;
}

const CONTEXT = { context: { default: 'view' } } as const satisfies ParameterTable;

/** Makes the indexes of the interface: `/`, and one for each namespace of its paths. */
export function indexPaths(paths: readonly ContentPath[]): IndexPath[] {
  const namespaces = [...new Set(paths.map(({ namespace }) => namespace))];
  const inNamespace = (index: IndexPath) => [index, ...paths.filter(({ namespace }) => namespace === index.namespace)];
  const routesOf = (listed: readonly (IndexPath | ContentPath)[], api: string) =>
    Object.fromEntries(listed.map((path) => [path.pattern, describeRoute(path, api + path.pattern)]));

  const root = indexPath('/', '', CONTEXT, async (_args, context) => {
    const routes = routesOf([root, ...roots.flatMap(inNamespace)], context.api);
    return {
      status: 200,
      headers: {},
      body: { ...(await describeSite(context)), namespaces, authentication: [], routes },
      links: { help: [{ href: 'http://v2.wp-api.org/' }] },
    };
  });
  const roots: readonly IndexPath[] = namespaces.map((namespace) =>
    indexPath(`/${namespace}`, namespace, { namespace: { default: namespace }, ...CONTEXT }, async (args, { api }) => {
      const index = roots.find(({ namespace }) => namespace === args.namespace);
      if (!index) {
        throw new ContentError('rest_invalid_namespace', 'The specified namespace could not be found.', 404);
      }
      return {
        status: 200,
        headers: {},
        body: { namespace: index.namespace, routes: routesOf(inNamespace(index), api) },
        links: { up: [{ href: `${api}/` }] },
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
