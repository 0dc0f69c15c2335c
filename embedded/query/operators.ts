import { Decimal128, Double, Long, ObjectId } from 'bson';
import { MongoError, unsupported } from '../mongo-error.ts';
import { compareValues, equalValues } from '../bson/key.ts';
import {
  add,
  divide,
  double,
  integer,
  isNumeric,
  multiply,
  remainder,
  subtract,
  toNumber,
  truncated,
} from '../bson/numbers.ts';
import type { Numeric } from '../bson/numbers.ts';
import { isDoc, typeOf } from '../bson/value.ts';
import type { Doc, Maybe, Value } from '../bson/value.ts';

/** An expression operator whose arguments are evaluated first. */
export interface Operator {
  readonly least: number;
  readonly most: number;
  readonly apply: (args: Maybe[]) => Maybe;
}

type Binary = (a: Value, b: Value) => Maybe;

const TABLE: Readonly<Record<string, Operator>> = {
  $add: many((args) => args.reduce(plus, 0)),
  $subtract: two(minus),
  $multiply: many((args) => args.reduce((a, b) => multiply(number('$multiply', a), number('$multiply', b)), 1)),
  $divide: two((a, b) => divide(number('$divide', a), number('$divide', b))),
  $mod: two((a, b) => remainder(number('$mod', a), number('$mod', b))),
  $abs: one((a) => (toNumber(number('$abs', a)) < 0 ? subtract(0, number('$abs', a)) : a)),
  $ceil: one((a) => whole('$ceil', a, Math.ceil)),
  $floor: one((a) => whole('$floor', a, Math.floor)),
  $trunc: places('$trunc', Math.trunc),
  $round: places('$round', halfToEven),
  $sqrt: one((a) => math('$sqrt', a, Math.sqrt)),
  $exp: one((a) => math('$exp', a, Math.exp)),
  $ln: one((a) => math('$ln', a, Math.log)),
  $log10: one((a) => math('$log10', a, Math.log10)),
  $pow: two((a, b) => math('$pow', a, (base) => base ** toNumber(number('$pow', b)))),
  $eq: compare((order) => order === 0),
  $ne: compare((order) => order !== 0),
  $gt: compare((order) => order > 0),
  $gte: compare((order) => order >= 0),
  $lt: compare((order) => order < 0),
  $lte: compare((order) => order <= 0),
  $cmp: { least: 2, most: 2, apply: ([a, b]) => Math.sign(compareMaybe(a, b)) },
  $not: { least: 1, most: 1, apply: ([a]) => !isTrue(a) },
  $size: { least: 1, most: 1, apply: ([a]) => array('$size', a).length },
  $isArray: { least: 1, most: 1, apply: ([a]) => Array.isArray(a) },
  $isNumber: { least: 1, most: 1, apply: ([a]) => isNumeric(a) },
  $type: { least: 1, most: 1, apply: ([a]) => (a === undefined ? 'missing' : typeOf(a)) },
  $arrayElemAt: two((a, b) => array('$arrayElemAt', a).at(toNumber(number('$arrayElemAt', b)))),
  $first: one((a) => array('$first', a).at(0)),
  $last: one((a) => array('$last', a).at(-1)),
  $reverseArray: one((a) => array('$reverseArray', a).toReversed()),
  $concatArrays: many((args) => args.flatMap((part) => array('$concatArrays', part))),
  $in: { least: 2, most: 2, apply: ([a, b]) => a !== undefined && contains(array('$in', b), a) },
  $indexOfArray: two((a, b) => array('$indexOfArray', a).findIndex((element) => equalValues(element, b))),
  $slice: {
    least: 2,
    most: 3,
    apply: ([a, b, c]) => {
      if (a === undefined || a === null) return null;
      const [values, first] = [array('$slice', a), toNumber(number('$slice', b))];
      return slice(values, first, c === undefined ? undefined : toNumber(number('$slice', c)));
    },
  },
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
  $mergeObjects: { least: 0, most: Number.POSITIVE_INFINITY, apply: (args) => mergeObjects(args) },
  $objectToArray: one((a) =>
    [...document('$objectToArray', a)].map(
      ([k, v]) =>
        new Map<string, Value>([
          ['k', k],
          ['v', v],
        ]),
    ),
  ),
  $arrayToObject: one((a) => new Map(array('$arrayToObject', a).map(pairOf))),
  $concat: many((args) => args.map((part) => string('$concat', part)).join('')),
  $toLower: text((a) => a.toLowerCase()),
  $toUpper: text((a) => a.toUpperCase()),
  $strLenCP: { least: 1, most: 1, apply: ([a]) => [...string('$strLenCP', a)].length },
  $strLenBytes: { least: 1, most: 1, apply: ([a]) => Buffer.byteLength(string('$strLenBytes', a)) },
  $substrCP: {
    least: 3,
    most: 3,
    apply: ([a, from, length]) => [...stringOf(a)].slice(count(from), count(from) + count(length)).join(''),
  },
  $split: two((a, b) => string('$split', a).split(string('$split', b))),
  $toString: one((a) => toText(a)),
  $toInt: one((a) => convert('$toInt', a, (n) => narrow(n, 'int'))),
  $toLong: one((a) => convert('$toLong', a, (n) => narrow(n, 'long'))),
  $toDouble: one((a) => convert('$toDouble', a, (n) => double(toNumber(n)))),
  $toDecimal: one((a) => convert('$toDecimal', a, (n) => Decimal128.fromString(String(n)))),
  $toBool: one(isTrue),
  $toDate: one(toDate),
  $toObjectId: one((a) =>
    a instanceof ObjectId
      ? a
      : ObjectId.isValid(string('$toObjectId', a))
        ? new ObjectId(string('$toObjectId', a))
        : fail('$toObjectId'),
  ),
  $year: date((d) => d.getUTCFullYear()),
  $month: date((d) => d.getUTCMonth() + 1),
  $dayOfMonth: date((d) => d.getUTCDate()),
  $dayOfWeek: date((d) => d.getUTCDay() + 1),
  $dayOfYear: date((d) => Math.floor((d.getTime() - Date.UTC(d.getUTCFullYear(), 0)) / 86_400_000) + 1),
  $hour: date((d) => d.getUTCHours()),
  $minute: date((d) => d.getUTCMinutes()),
  $second: date((d) => d.getUTCSeconds()),
  $millisecond: date((d) => d.getUTCMilliseconds()),
  $sum: { least: 0, most: Number.POSITIVE_INFINITY, apply: (args) => sum(spread(args)) },
  $avg: { least: 0, most: Number.POSITIVE_INFINITY, apply: (args) => average(spread(args)) },
  $min: { least: 0, most: Number.POSITIVE_INFINITY, apply: (args) => extreme(spread(args), -1) },
  $max: { least: 0, most: Number.POSITIVE_INFINITY, apply: (args) => extreme(spread(args), 1) },
};

