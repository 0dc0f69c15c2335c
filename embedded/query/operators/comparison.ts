import { compareValues } from '../../bson/key.ts';
import { isNumeric, isTrue } from '../../bson/numbers.ts';
import type { OptionalValue } from '../../bson/value.ts';
import { exactly, typeOrMissing, type Operator, type OperatorTable } from './operator.ts';

/** The operators that compare values or test their types. */
export const COMPARISON: OperatorTable = {
  $eq: compare((order) => order === 0),
  $ne: compare((order) => order !== 0),
  $gt: compare((order) => order > 0),
  $gte: compare((order) => order >= 0),
  $lt: compare((order) => order < 0),
  $lte: compare((order) => order <= 0),
  $cmp: exactly(2, ([a, b]) => Math.sign(compareOptional(a, b))),
  $not: exactly(1, ([a]) => !isTrue(a)),
  $isArray: exactly(1, ([a]) => Array.isArray(a)),
  $isNumber: exactly(1, ([a]) => isNumeric(a)),
  $type: exactly(1, ([a]) => typeOrMissing(a)),
};

function compare(test: (order: number) => boolean): Operator {
  return exactly(2, ([a, b]) => test(compareOptional(a, b)));
}

/** Compares as expressions do: a missing value comes before every other. */
function compareOptional(a: OptionalValue, b: OptionalValue): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareValues(a, b);
}
