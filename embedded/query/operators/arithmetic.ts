import { Decimal128, Long } from 'bson';
import { MongoError, unsupported } from '../../bson/mongo-error.ts';
import { add, divide, double, integer, multiply, remainder, subtract, toBigInt, toNumber } from '../../bson/numbers.ts';
import type { Numeric } from '../../bson/numbers.ts';
import { typeOf } from '../../bson/value.ts';
import type { OptionalValue, Value } from '../../bson/value.ts';
import { average, extreme, sum } from './totals.ts';
import { any, many, number, one, two } from './operator.ts';
import type { Operator, OperatorTable } from './operator.ts';

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
  $pow: two((a, b) => power(number('$pow', a), number('$pow', b))),
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
  return { least: 1, most: 2, apply };
}

function rounded(name: string, value: Value, round: (value: number) => number): Value {
  const operand = number(name, value);
  if (operand instanceof Decimal128) throw unsupported(`${name} of a decimal`);
  return isWholeType(operand) ? operand : double(round(toNumber(operand)));
}

function halfToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

function calculated(
  name: string,
  value: Value,
  apply: (value: number) => number,
  isOutside: (value: number) => boolean = () => false,
): Value {
  const operand = number(name, value);
  if (operand instanceof Decimal128) throw unsupported(`${name} of a decimal`);
  if (isOutside(toNumber(operand))) throw new MongoError('BadValue', `${name}'s argument is out of its range`);
  return double(apply(toNumber(operand)));
}

/** A power of whole numbers is a whole number while that can be held. */
function power(base: Numeric, exponent: Numeric): Value {
  if (base instanceof Decimal128 || exponent instanceof Decimal128) throw unsupported('$pow of a decimal');
  const times = toNumber(exponent);
  if (toNumber(base) === 0 && times < 0)
    throw new MongoError('BadValue', '$pow cannot take a base of 0 and a negative exponent');
  const exact = isWholeType(base) && isWholeType(exponent) && times >= 0 && times < 64 ? toBigInt(base) : undefined;
  const isLong = [base, exponent].some((operand) => typeOf(operand) === 'long');
  const result = exact === undefined ? undefined : integer(exact ** BigInt(times), isLong ? 'long' : 'int');
  return result ?? double(toNumber(base) ** times);
}

function isWholeType(value: Numeric): boolean {
  return ['int', 'long'].includes(typeOf(value));
}

function spread(args: OptionalValue[]): OptionalValue[] {
  return args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
}
