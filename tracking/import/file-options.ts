import { SPEED_UNITS } from '../geometry/speeds.ts';

import { type FileOptions, FORMATS, OVERLAPS } from './file-formats.ts';
import { COLUMN_FIELDS, type ColumnField, ODOMETER_UNITS, WEEK_ROLLOVERS } from './rows/read-options.ts';
import { timeReader } from './rows/time-reader.ts';

type Optional<Type> = Type | null | undefined;

/** Options of an import as a command or a request has them, by their names in requests. */
export interface GivenOptions {
  readonly format?: Optional<string>;
  /** Columns of fields, each as `field=column`. */
  readonly map?: Optional<readonly string[]>;
  readonly join?: Optional<string>;
  readonly on?: Optional<string>;
  readonly interval?: Optional<number>;
  readonly time_format?: Optional<string>;
  readonly zone?: Optional<string>;
  readonly speed_unit?: Optional<string>;
  readonly odometer_unit?: Optional<string>;
  readonly encoding?: Optional<string>;
  readonly salvage?: Optional<boolean>;
  readonly week_rollover?: Optional<string>;
  readonly overlap?: Optional<string>;
}

/** Options of which the value is one of some words. */
export const OPTION_WORDS = {
  format: FORMATS,
  speed_unit: Object.keys(SPEED_UNITS) as (keyof typeof SPEED_UNITS)[],
  odometer_unit: Object.keys(ODOMETER_UNITS) as (keyof typeof ODOMETER_UNITS)[],
  week_rollover: WEEK_ROLLOVERS,
  overlap: OVERLAPS,
} as const;

/**
 * Checks the options of an import, and returns them for reading its files.
 *
 * @param named spells the name of an option as the caller gives it
 * @throws RangeError that names an option with an impossible value, or options that do not go together
 */
export function readFileOptions(given: GivenOptions, named = (name: string) => name): FileOptions {
  const { map, join, on, interval, time_format, zone, encoding, salvage } = given;
  const word = <Name extends keyof typeof OPTION_WORDS>(name: Name) => wordOf(name, given[name], named);
  const [format, speedUnit, odometerUnit] = [word('format'), word('speed_unit'), word('odometer_unit')];
  const [weekRollover, overlap] = [word('week_rollover'), word('overlap')];
  const columns = columnsOf(map ?? [], named('map'));
  const column = (field: ColumnField) => `${named('map')} ${field}=`;
  rejectIf(interval != null && !(interval > 0 && interval < Infinity), `${named('interval')} must be greater than 0`);
  rejectIf((join == null) !== (on == null), together(named('join'), named('on')));
  const hasNoInterval = columns.coordinates !== undefined && interval == null;
  rejectIf(hasNoInterval, `${column('coordinates')} requires ${named('interval')}`);
  rejectIf(columns.speed !== undefined && !speedUnit, `${column('speed')} requires ${named('speed_unit')}`);
  const isHalf = (columns.odometer === undefined) === (odometerUnit !== undefined);
  rejectIf(isHalf, together(column('odometer'), named('odometer_unit')));
  const read: FileOptions = {
    columns,
    ...(format && { format }),
    ...(join != null && on != null && { join: { file: join, on } }),
    ...(speedUnit && { speedUnit }),
    ...(odometerUnit && { odometerUnit }),
    ...(interval != null && { interval }),
    ...(time_format != null && { timeFormat: time_format }),
    ...(zone != null && { zone }),
    ...(encoding != null && { encoding }),
    ...(salvage != null && { salvage }),
    ...(weekRollover && { weekRollover }),
    ...(overlap && { overlap }),
  };
  try {
    timeReader(read);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(error.message.replace('--time-format', named('time_format')).replace('--zone', named('zone')));
  }
  return read;
}

function wordOf<Name extends keyof typeof OPTION_WORDS>(
  name: Name,
  word: Optional<string>,
  named: (name: string) => string,
): (typeof OPTION_WORDS)[Name][number] | undefined {
  if (word == null) return undefined;
  const words: readonly (typeof OPTION_WORDS)[Name][number][] = OPTION_WORDS[name];
  const found = words.find((one) => one === word);
  if (found === undefined) throw new RangeError(`${named(name)} must be one of ${words.join(', ')}`);
  return found;
}

function columnsOf(map: readonly string[], name: string): NonNullable<FileOptions['columns']> {
  const columns: Record<string, string> = {};
  for (const text of map) {
    const [field = '', ...rest] = text.split('=');
    const column = rest.join('=');
    const isWrong = !Object.hasOwn(COLUMN_FIELDS, field) || column === '';
    rejectIf(isWrong, `${name} must be field=column with one of ${Object.keys(COLUMN_FIELDS).join(', ')}`);
    rejectIf(Object.hasOwn(columns, field), `${name} must not name ${field} twice`);
    columns[field] = column;
  }
  return columns;
}

function together(one: string, other: string): string {
  return `${one} and ${other} belong together; give both or neither`;
}

function rejectIf(isWrong: boolean, message: string): void {
  if (isWrong) throw new RangeError(message);
}
