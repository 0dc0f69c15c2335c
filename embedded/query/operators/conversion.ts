import { Decimal128, Double, Long, ObjectId, Timestamp } from 'bson';
import { MongoError, unsupported } from '../../bson/mongo-error.ts';
import { double, integer, isNumeric, isTrue, toNumber, truncated, type Numeric } from '../../bson/numbers.ts';
import type { OptionalValue, Value } from '../../bson/value.ts';
import { one, string, type OperatorTable } from './operator.ts';

/** The operators that make a value of another type. */
export const CONVERSION: OperatorTable = {
  $toString: one(toText),
  $toInt: one((a) => numberFrom('$toInt', a, WHOLE, (n) => narrow(n, 'int'))),
  $toLong: one((a) => numberFrom('$toLong', a, WHOLE, (n) => narrow(n, 'long'))),
  $toDouble: one((a) => numberFrom('$toDouble', a, DECIMAL, (n) => double(toNumber(n)))),
  $toDecimal: one((a) => numberFrom('$toDecimal', a, DECIMAL, (n) => Decimal128.fromString(String(n)))),
  $toBool: one(isTrue),
  $toDate: one((a) => instantOf(a) ?? dateFrom(a)),
  $toObjectId: one((a) => (a instanceof ObjectId ? a : objectIdFrom(string('$toObjectId', a)))),
};

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
export function instantOf(value: Value): Date | undefined {
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
