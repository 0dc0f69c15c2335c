import { compareValues, equalValues } from '../../bson/key.ts';
import { check, docOf } from '../../bson/mongo-error.ts';
import { mapOf, type OptionalValue, type Value } from '../../bson/value.ts';
import { any, array, exactly, many, one, spread, string, two, whole, type OperatorTable } from './operator.ts';

/** The operators on arrays, also as sets, and on documents. */
export const COLLECTIONS: OperatorTable = {
  $size: exactly(1, ([a]) => array('$size', a).length),
  $arrayElemAt: two((a, b) => array('$arrayElemAt', a).at(whole('$arrayElemAt', b))),
  $first: one((a) => array('$first', a).at(0)),
  $last: one((a) => array('$last', a).at(-1)),
  $reverseArray: one((a) => array('$reverseArray', a).toReversed()),
  $concatArrays: many((args) => args.flatMap((part) => array('$concatArrays', part))),
  $in: exactly(2, ([a, b]) => a !== undefined && contains(array('$in', b), a)),
  $indexOfArray: two((a, b) => array('$indexOfArray', a).findIndex((element) => equalValues(element, b))),
  $slice: { min: 2, max: 3, apply: ([a, first, length]) => part(a, first, length) },
  $range: { min: 2, max: 3, apply: ([from, to, by]) => range(from, to, by ?? 1) },
  $setUnion: many((args) => distinct(args.flatMap((part) => array('$setUnion', part)))),
  $setIntersection: many((args) => {
    const [first = [], ...others] = args.map((part) => array('$setIntersection', part));
    return distinct(first.filter((element) => others.every((other) => contains(other, element))));
  }),
  $setDifference: two((a, b) =>
    distinct(array('$setDifference', a).filter((element) => !contains(array('$setDifference', b), element))),
  ),
  $setIsSubset: two((a, b) => array('$setIsSubset', a).every((element) => contains(array('$setIsSubset', b), element))),
  $mergeObjects: any((args) => mergeObjects(spread(args))),
  $objectToArray: one((a) => [...docOf('$objectToArray', a)].map(([k, v]) => mapOf<Value>({ k, v }))),
  $arrayToObject: one((a) => new Map(array('$arrayToObject', a).map(pairOf))),
};

function contains(values: Value[], value: Value): boolean {
  return values.some((element) => equalValues(element, value));
}

function part(values: OptionalValue, first: OptionalValue, length: OptionalValue): OptionalValue {
  if (values === undefined || values === null) return null;
  const max = length === undefined ? undefined : whole('$slice', length);
  check(max === undefined || max > 0, 'BadValue', `Third argument to $slice must be positive: ${max}`);
  return slice(array('$slice', values), whole('$slice', first), max);
}

function range(from: OptionalValue, to: OptionalValue, by: Value): Value[] {
  const [start, end, step] = [whole('$range', from), whole('$range', to), whole('$range', by)];
  check(step !== 0, 'BadValue', '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((end - start) / step));
  return Array.from({ length }, (_, place) => start + place * step);
}

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

/** One document of the fields of several, of which the last counts, omitting null and missing. */
export function mergeObjects(parts: OptionalValue[]): Value {
  const documents = parts.filter((part) => part !== undefined && part !== null);
  return new Map(documents.flatMap((part) => [...docOf('$mergeObjects', part)]));
}

function pairOf(element: Value): [string, Value] {
  const [key, value] = Array.isArray(element)
    ? element
    : ['k', 'v'].map((n) => docOf('$arrayToObject', element).get(n));
  return [string('$arrayToObject', key), value ?? null];
}