/** The expression operators by name. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map(Object.entries(TABLE));

/** What MongoDB takes for true: everything but false, null, zero and missing. */
export function isTrue(value: Maybe): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumeric(value) || toNumber(value) !== 0;
}

/** Compares as expressions do: a missing value comes before every other. */
function compareMaybe(a: Maybe, b: Maybe): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareValues(a, b);
}

/** The sum of the numbers among some values. */
export function sum(values: Maybe[]): Numeric {
  return values.filter(isNumeric).reduce<Numeric>(add, 0);
}

/** The mean of the numbers among some values; null when there is none. */
export function average(values: Maybe[]): Value {
  const numbers = values.filter(isNumeric);
  return numbers.length === 0 ? null : divide(sum(numbers), numbers.length);
}

/** The least (-1) or greatest (1) of some values, leaving out null and missing. */
export function extreme(values: Maybe[], direction: number): Value {
  const present = values.filter((value) => value !== undefined && value !== null);
  return present.reduce<Value>(
    (best, value) => (best === null || compareValues(value, best) * direction > 0 ? value : best),
    null,
  );
}

/** The first values, or from a negative number on the last; with a length, as many from that place on. */
export function slice(values: Value[], first: number, length?: number): Value[] {
  if (length === undefined) return first < 0 ? values.slice(first) : values.slice(0, first);
  const start = first < 0 ? Math.max(0, values.length + first) : first;
  return values.slice(start, start + length);
}

/** The values without repetition. */
export function distinct(values: Value[]): Value[] {
  const sorted = values.toSorted(compareValues);
  return sorted.filter((value, place) => place === 0 || !equalValues(value, sorted[place - 1] ?? null));
}

function one(apply: (a: Value) => Maybe): Operator {
  return { least: 1, most: 1, apply: ([a]) => (a === undefined || a === null ? null : apply(a)) };
}

function two(apply: Binary): Operator {
  return {
    least: 2,
    most: 2,
    apply: ([a, b]) => (a === undefined || a === null || b === undefined || b === null ? null : apply(a, b)),
  };
}

function many(apply: (args: Value[]) => Maybe): Operator {
  return {
    least: 0,
    most: Number.POSITIVE_INFINITY,
    apply: (args) =>
      args.some((value) => value === undefined || value === null)
        ? null
        : apply(args.filter((value) => value !== undefined)),
  };
}

function compare(test: (order: number) => boolean): Operator {
  return { least: 2, most: 2, apply: ([a, b]) => test(compareMaybe(a, b)) };
}

function text(apply: (a: string) => string): Operator {
  return { least: 1, most: 1, apply: ([a]) => apply(stringOf(a)) };
}

function date(apply: (date: Date) => number): Operator {
  return one((a) => {
    if (isDoc(a)) throw unsupported('A time zone in a date expression');
    return apply(toDate(a));
  });
}

