import { decodedPath } from '../../http/requests/decoded-path.ts';

/** The page that an address of the website names. Pages of lists count from 1. */
export type SiteAddress =
  | { readonly kind: 'blog'; readonly page: number }
  | { readonly kind: 'category' | 'tag' | 'author'; readonly slug: string; readonly page: number }
  | { readonly kind: 'date'; readonly date: CalendarDate; readonly page: number }
  | { readonly kind: 'search'; readonly words: string; readonly page: number }
  /** An item by its number. */
  | { readonly kind: 'number'; readonly id: number }
  | { readonly kind: 'feed' }
  /** Whatever else lies there; an item, or nothing. `isEmbed`: the form in which other sites show it. */
  | { readonly kind: 'item'; readonly path: string; readonly isEmbed: boolean };

/** A year, a month of it, or a day of that. */
export interface CalendarDate {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
}

const FEED = /^(?:feed|rdf|rss2?|atom)(?:\/(?:rdf|rss2?|atom))?$/;
const DATE = /^(\d{4})(?:\/(\d{2})(?:\/(\d{2}))?)?$/;
const MAX_WORDS = 200;

/** Reads an address as WordPress does with permalinks by day and name. `path` is below the site's, as it came. */
export function readSiteAddress(path: string, query: URLSearchParams): SiteAddress {
  const [whole, page] = withoutPage(path.replace(/^\/+|\/+$/g, ''));
  const words = query.get('s');
  if (whole === '' && words !== null) return { kind: 'search', words: words.trim().slice(0, MAX_WORDS), page };
  const id = query.get('p') ?? query.get('page_id') ?? query.get('attachment_id');
  if (whole === '' && id !== null && /^\d{1,15}$/.test(id)) return { kind: 'number', id: Number(id) };
  if (whole === '' || whole === 'blog') return { kind: 'blog', page };
  if (FEED.test(whole)) return { kind: 'feed' };

  const archive = /^(category|tag|author)\/(?:.*\/)?([^/]+)$/.exec(whole);
  if (archive) return { kind: archive[1] as 'category', slug: decodedPath(archive[2] ?? ''), page };
  const date = calendarDate(whole);
  if (date) return { kind: 'date', date, page };
  const isEmbed = whole.endsWith('/embed');
  return { kind: 'item', path: isEmbed ? whole.slice(0, -'/embed'.length) : whole, isEmbed };
}

/** The last second before a date and the first after it, `YYYY-MM-DDThh:mm:ss`. */
export function boundsOf({ year, month, day }: CalendarDate): { readonly after: string; readonly before: string } {
  const start = utc(year, (month ?? 1) - 1, day ?? 1);
  const end = month === undefined ? utc(year + 1, 0, 1) : day === undefined ? utc(year, month, 1) : start + DAY;
  return { after: textOf(start - 1000), before: textOf(end) };
}

const DAY = 86_400_000;

/** As `Date.UTC`, which takes years below 100 for those of the last century. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function withoutPage(path: string): [string, number] {
  const match = /^(.*?)(?:^|\/)page\/([1-9]\d{0,5})$/.exec(path);
  return match ? [match[1] ?? '', Number(match[2])] : [path, 1];
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
