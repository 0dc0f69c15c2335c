import { Decimal128, Double, Long } from 'bson';
import { check } from './mongo-error.ts';
import { DECIMALS, decimalOfDouble, parseDecimal, roundDecimal, toDecimal128, type Decimal } from './decimal.ts';
import { isInt32, typeOf, type OptionalValue, type Value } from './value.ts';

/** A BSON number of any of the four types. */
export type Numeric = number | Double | Long | Decimal128;

/** Returns true if a value is a number of any type. */
export function isNumeric(value: OptionalValue): value is Numeric {
  if (typeof value === 'number' || value instanceof Double || value instanceof Decimal128) return true;
  return value instanceof Long && typeOf(value) === 'long';
}

/** A number as a JavaScript number, rounded if it must be. */
export function toNumber(value: Numeric): number {
  if (typeof value === 'number') return value;
  return value instanceof Decimal128 ? Number(value.toString()) : Number(value.valueOf());
}

/** A double as it is stored: wrapped if a plain number would be an int32. */
export function double(value: number): number | Double {
  return isInt32(value) ? new Double(value) : value;
}

/** Returns true if MongoDB takes a value for true: everything but false, null, zero and missing. */
export function isTrue(value: OptionalValue): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumeric(value) || toNumber(value) !== 0;
}

/** A whole number in the smallest type that holds it. */
export function integer(value: bigint, atLeast: 'int' | 'long' = 'int'): number | Long | undefined {
  if (atLeast === 'int' && BigInt.asIntN(32, value) === value) return Number(value);
  return BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : undefined;
}

/** Adds two numbers: the wider type wins, an int that overflows becomes a long. */
export const add = arithmetic((a, b) => a + b, DECIMALS.add);

/** Subtracts the second number from the first. */
export const subtract = arithmetic((a, b) => a - b, DECIMALS.subtract);

/** Multiplies two numbers. */
export const multiply = arithmetic((a, b) => a * b, DECIMALS.multiply);

/** Divides; the result is a double unless one side is a decimal. */
export function divide(a: Numeric, b: Numeric): Numeric {
  check(toNumber(b) !== 0, 'BadValue', "can't $divide by zero");
  return a instanceof Decimal128 || b instanceof Decimal128 ? divided(a, b) : double(toNumber(a) / toNumber(b));
}

/** The remainder of a division, with the sign of the first number. */
export function remainder(a: Numeric, b: Numeric): Numeric {
  check(toNumber(b) !== 0, 'BadValue', "can't $mod by zero");
  return remaining(a, b);
}

const divided = arithmetic((a, b) => a / b, DECIMALS.divide);
const remaining = arithmetic((a, b) => a % b, DECIMALS.remainder);

/** A whole number as a bigint; undefined for a fraction, NaN or an infinity. */
export function toBigInt(value: Numeric): bigint | undefined {
  if (value instanceof Long) return value.toBigInt();
  if (!(value instanceof Decimal128)) {
    const number = toNumber(value);
    return Number.isInteger(number) ? BigInt(number) : undefined;
  }
  const decimal = parseDecimal(value);
  if (!decimal) return undefined;
  if (decimal.exponent >= 0) return decimal.coefficient * 10n ** BigInt(decimal.exponent);
  const divisor = 10n ** BigInt(-decimal.exponent);
  return decimal.coefficient % divisor === 0n ? decimal.coefficient / divisor : undefined;
}

/** A number without its fraction as a bigint; undefined for NaN and the infinities. */
export function truncated(value: Numeric): bigint | undefined {
  return toBigInt(value) ?? (Number.isFinite(toNumber(value)) ? BigInt(Math.trunc(toNumber(value))) : undefined);
}

/** A number as an exact decimal, as MongoDB reads a double there; undefined for NaN and the infinities. */
function toDecimal(value: Numeric): Decimal | undefined {
  if (value instanceof Decimal128) return parseDecimal(value);
  if (value instanceof Long) return { coefficient: value.toBigInt(), exponent: 0 };
  const number = toNumber(value);
  if (!Number.isFinite(number)) return undefined;
  if (isInt32(number)) return { coefficient: BigInt(number), exponent: 0 };
  return roundDecimal(decimalOfDouble(number), 15);
}

/** Makes a calculation on numbers of all types from that of doubles and that of decimals, which serves integers too. */
function arithmetic(
  numbers: (a: number, b: number) => number,
  decimals: (a: Decimal, b: Decimal) => Decimal,
): (a: Numeric, b: Numeric) => Numeric {
  return (a, b) => {
    const types = [typeOf(a as Value), typeOf(b as Value)];
    const isDecimal = types.includes('decimal');
    if (!isDecimal && types.includes('double')) return double(numbers(toNumber(a), toNumber(b)));
    const x = toDecimal(a);
    const y = toDecimal(b);
    if (!x || !y) return Decimal128.fromString(String(numbers(toNumber(a), toNumber(b))));
    const exact = decimals(x, y);
    if (isDecimal) return toDecimal128(exact);
    const { coefficient } = exact;
    return integer(coefficient, types.includes('long') ? 'long' : 'int') ?? double(Number(coefficient));
  };
}
