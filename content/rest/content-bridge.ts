import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';

import { ContentError } from '../schema/content-error.ts';
import type { DisplayContext } from '../schema/display-context.ts';

import { type ContentEndpoint, type ContentPath, contentPaths } from './content-endpoints.ts';
import { type ContentLinks, type LinkedRecord, type LinksOf, withCuries } from './links/content-links.ts';
import { type Outcome, errorResponseOf } from './content-outcome.ts';
import { type ContentRequest, parametersGiven } from './content-request.ts';
import type { ContentTable } from './content-table.ts';
import { describeFully, describeRoute } from './describe-route.ts';
import { type IndexPath, indexPaths, type SiteDescription } from './index-paths.ts';
import { pageLinks } from './page-links.ts';
import { readParameters } from './read-parameters.ts';
import { unshownIn } from './selection.ts';

/** What the bridge needs to know beside schema and table. */
export interface ContentBridgeOptions {
  /** The root of the interface, `{site_url}/wp-json`. */
  readonly address: string;
  /** The links of each type of record, by the type's name. */
  readonly links: Readonly<Record<string, LinksOf>>;
  /** The links that the schema of a type names, by the type's name. */
  readonly schemaLinks: Readonly<Record<string, (href: (path: string) => string) => readonly unknown[]>>;
  /** Whether a caller may use a root field with these arguments; what is left out was not given. */
  readonly isAllowed: (
    field: GraphQLField<unknown, unknown>,
    args: Readonly<Record<string, unknown>>,
    context: unknown,
  ) => Promise<boolean>;
  /** What the index says of the website. */
  readonly describeSite: (context: unknown) => Promise<SiteDescription>;
}

/** Answers one request, refusals included. @throws whatever the service did not refuse deliberately */
export type Dispatch = (request: ContentRequest, context: unknown) => Promise<Outcome>;

/**
 * Serves the rows of a table, and the indexes over them, in the dialect of the content interface.
 *
 * @throws TypeError where schema and table do not fit
 */
