import { compareValues } from '../../bson/key.ts';
import { Decimal128, Long } from 'bson';
import { check, unsupported } from '../../bson/mongo-error.ts';
import {
  add,
  divide,
  double,
  integer,
  isNumeric,
  multiply,
  remainder,
  subtract,
  toBigInt,
  toNumber,
  type Numeric,
} from '../../bson/numbers.ts';
import { typeOf, type OptionalValue, type Value } from '../../bson/value.ts';
import { any, many, number, one, spread, two, type Operator, type OperatorTable } from './operator.ts';

/** The operators that calculate. */
export const ARITHMETIC: OperatorTable = {
  $add: many((args) => args.reduce(plus, 0)),
  $subtract: two(minus),
  $multiply: many((args) => args.reduce((a, b) => multiply(number('$multiply', a), number('$multiply', b)), 1)),
  $divide: two((a, b) => divide(number('$divide', a), number('$divide', b))),
  $mod: two((a, b) => remainder(number('$mod', a), number('$mod', b))),
  $abs: one((a) => (toNumber(number('$abs', a)) < 0 ? subtract(0, number('$abs', a)) : a)),
  $ceil: one((a) => rounded('$ceil', a, Math.ceil)),
  $floor: one((a) => rounded('$floor', a, Math.floor)),
  $trunc: places('$trunc', Math.trunc),
  $round: places('$round', halfToEven),
  $sqrt: one((a) => calculated('$sqrt', a, Math.sqrt, (n) => n < 0)),
  $exp: one((a) => calculated('$exp', a, Math.exp)),
  $ln: one((a) => calculated('$ln', a, Math.log, (n) => n <= 0)),
  $log10: one((a) => calculated('$log10', a, Math.log10, (n) => n <= 0)),
  $pow: two((a, b) => power(notDecimal('$pow', a), notDecimal('$pow', b))),
  $sum: any((args) => sum(spread(args))),
  $avg: any((args) => average(spread(args))),
  $min: any((args) => extreme(spread(args), -1)),
  $max: any((args) => extreme(spread(args), 1)),
};

function plus(a: Value, b: Value): Value {
  if (a instanceof Date) return moved(a, toNumber(number('$add', b)));
  if (b instanceof Date) return moved(b, toNumber(number('$add', a)));
  return add(number('$add', a), number('$add', b));
}

function minus(a: Value, b: Value): Value {
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date) return moved(a, -toNumber(number('$subtract', b)));
  return subtract(number('$subtract', a), number('$subtract', b));
}

function moved(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + Math.round(milliseconds));
}

function places(name: string, round: (value: number) => number): Operator {
  const apply = ([a, digits = 0]: OptionalValue[]) => {
    if (a === undefined || a === null) return null;
    if (toNumber(number(name, digits)) !== 0) throw unsupported(`Rounding to decimal places with ${name}`);
    return rounded(name, a, round);
  };
  return { min: 1, max: 2, apply };
}

function rounded(name: string, value: Value, round: (value: number) => number): Value {
  const operand = notDecimal(name, value);
  return isWholeType(operand) ? operand : double(round(toNumber(operand)));
}

function halfToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

function calculated(name: string, value: Value, apply: (n: number) => number, isOutside = (_n: number) => false) {
  const operand = toNumber(notDecimal(name, value));
  check(!isOutside(operand), 'BadValue', `${name}'s argument is out of its range`);
  return double(apply(operand));
}

/** An argument that must be a number other than a decimal. */
function notDecimal(name: string, value: Value): Numeric {
  const operand = number(name, value);
  if (operand instanceof Decimal128) throw unsupported(`${name} of a decimal`);
  return operand;
}

/** A power of whole numbers is a whole number while that can be held. */
function power(base: Numeric, exponent: Numeric): Value {
  const times = toNumber(exponent);
  check(toNumber(base) !== 0 || times >= 0, 'BadValue', '$pow cannot take a base of 0 and a negative exponent');
  const exact = isWholeType(base) && isWholeType(exponent) && times >= 0 && times < 64 ? toBigInt(base) : undefined;
  const isLong = [base, exponent].some((operand) => typeOf(operand) === 'long');
  const result = exact === undefined ? undefined : integer(exact ** BigInt(times), isLong ? 'long' : 'int');
  return result ?? double(toNumber(base) ** times);
}

function isWholeType(value: Numeric): boolean {
  return ['int', 'long'].includes(typeOf(value));
}

/** The sum of the numbers among some values. */
export function sum(values: OptionalValue[]): Numeric {
  return values.filter(isNumeric).reduce<Numeric>(add, 0);
}

/** The mean of the numbers among some values; null when there is none. */
export function average(values: OptionalValue[]): Value {
  const numbers = values.filter(isNumeric);
  return numbers.length === 0 ? null : divide(sum(numbers), numbers.length);
}

/** The least (-1) or greatest (1) of some values, omitting null and missing. */
export function extreme(values: OptionalValue[], direction: number): Value {
  const present = values.filter((value) => value !== undefined && value !== null);
  return present.reduce<Value>(
    (best, value) => (best === null || compareValues(value, best) * direction > 0 ? value : best),
    null,
  );
}
