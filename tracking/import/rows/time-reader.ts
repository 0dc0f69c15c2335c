import { literalPattern } from '../../../models/literal-pattern.ts';

import type { ReadOptions } from './read-options.ts';
import { numberOf } from './values.ts';
import { readWrittenTime } from './written-time.ts';
import { zoneOffset } from './zone-offset.ts';

/** A time as a file has it. */
export interface ReadTime {
  /** Milliseconds since 1970 (UTC); null if the file has none, `'unreadable'` if it is not a time. */
  readonly time: number | null | 'unreadable';
  /** True if neither the time nor the options named a zone. */
  readonly isZoneMissing: boolean;
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
  const toIso = timeFormat === 'iso' ? (written: string) => written : patternReader(timeFormat);
  const offsetOf = namedOffsets();
  return (written) => {
    const iso = typeof written === 'string' ? toIso(written) : null;
    const read = iso === null ? null : readWrittenTime(iso);
    if (!read) return UNREADABLE;
    const { instant, hasOffset, zone: named } = read;
    if (hasOffset) return { time: instant, isZoneMissing: false };
    const here = named === null ? offset : offsetOf(named);
    if (here === undefined) return UNREADABLE;
    return here === null
      ? { time: instant, isZoneMissing: true }
      : { time: instant - here(instant), isZoneMissing: false };
  };
}

/** Maximum number of named zones in memory, more than there are. */
const MAX_ZONES = 1000;

type Offset = ReturnType<typeof zoneOffset>;

/** Makes a function that returns the offsets of a zone that a time names; undefined for an unknown zone. */
function namedOffsets(): (zone: string) => Offset | undefined {
  const known = new Map<string, Offset | undefined>();
  return (zone) => {
    if (known.size > MAX_ZONES) known.clear();
    if (!known.has(zone)) known.set(zone, offsetOrUndefined(zone));
    return known.get(zone);
  };
}

function offsetOrUndefined(zone: string): Offset | undefined {
  try {
    return zoneOffset(zone);
  } catch {
    return undefined;
  }
}

/** The years that date-times have, 0001 to 9999. */
const [FIRST_TIME, LAST_TIME] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

function unixReader(unit: number): TimeReader {
  return (written) => {
    const time = Math.round(numberOf(written) * unit);
    return time >= FIRST_TIME && time <= LAST_TIME ? { time, isZoneMissing: false } : UNREADABLE;
  };
}

const PART = /YYYY|YY|MM|DD|hh|mm|ss|AM/g;
const PART_FORMS: Readonly<Record<string, string>> = {
  YYYY: '\\d{4}',
  YY: '\\d{2}',
  ss: '\\d{1,2}(?:[.,]\\d+)?',
  AM: '[AaPp]\\.?[Mm]\\.?',
};
/** The zone, which may follow the last part of a pattern. */
const PATTERN_END = '(?<zone> ?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?$';

function patternReader(pattern: string): (written: string) => string | null {
  const names: string[] = pattern.match(PART) ?? [];
  const hasDate = ['MM', 'DD'].every((name) => names.includes(name)) && /YY/.test(pattern);
  if (!hasDate || new Set(names).size < names.length) {
    throw new RangeError('--time-format must be iso, unix, unix-ms or a pattern such as DD.MM.YYYY hh:mm:ss');
  }
  const between = pattern.split(PART).map(literalPattern);
  const source = names.map((name, i) => `${between[i]}(?<${name}>${PART_FORMS[name] ?? '\\d{1,2}'})`).join('');
  const form = new RegExp(`^${source}${between.at(-1)}${PATTERN_END}`);
  return (written) => {
    const found = form.exec(written)?.groups;
    if (!found) return null;
    const two = (name: string) => (found[name] ?? '0').replace(/^\d(?!\d)/, '0$&');
    const hour = found.AM === undefined ? two('hh') : hourOf(Number(two('hh')), found.AM);
    return `${found.YYYY ?? `20${found.YY}`}-${two('MM')}-${two('DD')}T${hour}:${two('mm')}:${two('ss')}${found.zone ?? ''}`;
  };
}

/** Hour of the day from 00 to 23, of a clock of twelve hours. */
function hourOf(hour: number, half: string): string {
  return String((hour % 12) + (/^p/i.test(half) ? 12 : 0)).padStart(2, '0');
}
