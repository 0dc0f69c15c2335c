import { isNumeric, toNumber } from '../../bson/numbers.ts';
import type { OptionalValue } from '../../bson/value.ts';

/** What MongoDB takes for true: everything but false, null, zero and missing. */
export function isTrue(value: OptionalValue): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumeric(value) || toNumber(value) !== 0;
}
