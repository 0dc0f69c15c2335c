import { offsetAt } from '../access/site-time.ts';
import type { ContentContext } from '../access/content-context.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParameterTable } from '../schema/parameter.ts';

import type { Arguments, ContentPath, IndexOperation } from './content-paths.ts';
import { describeFully, describeRoute } from './describe-route.ts';

const CONTEXT = { context: { default: 'view' } } as const satisfies ParameterTable;

/** Makes the indexes of the interface: `/`, and one for each namespace of its paths. */
export function indexPaths(paths: readonly ContentPath[]): ContentPath[] {
  const namespaces = [...new Set(paths.map(({ namespace }) => namespace))];
  const inNamespace = (index: ContentPath) => [index, ...paths.filter((path) => path.namespace === index.namespace)];
  const routesOf = (listed: readonly ContentPath[], { context }: Arguments, api: string) => {
    const describe = context === 'help' ? describeFully : describeRoute;
    return Object.fromEntries(listed.map((path) => [path.pattern, describe(path, api)]));
  };

  const root = indexPath('/', '', CONTEXT, async (args, context) => {
    const routes = routesOf([root, ...roots.flatMap(inNamespace)], args, context.api);
    return {
      status: 200,
      headers: {},
      body: { ...(await describeSite(context)), namespaces, authentication: [], routes },
      links: { help: [{ href: 'http://v2.wp-api.org/' }] },
    };
  });
  const roots: readonly ContentPath[] = namespaces.map((namespace) =>
    indexPath(`/${namespace}`, namespace, { namespace: { default: namespace }, ...CONTEXT }, async (args, { api }) => {
      const index = roots.find(({ namespace }) => namespace === args.namespace);
      if (!index) {
        throw new ContentError('rest_invalid_namespace', 'The specified namespace could not be found.', 404);
      }
      return {
        status: 200,
        headers: {},
        body: { namespace: index.namespace, routes: routesOf(inNamespace(index), args, api) },
        links: { up: [{ href: `${api}/` }] },
      };
    }),
  );
  return [root, ...roots];
}

function indexPath(
  pattern: string,
  namespace: string,
  parameters: ParameterTable,
  show: IndexOperation['show'],
): ContentPath {
  return {
    pattern,
    namespace,
    endpoints: [{ methods: ['GET'], field: { extensions: {} }, parameters, record: undefined, show }],
    match: (path) => (path.toLowerCase() === pattern ? {} : null),
  };
}

async function describeSite({ site, settings }: ContentContext) {
  const { title, description, timezone } = await settings();
  const zone = timezone ?? '';
  return {
    name: title ?? '',
    description: description ?? '',
    url: site,
    home: site,
    // WordPress computes the offset of a city, and otherwise stores it as a text.
    gmt_offset: zone === '' ? '0' : offsetAt(Date.now(), zone) / 3_600_000,
    timezone_string: zone,
  };
}
