import { TERM_KINDS, type TermKind } from '../schema/kinds/term-kinds.ts';
import { CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';
import { groupedBy } from '../../models/grouped-by.ts';

import type { Outcome } from './content-table.ts';
import type { ContentLinks } from './record-links.ts';

/** A record as an answer shows it. */
type Shown = Readonly<Record<string, unknown>>;

/** Requests a page of a list from a path of the interface, for embedding. */
export type ListEmbedded = (path: string, query: Readonly<Record<string, string>>) => Promise<Outcome>;

/** Maximum number of records of one list request. */
const PER_PAGE = 100;
/** Number of records of an embedded list. */
const EMBEDDED_PER_PAGE = 10;
/** Maximum number of requests for the comments of a list of posts; beyond that, those of each post are looked up. */
const MAX_COMMENT_PAGES = 10;

/** Paths whose lists show objects in the same way as single requests do. */
const BY_NUMBER = ['users', 'comments', ...[...CONTENT_KINDS, ...TERM_KINDS].map(({ many }) => many)];

/**
 * Looks up the targets of all links of a list together: one request for each kind of object instead of one for each link.
 * Returns the found objects by address. Missing ones, such as those that the caller may not see, must be looked up singly.
 *
 * @param items objects with their links, and with all fields
 */
export async function embedTogether(
  items: readonly Shown[],
  api: string,
  list: ListEmbedded,
): Promise<ReadonlyMap<string, unknown>> {
  if (items.length < 2) return new Map();
  const links = items.flatMap((item) => Object.values((item._links ?? {}) as ContentLinks).flat());
  const addresses = new Set(links.filter(({ embeddable }) => embeddable === true).map(({ href }) => href));
  const root = `${api}/wp/v2/`;
  const linking = { items, addresses, root, list };
  const found = await Promise.all([
    ...[...numbersIn(addresses, root)].map(([many, ids]) => objectsOf(many, ids, root, list)),
    ...TERM_KINDS.map((kind) => termsOf(kind, linking)),
    commentsOn(linking),
  ]);
  const byAddress = new Map(found.flat());
  const comments = `${root}comments/`;
  return new Map(
    [...byAddress].filter(([href, shown]) => !href.startsWith(comments) || isOnOpen(shown as Shown, byAddress)),
  );
}

/** Objects, the addresses to which they link, the root of these, and a function that requests lists. */
interface Linking {
  readonly items: readonly Shown[];
  readonly addresses: ReadonlySet<string>;
  readonly root: string;
  readonly list: ListEmbedded;
}

type Found = readonly (readonly [href: string, shown: unknown])[];

/** The numbers of objects to which links lead, by their path. */
function numbersIn(addresses: ReadonlySet<string>, root: string): ReadonlyMap<string, readonly string[]> {
  const numbers = new Map<string, string[]>(BY_NUMBER.map((many) => [many, []]));
  for (const href of addresses) {
    const [, many = '', id = ''] = (href.startsWith(root) && /^(\w+)\/(\d+)$/.exec(href.slice(root.length))) || [];
    numbers.get(many)?.push(id);
  }
  return numbers;
}

/** Objects to which links lead by their numbers. */
async function objectsOf(many: string, ids: readonly string[], root: string, list: ListEmbedded): Promise<Found> {
  const objects = await byNumber(many, ids, list);
  return (objects ?? []).map((object) => [`${root}${many}/${String(object.id)}`, object]);
}

/** Lists the objects with some ids; null if a list was rejected. */
async function byNumber(many: string, ids: readonly string[], list: ListEmbedded): Promise<readonly Shown[] | null> {
  const pages: Promise<Outcome>[] = [];
  for (let start = 0; start < ids.length; start += PER_PAGE) {
    const include = ids.slice(start, start + PER_PAGE).join();
    pages.push(list(`/wp/v2/${many}`, { include, per_page: String(PER_PAGE) }));
  }
  const outcomes = await Promise.all(pages);
  return outcomes.every(({ status }) => status === 200) ? outcomes.flatMap(shownIn) : null;
}

function shownIn({ status, body }: Outcome): readonly Shown[] {
  return status === 200 && Array.isArray(body) ? body : [];
}

/** Terms of posts, in the order of their list; deleted ones are in no list. */
async function termsOf({ many, field }: TermKind, { items, addresses, root, list }: Linking): Promise<Found> {
  const posts = items
    .map((item) => ({ href: `${root}${many}?post=${String(item.id)}`, ids: item[field] }))
    .filter((post): post is { href: string; ids: readonly number[] } => Array.isArray(post.ids))
    .filter(({ href }) => addresses.has(href));
  const ids = [...new Set(posts.flatMap((post) => post.ids))].map(String);
  const found = await byNumber(many, ids, list);
  if (found === null) return [];
  const terms = new Map(found.map((term) => [term.id, term]));
  return posts.map((post) => [post.href, post.ids.flatMap((id) => terms.get(id) ?? []).slice(0, EMBEDDED_PER_PAGE)]);
}

/** Comments on posts without a password, the newest of each post. */
async function commentsOn({ items, addresses, root, list }: Linking): Promise<Found> {
  const hrefOf = (id: unknown) => `${root}comments?post=${String(id)}`;
  const open = items.filter((item) => isOpen(item) && addresses.has(hrefOf(item.id))).map(({ id }) => String(id));
  if (open.length === 0) return [];
  const post = open.join();
  const comments: Shown[] = [];
  for (let page = 1; page <= MAX_COMMENT_PAGES; page++) {
    const outcome = await list('/wp/v2/comments', { post, per_page: String(PER_PAGE), page: String(page) });
    if (outcome.status !== 200) return [];
    comments.push(...shownIn(outcome));
    if (page < Number(outcome.headers['X-WP-TotalPages'])) continue;
    const byPost = groupedBy(comments, (comment) => upOf(comment).replace(/^.*\//, ''));
    return open.map((id) => [hrefOf(id), (byPost.get(id) ?? []).slice(0, EMBEDDED_PER_PAGE)]);
  }
  return [];
}

/**
 * Returns true if a comment is on a post that was found and is not password-protected. Lists also show users their own comments
 * on other posts, while a request for one comment is rejected.
 */
function isOnOpen(comment: Shown, byAddress: ReadonlyMap<string, unknown>): boolean {
  const post = byAddress.get(upOf(comment));
  return post !== undefined && isOpen(post as Shown);
}

function isOpen({ excerpt }: Shown): boolean {
  return typeof excerpt === 'object' && excerpt !== null && 'protected' in excerpt && excerpt.protected === false;
}

/** The address of the post that a comment is about; empty if there is none. */
function upOf({ _links }: Shown): string {
  return (_links as ContentLinks | undefined)?.up?.[0]?.href ?? '';
}
