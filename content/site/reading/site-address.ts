import { decodedPath } from '../../../http/requests/decoded-path.ts';
import type { CalendarDate } from '../text/written-date.ts';

/** The page that an address of the website names. Pages of lists count from 1. */
export type SiteAddress =
  | ListAddress
  /** The front page. */
  | { readonly kind: 'front' }
  /** An item by its number. */
  | { readonly kind: 'number'; readonly id: number }
  /** The feed of a page: the posts of a list, or the comments on an item. */
  | { readonly kind: 'feed'; readonly format: FeedFormat; readonly of: SiteAddress }
  /** The newest comments, which have only a feed. */
  | { readonly kind: 'comments' }
  /** Any other path: an item, or nothing. `isEmbed`: the form for embedding. */
  | { readonly kind: 'item'; readonly path: string; readonly isEmbed: boolean };

/** A page of a list of posts. */
export type ListAddress =
  | { readonly kind: 'blog'; readonly page: number }
  /** `name` is a slug, or a number. */
  | { readonly kind: 'category' | 'tag' | 'author'; readonly name: string | number; readonly page: number }
  | { readonly kind: 'date'; readonly date: CalendarDate; readonly page: number }
  | { readonly kind: 'search'; readonly words: string; readonly page: number };

/** Formats of feeds: RSS 2.0, and Atom (RFC 4287). */
export type FeedFormat = 'rss' | 'atom';

/** Names of feeds at the end of a path. RSS 0.92 and 1.0 are answered with RSS 2.0. */
const FEED = /^(.*?)(?:^|\/)(?:feed\/)?(feed|rdf|rss2?|atom)$/;
const FEED_QUERY = /^(comments-)?(feed|rdf|rss2?|atom)$/;
const DATE = /^(\d{4})(?:\/(\d{2})(?:\/(\d{2}))?)?$/;
const MAX_WORDS = 200;
/** The first half of a surrogate pair. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/** Parameters that name a page, and are omitted from its permalink. */
const NAMING: ReadonlySet<string> = new Set([
  ...['p', 'page_id', 'attachment_id', 'name', 'pagename', 'paged', 'preview'],
  ...['cat', 'category_name', 'tag', 'author', 'author_name', 'm', 'year', 'monthnum', 'day'],
]);

/** Reads an address as WordPress does with permalinks by day and name. `path` is below that of the site, as sent. */
export function readSiteAddress(path: string, query: URLSearchParams): SiteAddress {
  const clean = path.replace(/^\/+index\.php(?=\/|$)/, '').replace(/^\/+|\/+$/g, '');
  if (clean === 'feed.xml') return { kind: 'feed', format: 'atom', of: { kind: 'front' } };
  const [, before, name] = FEED.exec(clean) ?? [];
  if (name !== undefined) return feedOf(readPage(before ?? '', query), name);
  const [, comments, asked] = FEED_QUERY.exec(query.get('feed') ?? '') ?? [];
  if (asked !== undefined) return feedOf(comments ? { kind: 'comments' } : readPage(clean, query), asked);
  const page = readPage(clean, query);
  return page.kind === 'comments' ? { kind: 'item', path: clean, isEmbed: false } : page;
}

/** The query of an address, without the parameters that name a page: with its `?`; empty if nothing remains. */
export function furtherQuery(query: URLSearchParams): string {
  const further = new URLSearchParams([...query].filter(([name]) => !NAMING.has(name))).toString();
  return further === '' ? '' : `?${further}`;
}

/** The last second before a date and the first after it, `YYYY-MM-DDThh:mm:ss`. */
export function boundsOf({ year, month, day }: CalendarDate): { readonly after: string; readonly before: string } {
  const start = utc(year, (month ?? 1) - 1, day ?? 1);
  const end = month === undefined ? utc(year + 1, 0, 1) : day === undefined ? utc(year, month, 1) : start + DAY;
  return { after: textOf(start - 1000), before: textOf(end) };
}

const DAY = 86_400_000;

function feedOf(of: SiteAddress, name: string): SiteAddress {
  return { kind: 'feed', format: name === 'atom' ? 'atom' : 'rss', of };
}

