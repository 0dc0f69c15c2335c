import { Decimal128, Double, Long, ObjectId, Timestamp } from 'bson';
import { compareValues } from '../../bson/key.ts';
import { MongoError, check, unsupported } from '../../bson/mongo-error.ts';
import { double, integer, isNumeric, isTrue, toNumber, truncated, type Numeric } from '../../bson/numbers.ts';
import { isDoc, typeOf, type OptionalValue, type Value } from '../../bson/value.ts';
import { exactly, one, string, typeOrMissing, type Operator, type OperatorTable } from './operator.ts';

/** The operators that compare or test values, make them of another type, or take a date apart, in UTC. */
export const VALUES: OperatorTable = {
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
  $toString: one(toText),
  $toInt: one((a) => numberFrom('$toInt', a, WHOLE, (n) => narrow(n, 'int'))),
  $toLong: one((a) => numberFrom('$toLong', a, WHOLE, (n) => narrow(n, 'long'))),
  $toDouble: one((a) => numberFrom('$toDouble', a, DECIMAL, (n) => double(toNumber(n)))),
  $toDecimal: one((a) => numberFrom('$toDecimal', a, DECIMAL, (n) => Decimal128.fromString(String(n)))),
  $toBool: one(isTrue),
  $toDate: one((a) => instantOf(a) ?? dateFrom(a)),
  $toObjectId: one((a) => (a instanceof ObjectId ? a : objectIdFrom(string('$toObjectId', a)))),
  $year: datePart((date) => date.getUTCFullYear()),
  $month: datePart((date) => date.getUTCMonth() + 1),
  $dayOfMonth: datePart((date) => date.getUTCDate()),
  $dayOfWeek: datePart((date) => date.getUTCDay() + 1),
  $dayOfYear: datePart((date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000) + 1),
  $hour: datePart((date) => date.getUTCHours()),
  $minute: datePart((date) => date.getUTCMinutes()),
  $second: datePart((date) => date.getUTCSeconds()),
  $millisecond: datePart((date) => date.getUTCMilliseconds()),
};

function compare(test: (order: number) => boolean): Operator {
  return exactly(2, ([a, b]) => test(compareOptional(a, b)));
}

/** Compares as expressions do: a missing value comes before every other. */
function compareOptional(a: OptionalValue, b: OptionalValue): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareValues(a, b);
}

const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:?\d\d)?$/;

/** A value as `$toString` and the operators on strings read it. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (isNumeric(value) || typeof value === 'boolean' || value instanceof ObjectId)
    return value instanceof Double ? String(value.value) : String(value);
  throw failed('$toString');
}

/** The time of a value of one of the types that have one. */
function instantOf(value: Value): Date | undefined {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  return value instanceof Timestamp ? new Date(value.getHighBitsUnsigned() * 1000) : undefined;
}

function dateFrom(value: Value): Date {
  if (isNumeric(value)) return new Date(toNumber(value));
  const [, day, time = '00:00', zone = 'Z'] = ISO_DATE.exec(string('$toDate', value)) ?? [];
  if (day === undefined) throw unsupported(`$toDate of a string that is not an ISO 8601 date (${value})`);
  const date = new Date(`${day}T${time}${zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`);
  // JavaScript takes the 30th of February for a day in March.
  const isInCalendar = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  if (!isInCalendar || Number.isNaN(date.getTime())) throw failed('$toDate');
  return date;
}

function objectIdFrom(text: string): ObjectId {
  if (!ObjectId.isValid(text)) throw failed('$toObjectId');
  return new ObjectId(text);
}

function numberFrom(name: string, value: Value, form: RegExp, apply: (value: Numeric) => OptionalValue): OptionalValue {
  if (typeof value === 'boolean') return apply(value ? 1 : 0);
  if (value instanceof Date && name !== '$toInt') return apply(Long.fromNumber(value.getTime()));
  if (isNumeric(value)) return apply(value);
  if (typeof value !== 'string' || !form.test(value)) throw failed(name);
  if (name === '$toDecimal') return apply(Decimal128.fromString(value));
  return apply(WHOLE.test(value) ? (integer(BigInt(value)) ?? Number(value)) : Number(value));
}

function narrow(value: Numeric, to: 'int' | 'long'): Value {
  const exact = truncated(value);
  const result = exact === undefined ? undefined : integer(exact, to);
  if (result === undefined || (to === 'int' && typeof result !== 'number')) throw failed(`$to${to}`);
  return result;
}

function failed(name: string): MongoError {
  return new MongoError('ConversionFailure', `Failed to convert a value in ${name} with no onError value`);
}

function datePart(apply: (date: Date) => number): Operator {
  return one((argument) => {
    const value = isDoc(argument) ? dateArgument(argument) : argument;
    if (value === undefined || value === null) return null;
    const date = instantOf(value);
    check(date, 'Location16006', `can't convert from BSON type ${typeOf(value)} to Date`);
    return apply(date);
  });
}

/** The date of the longer form `{ date, timezone }`. */
function dateArgument(argument: ReadonlyMap<string, Value>): OptionalValue {
  for (const [name, value] of argument) {
    if (name === 'timezone' && value !== 'UTC' && value !== 'GMT')
      throw unsupported('A time zone in a date expression');
    check(['date', 'timezone'].includes(name), 'BadValue', `unrecognized option to a date expression: "${name}"`);
  }
  return argument.get('date');
}