function places(name: string, round: (value: number) => number): Operator {
  return {
    least: 1,
    most: 2,
    apply: ([a, digits = 0]) => {
      if (a === undefined || a === null) return null;
      if (toNumber(number(name, digits)) !== 0) throw unsupported(`Rounding to decimal places with ${name}`);
      return whole(name, a, round);
    },
  };
}

function plus(a: Value, b: Value): Value {
  if (a instanceof Date) return new Date(a.getTime() + toNumber(number('$add', b)));
  if (b instanceof Date) return new Date(b.getTime() + toNumber(number('$add', a)));
  return add(number('$add', a), number('$add', b));
}

function minus(a: Value, b: Value): Value {
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date) return new Date(a.getTime() - toNumber(number('$subtract', b)));
  return subtract(number('$subtract', a), number('$subtract', b));
}

function whole(name: string, value: Value, round: (value: number) => number): Value {
  const operand = number(name, value);
  if (operand instanceof Decimal128) throw unsupported(`${name} of a decimal`);
  return ['int', 'long'].includes(typeOf(operand)) ? operand : double(round(toNumber(operand)));
}

function halfToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

function math(name: string, value: Value, apply: (value: number) => number): Value {
  const operand = number(name, value);
  if (operand instanceof Decimal128) throw unsupported(`${name} of a decimal`);
  return double(apply(toNumber(operand)));
}

function number(name: string, value: Maybe): Numeric {
  if (!isNumeric(value))
    throw new MongoError(
      'TypeMismatch',
      `${name} only supports numeric types, not ${value === undefined ? 'missing' : typeOf(value)}`,
    );
  return value;
}

function count(value: Maybe): number {
  const length = toNumber(number('$substrCP', value));
  if (!Number.isInteger(length) || length < 0)
    throw new MongoError('BadValue', '$substrCP needs non-negative whole numbers');
  return length;
}

function string(name: string, value: Maybe): string {
  if (typeof value !== 'string')
    throw new MongoError(
      'BadValue',
      `${name} only supports strings, not ${value === undefined ? 'missing' : typeOf(value)}`,
    );
  return value;
}

function stringOf(value: Maybe): string {
  return value === undefined || value === null ? '' : toText(value);
}

function array(name: string, value: Maybe): Value[] {
  if (!Array.isArray(value))
    throw new MongoError(
      'BadValue',
      `The argument to ${name} must be an array, but was of type: ${value === undefined ? 'missing' : typeOf(value)}`,
    );
  return value;
}

function document(name: string, value: Maybe): Doc {
  if (!isDoc(value)) throw new MongoError('BadValue', `${name} requires a document`);
  return value;
}

function contains(values: Value[], value: Value): boolean {
  return values.some((element) => equalValues(element, value));
}

function range(from: Maybe, to: Maybe, by: Value): Value[] {
  const [start, end, stepSize] = [from, to, by].map((value) => toNumber(number('$range', value))) as [
    number,
    number,
    number,
  ];
  if (stepSize === 0) throw new MongoError('BadValue', '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((end - start) / stepSize));
  return Array.from({ length }, (_, place) => start + place * stepSize);
}

function mergeObjects(args: Maybe[]): Value {
  const documents = (args.length === 1 && Array.isArray(args[0]) ? args[0] : args).filter(
    (part) => part !== undefined && part !== null,
  );
  return new Map(documents.flatMap((part) => [...document('$mergeObjects', part)]));
}

function pairOf(element: Value): [string, Value] {
  const [key, value] = Array.isArray(element)
    ? element
    : [document('$arrayToObject', element).get('k'), document('$arrayToObject', element).get('v')];
  return [string('$arrayToObject', key), value ?? null];
}

function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (isNumeric(value) || typeof value === 'boolean' || value instanceof ObjectId)
    return value instanceof Double ? String(value.value) : String(value);
  throw failed('$toString');
}

function toDate(value: Value): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (isNumeric(value)) return new Date(toNumber(value));
  const parsed = new Date(string('$toDate', value));
  if (Number.isNaN(parsed.getTime())) throw failed('$toDate');
  return parsed;
}

function convert(name: string, value: Value, apply: (value: Numeric) => Maybe): Maybe {
  if (typeof value === 'boolean') return apply(value ? 1 : 0);
  if (value instanceof Date) return apply(Long.fromNumber(value.getTime()));
  if (isNumeric(value)) return apply(value);
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) throw failed(name);
  return apply(
    name === '$toDecimal'
      ? Decimal128.fromString(value)
      : /^-?\d+$/.test(value)
        ? (integer(BigInt(value)) ?? Number(value))
        : Number(value),
  );
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

function spread(args: Maybe[]): Maybe[] {
  return args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
}

function fail(name: string): never {
  throw failed(name);
}