function readPage(path: string, query: URLSearchParams): SiteAddress {
  const [whole, ofPath] = withoutPage(path);
  const page = ofPath ?? pageIn(query) ?? 1;
  if (whole === '') return readQuery(query, page) ?? (page === 1 ? { kind: 'front' } : { kind: 'blog', page });
  if (whole === 'blog') return { kind: 'blog', page };
  if (whole === 'comments') return { kind: 'comments' };

  const [, kind, name = ''] = /^(category|tag|author|search)\/(?:.*\/)?([^/]+)$/.exec(whole) ?? [];
  if (kind === 'search') return searchFor(decodedPath(name), page);
  if (kind !== undefined) return { kind: kind as 'category', name: decodedPath(name), page };
  const date = calendarDate(whole);
  if (date) return { kind: 'date', date, page };
  const isEmbed = whole.endsWith('/embed');
  return { kind: 'item', path: isEmbed ? whole.slice(0, -'/embed'.length) : whole, isEmbed };
}

/** Reads the parameters that name a page if the path does not. */
function readQuery(query: URLSearchParams, page: number): SiteAddress | undefined {
  const text = (name: string) => query.get(name) || undefined;
  const id = numberIn(query, 'p') ?? numberIn(query, 'page_id') ?? numberIn(query, 'attachment_id');
  if (id !== undefined) return { kind: 'number', id };
  const words = query.get('s');
  if (words !== null) return searchFor(words, page);
  const category = numberIn(query, 'cat') ?? text('category_name')?.replace(/^.*\/(?=.)/, '');
  if (category !== undefined) return { kind: 'category', name: category, page };
  const tag = text('tag');
  if (tag !== undefined) return { kind: 'tag', name: tag, page };
  const author = numberIn(query, 'author') ?? text('author_name');
  if (author !== undefined) return { kind: 'author', name: author, page };
  const date = calendarDate(datePathIn(query));
  if (date) return { kind: 'date', date, page };
  const path = text('pagename');
  return path === undefined ? undefined : { kind: 'item', path, isEmbed: false };
}

function searchFor(words: string, page: number): SiteAddress {
  // The end may be half of a character, which no address can contain.
  const cut = words.trim().slice(0, MAX_WORDS).replace(HALF_AT_END, '');
  return { kind: 'search', words: cut, page };
}

/** A positive number at the start of a parameter, as PHP reads one; undefined if there is none, and for a list of numbers. */
function numberIn(query: URLSearchParams, name: string): number | undefined {
  const [digits] = /^[1-9]\d{0,14}(?![\d,])/.exec(query.get(name) ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function pageIn(query: URLSearchParams): number | undefined {
  const page = numberIn(query, 'paged');
  return page !== undefined && page < 1_000_000 ? page : undefined;
}

/** The path of `?m=20240105`, or of `?year=2024&monthnum=1&day=5`. */
function datePathIn(query: URLSearchParams): string {
  const [, ...whole] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(query.get('m') ?? '') ?? [];
  const parts = query.get('m') === null ? ['year', 'monthnum', 'day'].map((name) => query.get(name)) : whole;
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map((part) => part.padStart(2, '0'))
    .join('/');
}

/** Like `Date.UTC`, but that treats years below 100 as 19xx. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function withoutPage(path: string): [string, number | undefined] {
  const match = /^(.*?)(?:^|\/)page\/([1-9]\d{0,5})$/.exec(path);
  return match ? [match[1] ?? '', Number(match[2])] : [path, undefined];
}

function calendarDate(path: string): CalendarDate | undefined {
  const [, year, month, day] = DATE.exec(path) ?? [];
  if (year === undefined) return undefined;
  const text = `${year}-${month ?? '01'}-${day ?? '01'}`;
  const isDay = !Number.isNaN(Date.parse(text)) && textOf(Date.parse(text)).startsWith(text) && Number(year) > 0;
  return isDay
    ? { year: Number(year), ...(month && { month: Number(month) }), ...(day && { day: Number(day) }) }
    : undefined;
}

function textOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19);
}
