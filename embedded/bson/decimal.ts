import { Decimal128 } from 'bson';

/** A finite decimal: coefficient × 10^exponent. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const MAX_DIGITS = 34;
const MAX_EXPONENT = 6111;
const MIN_EXPONENT = -6176;

/** Reads a Decimal128 as an exact decimal; undefined for NaN and the infinities. */
export function parseDecimal(value: Decimal128): Decimal | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(value.toString());
  if (!parts) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  return { coefficient: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

/** The exact decimal value of a finite double. */
export function decimalOfDouble(value: number): Decimal {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const mantissa = value < 0 ? -magnitude : magnitude;
  const power = (biased || 1) - 1075;
  if (power >= 0) return { coefficient: mantissa << BigInt(power), exponent: 0 };
  return { coefficient: mantissa * 5n ** BigInt(-power), exponent: power };
}

/** The calculations with decimals: exact, except for quotients. A remainder has the sign of the first decimal. */
export const DECIMALS = {
  add: aligned((a, b) => a + b),
  subtract: aligned((a, b) => a - b),
  multiply: (a: Decimal, b: Decimal): Decimal => {
    return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
  },
  divide,
  remainder: aligned((a, b) => a % b),
};

/** Makes a calculation on decimals from that on their coefficients of one exponent. */
function aligned(calculate: (a: bigint, b: bigint) => bigint): (a: Decimal, b: Decimal) => Decimal {
  return (a, b) => {
    const exponent = Math.min(a.exponent, b.exponent);
    return { coefficient: calculate(scaled(a, exponent), scaled(b, exponent)), exponent };
  };
}

/** The quotient of two decimals to more digits than a Decimal128 keeps. */
function divide(a: Decimal, b: Decimal): Decimal {
  const extra = MAX_DIGITS + 2 + digitsOf(b.coefficient).length;
  const scale = 10n ** BigInt(extra);
  const quotient = (a.coefficient * scale) / b.coefficient;
  const inexact = quotient * b.coefficient !== a.coefficient * scale;
  const exponent = a.exponent - b.exponent - extra;
  if (inexact) return { coefficient: quotient * 10n + (quotient < 0n ? -1n : 1n), exponent: exponent - 1 };
  return stripZeros({ coefficient: quotient, exponent }, a.exponent - b.exponent);
}

/** Rounds to the 34 digits of a Decimal128, half to even. */
export function roundDecimal(value: Decimal, digits = MAX_DIGITS): Decimal {
  const excess = digitsOf(value.coefficient).length - digits;
  if (excess <= 0) return value;
  const divisor = 10n ** BigInt(excess);
  const negative = value.coefficient < 0n;
  const magnitude = negative ? -value.coefficient : value.coefficient;
  let quotient = magnitude / divisor;
  const twice = (magnitude % divisor) * 2n;
  if (twice > divisor || (twice === divisor && quotient % 2n === 1n)) quotient += 1n;
  return roundDecimal({ coefficient: negative ? -quotient : quotient, exponent: value.exponent + excess }, digits);
}

/** A decimal as a Decimal128, rounded; too large a value is an infinity. */
export function toDecimal128(value: Decimal): Decimal128 {
  const { coefficient, exponent } = roundDecimal(value);
  const leading = exponent + digitsOf(coefficient).length;
  if (leading > MAX_EXPONENT + MAX_DIGITS) return Decimal128.fromString(coefficient < 0n ? '-Infinity' : 'Infinity');
  const zeroExponent = Math.max(MIN_EXPONENT, Math.min(MAX_EXPONENT, exponent));
  if (coefficient === 0n || leading < MIN_EXPONENT) return Decimal128.fromString(`0E${zeroExponent}`);
  return Decimal128.fromStringWithRounding(`${coefficient}E${exponent}`);
}

/** The digits of a coefficient without its sign. */
export function digitsOf(coefficient: bigint): string {
  return (coefficient < 0n ? -coefficient : coefficient).toString();
}

function stripZeros(value: Decimal, preferred: number): Decimal {
  let { coefficient, exponent } = value;
  while (exponent < preferred && coefficient % 10n === 0n && coefficient !== 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return { coefficient, exponent };
}

function scaled(value: Decimal, exponent: number): bigint {
  return value.coefficient * 10n ** BigInt(value.exponent - exponent);
}