export async function contentBridge(
  schema: GraphQLSchema,
  table: ContentTable,
  options: ContentBridgeOptions,
): Promise<Dispatch> {
  const paths = await contentPaths(schema, table);
  const indexes = indexPaths(paths, options.address);
  const href = (path: string) => options.address + path;

  return async (request, context) => {
    if (request.method === 'OPTIONS') return describe(request, context);
    const found = find(request);
    if (!found) return errorResponseOf(NO_ROUTE);
    const { path, endpoint, inPath } = found;
    return endpoint === undefined
      ? showIndex(path, inPath, request, context)
      : run(path, endpoint, inPath, request, context);
  };

  function find({ method, path }: ContentRequest) {
    const asked = method === 'HEAD' ? 'GET' : method;
    for (const candidate of [...indexes, ...paths]) {
      const inPath = candidate.match(path);
      if (!inPath) continue;
      if ('show' in candidate) {
        if (asked === 'GET') return { path: candidate, endpoint: undefined, inPath };
        continue;
      }
      const endpoint = candidate.endpoints.find(({ methods }) => methods.includes(asked));
      if (endpoint) return { path: candidate, endpoint, inPath };
    }
    return undefined;
  }

  async function describe(request: ContentRequest, context: unknown): Promise<Outcome> {
    const index = indexes.find(({ match }) => match(request.path));
    if (index) {
      return { status: 200, headers: { Allow: 'GET' }, body: describeRoute(index, href(index.pattern)) };
    }
    const path = paths.find(({ match }) => match(request.path));
    if (!path) return { status: 200, headers: {}, body: [] };
    const name = path.endpoints.find(({ record }) => record)?.record?.name;
    const links = name === undefined ? undefined : options.schemaLinks[name]?.(href);
    // The reference describes a path without reading a body of JSON.
    const allow = await allowed(path, parametersGiven({ ...request, json: undefined }, {}), context);
    return { status: 200, headers: allow, body: describeFully(path, href(path.pattern), links) };
  }

  async function showIndex(
    path: IndexPath,
    inPath: Readonly<Record<string, string>>,
    request: ContentRequest,
    context: unknown,
  ): Promise<Outcome> {
    const outcome = await attempt(async () => {
      const { values } = readParameters(parametersGiven(request, inPath), path.endpoints[0].parameters);
      return path.show(values, () => options.describeSite(context));
    });
    return { ...outcome, headers: { ...outcome.headers, Allow: 'GET' } };
  }

  async function run(
    path: ContentPath,
    endpoint: ContentEndpoint,
    inPath: Readonly<Record<string, string>>,
    request: ContentRequest,
    context: unknown,
  ): Promise<Outcome> {
    let args: Readonly<Record<string, unknown>> = inPath;
    const outcome = await attempt(async () => {
      args = parametersGiven(request, inPath);
      const { values, fault } = readParameters(args, endpoint.parameters);
      args = values;
      if (fault) throw fault;
      return answer(path, endpoint, request, args, context);
    });
    const allow = outcome.raw?.isBare ? {} : await allowed(path, args, context);
    return { ...outcome, headers: { ...outcome.headers, ...allow } };
  }

  async function answer(
    path: ContentPath,
    endpoint: ContentEndpoint,
    request: ContentRequest,
    args: Readonly<Record<string, unknown>>,
    context: unknown,
  ): Promise<Outcome> {
    const { route, record } = endpoint;
    const display = displayOf(endpoint, args, context);
    const value = await endpoint.run(args, context, display);
    const raw = route.send?.(value, args);
    const status = route.status ?? 200;
    if (raw) return { status: raw.status, headers: {}, body: undefined, raw };
    const present = presenter(record, display);
    if (isPage(value)) {
      const place = { page: value.page ?? Number(args.page ?? 1), pages: value.total_pages };
      const query = Object.fromEntries(Object.keys(request.query).map((name) => [name, args[name]]));
      const link = pageLinks(href(path.pattern), query, place);
      return {
        status,
        headers: {
          'X-WP-Total': value.total,
          'X-WP-TotalPages': value.total_pages,
          ...(link === undefined ? {} : { Link: link }),
        },
        body: value.items.map((item) => withLinks(present(item))),
      };
    }
    if (Array.isArray(value)) {
      const items = value.map((item: LinkedRecord) => withLinks(present(item)));
      const { keyedBy } = route;
      return {
        status,
        headers: {},
        body: keyedBy === undefined ? items : Object.fromEntries(items.map((item) => [item[keyedBy], item])),
      };
    }
    const { shown, links } = present(value as LinkedRecord);
    if (endpoint.methods.includes('DELETE') && args.force === true) {
      return { status, headers: {}, body: { deleted: true, previous: shown } };
    }
    const self = links.self?.[0]?.href;
    const headers = {
      ...(route.alternate ? { Link: `<${String(shown.link)}>; rel="alternate"; type=text/html` } : {}),
      ...(status === 201 && self !== undefined ? { Location: self } : {}),
    };
    return { status, headers, body: shown, links };
  }

  /** Makes the links of a record and takes away what only they are made of. */
  function presenter(record: GraphQLObjectType | undefined, display: DisplayContext) {
    const linksOf = record && options.links[record.name];
    const unshown = record ? unshownIn(display, record) : [];
    return (item: LinkedRecord): { readonly shown: LinkedRecord; readonly links: ContentLinks } => {
      const links = linksOf ? withCuries(linksOf(item, href)) : {};
      const shown = Object.fromEntries(Object.entries(item).filter(([name]) => !unshown.includes(name)));
      return { shown, links };
    };
  }

  /** The methods of a path that this caller may use with what the request says. */
  async function allowed(
    { endpoints }: ContentPath,
    args: Readonly<Record<string, unknown>>,
    context: unknown,
  ): Promise<{ readonly Allow?: string }> {
    const judged = await Promise.all(
      endpoints.map(async ({ field, methods }) => ((await options.isAllowed(field, args, context)) ? methods : [])),
    );
    const methods = judged.flat();
    return methods.length > 0 ? { Allow: methods.join(', ') } : {};
  }
}

const NO_ROUTE = new ContentError('rest_no_route', 'No route was found matching the URL and request method', 404);

/** A list with its place among its pages, as the schema's page types have it. */
interface Page {
  readonly items: readonly LinkedRecord[];
  readonly total: number;
  readonly total_pages: number;
  readonly page?: number | null;
}

function isPage(value: unknown): value is Page {
  return typeof value === 'object' && value !== null && 'total_pages' in value;
}

function withLinks({ shown, links }: { readonly shown: LinkedRecord; readonly links: ContentLinks }): LinkedRecord {
  return Object.keys(links).length > 0 ? { ...shown, _links: links } : shown;
}

/** A change is shown as its field says (`shownIn` in its extensions), or as its row does, else to be edited on. */
function displayOf(
  { route, field, parameters }: ContentEndpoint,
  args: Readonly<Record<string, unknown>>,
  context: unknown,
): DisplayContext {
  const shownIn = field.extensions.shownIn as ((context: unknown) => DisplayContext) | undefined;
  if ('mutation' in route) return shownIn?.(context) ?? route.context ?? 'edit';
  return parameters.context ? (args.context as DisplayContext) : 'view';
}

async function attempt(act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    return errorResponseOf(error);
  }
}
