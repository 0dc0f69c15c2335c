import { compareValues, equalValues } from '../../bson/key.ts';
import type { Value } from '../../bson/value.ts';

/** The first values, or from a negative number on the last; with a length, as many from that place on. */
export function slice(values: Value[], first: number, length?: number): Value[] {
  if (length === undefined) return first < 0 ? values.slice(first) : values.slice(0, first);
  const start = first < 0 ? Math.max(0, values.length + first) : first;
  return values.slice(start, start + length);
}

/** The values without repetition, in order. */
export function distinct(values: Value[]): Value[] {
  const sorted = values.toSorted(compareValues);
  return sorted.filter((value, place) => place === 0 || !equalValues(value, sorted[place - 1] ?? null));
}
