import { parseDateTime } from '../../../schema/date-time.ts';
import { literalPattern } from '../../../models/literal-pattern.ts';

import type { ReadOptions } from './read-options.ts';
import { numberOf } from './values.ts';
import { zoneOffset } from './zone-offset.ts';

/** A time as a file has it. */
export interface ReadTime {
  /** Milliseconds since 1970 (UTC); null if the file has none, `'unreadable'` if it is not a time. */
  readonly time: number | null | 'unreadable';
  /** True if neither the time nor the options named a zone. */
  readonly isZoneMissing: boolean;
}

const OFFSET = /T.{5,}[+-]\d{2}(?::?\d{2})?$/;

/** Returns true if an ISO 8601 date-time names its offset from UTC. */
export function hasZone(text: string): boolean {
  return text.endsWith('Z') || OFFSET.test(text);
}

/** Reads one time. */
export type TimeReader = (written: unknown) => ReadTime;

const UNREADABLE: ReadTime = { time: 'unreadable', isZoneMissing: false };

/**
 * Makes the reader of a format of times.
 *
 * @throws RangeError naming `--time-format` or `--zone`, if these are not as described in {@link ReadOptions}
 */
export function timeReader({ timeFormat = 'iso', zone }: Pick<ReadOptions, 'timeFormat' | 'zone'>): TimeReader {
  const offset = zone === undefined ? null : zoneOffset(zone);
  if (timeFormat === 'unix') return unixReader(1000);
  if (timeFormat === 'unix-ms') return unixReader(1);
  const toIso = timeFormat === 'iso' ? isoOf : patternReader(timeFormat);
  return (written) => {
    const iso = typeof written === 'string' ? toIso(written) : null;
    const moment = iso === null ? null : parseDateTime(iso);
    if (iso === null || !moment) return UNREADABLE;
    if (hasZone(iso)) return { time: moment.instant, isZoneMissing: false };
    return offset === null
      ? { time: moment.instant, isZoneMissing: true }
      : { time: moment.instant - offset(moment.instant), isZoneMissing: false };
  };
}

/** The years that date-times have, 0001 to 9999. */
const [FIRST_TIME, LAST_TIME] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

function unixReader(unit: number): TimeReader {
  return (written) => {
    const time = Math.round(numberOf(written) * unit);
    return time >= FIRST_TIME && time <= LAST_TIME ? { time, isZoneMissing: false } : UNREADABLE;
  };
}

/** Writes the T of ISO 8601 where people write a space, and Z where they write UTC. */
function isoOf(written: string): string {
  if (!written.includes(' ')) return written;
  return written
    .replace(' ', 'T')
    .replace(/ ?(?:UTC|GMT)$/, 'Z')
    .replace(' ', '');
}

const PART = /YYYY|MM|DD|hh|mm|ss/g;

function patternReader(pattern: string): (written: string) => string | null {
  const names: string[] = pattern.match(PART) ?? [];
  if (!['YYYY', 'MM', 'DD'].every((name) => names.includes(name)) || new Set(names).size < names.length) {
    throw new RangeError('--time-format must be iso, unix, unix-ms or a pattern such as DD.MM.YYYY hh:mm:ss');
  }
  const between = pattern.split(PART).map(literalPattern);
  const source = names.map((name, i) => `${between[i]}(?<${name}>${name === 'YYYY' ? '\\d{4}' : '\\d{1,2}'})`).join('');
  const form = new RegExp(`^${source}${between.at(-1)}$`);
  return (written) => {
    const found = form.exec(written)?.groups;
    if (!found) return null;
    const two = (name: string) => (found[name] ?? '0').padStart(2, '0');
    return `${found.YYYY}-${two('MM')}-${two('DD')}T${two('hh')}:${two('mm')}:${two('ss')}`;
  };
}
