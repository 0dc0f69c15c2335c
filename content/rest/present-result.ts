import type { DisplayContext } from '../schema/display-context.ts';

import type { Arguments, ContentOperation, ContentPath } from './content-paths.ts';
import type { Outcome } from './content-table.ts';
import type { ContentRequest } from './content-request.ts';
import { RECORD_LINKS, type LinkedRecord, withCuries } from './record-links.ts';
import { type ParameterTree, writePhpQuery } from './php-query.ts';
import { unshownIn } from './selection.ts';

/** The executed operation, and its request. */
interface FinishedCall {
  readonly path: ContentPath;
  readonly operation: ContentOperation;
  readonly request: ContentRequest;
  /** Parameters of the request, converted. */
  readonly args: Arguments;
  readonly display: DisplayContext;
  /** True if its objects have their links. */
  readonly isLinked: boolean;
  /** The root of the interface, `{site_url}/wp-json`. */
  readonly api: string;
}

/** A list with its page number, as in the page types of the schema. */
interface Page {
  readonly items: readonly LinkedRecord[];
  readonly total: number;
  readonly total_pages: number;
  readonly page?: number | null;
}

/** Converts the value of a root field to an outcome: a page of a list with its counts, a list, or a record with its links. */
export function presentResult(value: unknown, call: FinishedCall): Outcome {
  const { path, operation, request, args, display, isLinked, api } = call;
  const { route, record, methods } = operation;
  const raw = route.send?.();
  if (raw) return { status: raw.status, headers: {}, body: undefined, raw };
  const status = route.status ?? 200;
  const unshown = new Set(record ? unshownIn(display, record) : []);
  const linksOf = record && isLinked ? RECORD_LINKS[record.name] : undefined;
  const href = (below: string) => api + below;
  const present = (item: LinkedRecord) => {
    const shown: Record<string, unknown> = {};
    for (const name of Object.keys(item)) if (!unshown.has(name)) shown[name] = item[name];
    return { shown, links: linksOf ? withCuries(linksOf(item, href)) : {} };
  };
  const presentLinked = (item: LinkedRecord): LinkedRecord => {
    const { shown, links } = present(item);
    if (Object.keys(links).length > 0) shown._links = links;
    return shown;
  };
  if (isPage(value)) {
    const query = Object.fromEntries(Object.keys(request.query).map((name) => [name, args[name]]));
    const link = pageLinks(api + path.pattern, query, value.page ?? Number(args.page ?? 1), value.total_pages);
    const counts = { 'X-WP-Total': value.total, 'X-WP-TotalPages': value.total_pages };
    const headers = link === undefined ? counts : { ...counts, Link: link };
    return { status, headers, body: value.items.map(presentLinked) };
  }
  if (Array.isArray(value)) {
    const items = value.map(presentLinked);
    const { keyedBy } = route;
    const body = keyedBy === undefined ? items : Object.fromEntries(items.map((item) => [item[keyedBy], item]));
    return { status, headers: {}, body };
  }
  const { shown, links } = present(value as LinkedRecord);
  if (route.isFinal || (methods.includes('DELETE') && args.force === true)) {
    return { status, headers: {}, body: { deleted: true, previous: shown } };
  }
  const self = links.self?.[0]?.href;
  const { entity_tag } = value as LinkedRecord;
  const headers = {
    ...(display === 'edit' && typeof entity_tag === 'string' ? { ETag: entity_tag } : {}),
    ...(route.alternate ? { Link: `<${String(shown.link)}>; rel="alternate"; type=text/html` } : {}),
    ...(status === 201 && self !== undefined ? { Location: self } : {}),
  };
  return { status, headers, body: shown, links };
}

function isPage(value: unknown): value is Page {
  return typeof value === 'object' && value !== null && 'total_pages' in value;
}

/** Writes the `Link` header of a page: `prev` and `next`, with the parameters of the request; undefined for an only page. */
function pageLinks(address: string, query: ParameterTree, page: number, pages: number): string | undefined {
  const link = (to: number, relation: string) =>
    `<${address}?${writePhpQuery({ ...query, page: to })}>; rel="${relation}"`;
  const links: string[] = [];
  if (page > 1) links.push(link(Math.min(page - 1, pages), 'prev'));
  if (page < pages) links.push(link(page + 1, 'next'));
  return links.length > 0 ? links.join(', ') : undefined;
}
