import { compareValues } from '../../bson/key.ts';
import { add, divide, isNumeric } from '../../bson/numbers.ts';
import type { Numeric } from '../../bson/numbers.ts';
import type { OptionalValue, Value } from '../../bson/value.ts';

/** The sum of the numbers among some values. */
export function sum(values: OptionalValue[]): Numeric {
  return values.filter(isNumeric).reduce<Numeric>(add, 0);
}

/** The mean of the numbers among some values; null when there is none. */
export function average(values: OptionalValue[]): Value {
  const numbers = values.filter(isNumeric);
  return numbers.length === 0 ? null : divide(sum(numbers), numbers.length);
}

/** The least (-1) or greatest (1) of some values, leaving out null and missing. */
export function extreme(values: OptionalValue[], direction: number): Value {
  const present = values.filter((value) => value !== undefined && value !== null);
  return present.reduce<Value>(
    (best, value) => (best === null || compareValues(value, best) * direction > 0 ? value : best),
    null,
  );
}
