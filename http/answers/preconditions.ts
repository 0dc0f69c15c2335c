import type { IncomingHttpHeaders } from 'node:http';

/** Validators of a file (RFC 9110, section 8.8). */
export interface Validators {
  /** A strong entity tag, in its quotes. */
  readonly etag: string;
  /** Null if it is unknown; then conditions on dates are ignored. */
  readonly modified: Date | null;
}

/** Evaluates the conditions of a request for a file (RFC 9110, section 13.2.2); null if the file is to be sent. */
export function preconditionStatus(headers: IncomingHttpHeaders, { etag, modified }: Validators): 304 | 412 | null {
  if (headers['if-match'] !== undefined) {
    if (!lists(headers['if-match'], etag)) return 412;
  } else if (isEarlier(headers['if-unmodified-since'], modified)) {
    return 412;
  }
  if (headers['if-none-match'] !== undefined) {
    return listsWeakly(headers['if-none-match'], etag) ? 304 : null;
  }
  const since = secondsOf(headers['if-modified-since']);
  return since !== null && modified !== null && secondsAt(modified) <= since ? 304 : null;
}

/** Returns true if a range may be sent: `If-Range` is absent or names the current state (RFC 9110, section 13.1.5). */
export function allowsRange(ifRange: string | undefined, { etag, modified }: Validators): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange === etag;
  return modified !== null && secondsOf(ifRange) === secondsAt(modified);
}

/**
 * Returns true if a list of entity tags has a tag, or is `*`. They are compared weakly (RFC 9110, section 13.1.2), and without what a
 * proxy that compresses answers adds: `W/`, or the name of the encoding before or after the closing quote.
 */
export function listsWeakly(tags: string | undefined, etag: string): boolean {
  const asSent = (tags ?? '').replace(/W\//g, '');
  return lists(asSent, etag) || asSent.split(',').some((tag) => isOfEncoded(tag.trim(), etag));
}

/** The end of a tag with the name of an encoding, before or after the closing quote. */
const ENCODED = /^(?:(?:--?|;)(?:gzip|br|deflate|zstd)"|"(?:--?|;)(?:gzip|br|deflate|zstd))$/;

/** Returns true if a tag is another one with the name of an encoding; what another one ends with is a part of it. */
function isOfEncoded(tag: string, etag: string): boolean {
  const open = etag.slice(0, -1);
  return tag.startsWith(open) && ENCODED.test(tag.slice(open.length));
}

function lists(tags: string, etag: string): boolean {
  return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
}

function isEarlier(date: string | undefined, modified: Date | null): boolean {
  const seconds = secondsOf(date);
  return seconds !== null && modified !== null && seconds < secondsAt(modified);
}

/** Whole seconds, as HTTP dates have them; null for no date. */
function secondsOf(date: string | undefined): number | null {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
}

function secondsAt(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
