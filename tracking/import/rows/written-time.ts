import { parseDateTime } from '../../../schema/date-time.ts';

const DAY_MS = 86_400_000;

/** A date-time as it was written. */
export interface WrittenTime {
  /** Milliseconds since 1970, as if the clock that was read showed UTC if no offset was written. */
  readonly instant: number;
  /** True if an offset from UTC was written. */
  readonly hasOffset: boolean;
  /** Name of a zone in brackets, which java.time writes after the offset; null without one. */
  readonly zone: string | null;
}

const OFFSET = /T.{5,}[+-]\d{2}(?::?\d{2})?$/;
const NAMED_ZONE = /\s*\[([\w/+-]+)\]$/;
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?!\d)/;
const MIDNIGHT = /T24:00(?::00(?:\.0+)?)?(?![\d:.])/;

/**
 * Reads ISO 8601, and what devices and spreadsheets write for it: a space for the T, lower case, a decimal comma, slashes or
 * dots between year, month and day, `15.06.2026`, `20260615T080000Z`, `UTC`, a zone in brackets, the hour 24 and the second 60.
 * Returns null for anything else, including dates whose order of day and month is ambiguous.
 */
export function readWrittenTime(written: string): WrittenTime | null {
  const plain = parseDateTime(written);
  if (plain) return { instant: plain.instant, hasOffset: hasOffset(written), zone: null };
  const zone = NAMED_ZONE.exec(written)?.[1] ?? null;
  const iso = isoOf(written.replace(NAMED_ZONE, ''));
  const clock = iso.replace(MIDNIGHT, 'T00:00').replace(/(T\d{2}:\d{2}):60/, '$1:59');
  const read = parseDateTime(clock);
  if (!read) return null;
  const added = MIDNIGHT.test(iso) ? DAY_MS : clock === iso ? 0 : 1000;
  return { instant: read.instant + added, hasOffset: hasOffset(clock), zone };
}

function hasOffset(iso: string): boolean {
  return iso.endsWith('Z') || OFFSET.test(iso);
}

function isoOf(written: string): string {
  return written
    .trim()
    .toUpperCase()
    .replace(DAY_FIRST, (_, day: string, month: string, year: string) => dateOf(year, month, day))
    .replace(YEAR_FIRST, (_, year: string, _between, month: string, day: string) => dateOf(year, month, day))
    .replace(COMPACT, '$1-$2-$3')
    .replace(/^([\d-]{10}),?[T ] */, '$1T')
    .replace(/T(\d{2})(\d{2})(\d{2})(?![\d:])/, 'T$1:$2:$3')
    .replace(/T(\d):/, 'T0$1:')
    .replace(',', '.')
    .replace(/ ?(?:UTC|GMT)$/, 'Z')
    .replace(/ (?=[+-]|Z$)/, '');
}

function dateOf(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
