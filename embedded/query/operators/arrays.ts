import { MongoError } from '../../bson/mongo-error.ts';
import { equalValues } from '../../bson/key.ts';
import type { OptionalValue, Value } from '../../bson/value.ts';
import { distinct, slice } from './lists.ts';
import { array, exactly, many, one, two, whole } from './operator.ts';
import type { OperatorTable } from './operator.ts';

/** The operators on arrays, also as sets. */
export const ARRAYS: OperatorTable = {
  $size: exactly(1, ([a]) => array('$size', a).length),
  $arrayElemAt: two((a, b) => array('$arrayElemAt', a).at(whole('$arrayElemAt', b))),
  $first: one((a) => array('$first', a).at(0)),
  $last: one((a) => array('$last', a).at(-1)),
  $reverseArray: one((a) => array('$reverseArray', a).toReversed()),
  $concatArrays: many((args) => args.flatMap((part) => array('$concatArrays', part))),
  $in: exactly(2, ([a, b]) => a !== undefined && contains(array('$in', b), a)),
  $indexOfArray: two((a, b) => array('$indexOfArray', a).findIndex((element) => equalValues(element, b))),
  $slice: { least: 2, most: 3, apply: ([a, first, length]) => part(a, first, length) },
  $range: { least: 2, most: 3, apply: ([from, to, by]) => range(from, to, by ?? 1) },
  $setUnion: many((args) => distinct(args.flatMap((part) => array('$setUnion', part)))),
  $setIntersection: many((args) =>
    distinct(
      array('$setIntersection', args[0]).filter((element) =>
        args.every((other) => contains(array('$setIntersection', other), element)),
      ),
    ),
  ),
  $setDifference: two((a, b) =>
    distinct(array('$setDifference', a).filter((element) => !contains(array('$setDifference', b), element))),
  ),
  $setIsSubset: two((a, b) => array('$setIsSubset', a).every((element) => contains(array('$setIsSubset', b), element))),
};

function contains(values: Value[], value: Value): boolean {
  return values.some((element) => equalValues(element, value));
}

function part(values: OptionalValue, first: OptionalValue, length: OptionalValue): OptionalValue {
  if (values === undefined || values === null) return null;
  const most = length === undefined ? undefined : whole('$slice', length);
  if (most !== undefined && most <= 0)
    throw new MongoError('BadValue', `Third argument to $slice must be positive: ${most}`);
  return slice(array('$slice', values), whole('$slice', first), most);
}

function range(from: OptionalValue, to: OptionalValue, by: Value): Value[] {
  const [start, end, step] = [whole('$range', from), whole('$range', to), whole('$range', by)];
  if (step === 0) throw new MongoError('BadValue', '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((end - start) / step));
  return Array.from({ length }, (_, place) => start + place * step);
}
