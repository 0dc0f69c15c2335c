import type { ColumnField, ReadOptions } from './read-options.ts';

/** Names by which a field is found if the options name no column, in lower case, without a unit in brackets. */
export const USUAL_NAMES: readonly (readonly [ColumnField, readonly string[]])[] = [
  ['time', ['time', 'timestamp', 'datetime', 'date_time', 'date time']],
  ['lat', ['lat', 'latitude', 'latitude n/s']],
  ['lon', ['lon', 'lng', 'long', 'longitude', 'longitude e/w']],
  ['heading', ['heading', 'course', 'bearing']],
  ['events', ['events']],
];

/** Usual names of two columns that are one field together, in lower case; the last ones of a field that are there count. */
export const USUAL_PAIRS: readonly (readonly [ColumnField, readonly [string, string]])[] = [
  ['time', ['datum', 'uhrzeit']],
  ['time', ['local date', 'local time']],
  ['time', ['date', 'time']],
  ['time', ['utc date', 'utc time']],
  ['lat', ['latitude', 'n/s']],
  ['lon', ['longitude', 'e/w']],
];

/** Makes a test for the row of a CSV file that names its columns. */
export function headerTest({ columns = {}, join }: ReadOptions): (names: readonly string[]) => boolean {
  const isNamed = (names: readonly string[], field: ColumnField) => {
    const mapped = columns[field];
    if (mapped !== undefined) return names.includes(mapped) || mapped.split('+').every((part) => names.includes(part));
    return USUAL_NAMES.some(([usual, of]) => usual === field && usualColumn(of, names) >= 0);
  };
  return (names) =>
    (isNamed(names, 'lat') && isNamed(names, 'lon')) ||
    (columns.coordinates !== undefined && isNamed(names, 'coordinates')) ||
    (join !== undefined && names.includes(join.on));
}

/** Place of the first column with one of the usual names of a field; -1 without one. */
export function usualColumn(usual: readonly string[], names: readonly string[]): number {
  return names.findIndex((name) => usual.includes(name.toLowerCase().replace(/\s*[([].*$/, '')));
}

/** Returns true if both columns of a pair are there; objects of JSON may each have other members. */
export function isThere(pair: readonly string[], header: { readonly names: readonly string[] } | null): boolean {
  if (header) return pair.every((name) => usualColumn([name], header.names) >= 0);
  return pair.includes('date');
}
