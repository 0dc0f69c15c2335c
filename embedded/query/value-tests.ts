import { BSONRegExp, Binary, MaxKey, MinKey } from 'bson';
import { check, unsupported } from '../bson/mongo-error.ts';
import { NULL_KEY, keyOf } from '../bson/key.ts';
import { isNumeric, toBigInt, toNumber, truncated } from '../bson/numbers.ts';
import { TYPES, isDoc, mapOf, typeOf, type Doc, type OptionalValue, type TypeName, type Value } from '../bson/value.ts';
import type { FilterContext } from './filter-context.ts';
import type { LeafArrays } from './path.ts';
import { compileRegex } from './regex.ts';

/** Returns true if one value satisfies a condition; undefined is a missing field. */
export type ValueTest = (value: OptionalValue) => boolean;

/** The place of an operator in a filter: its path and the operators beside it, and what they refer to. */
export interface Field {
  readonly path: readonly string[];
  readonly siblings: Doc;
  readonly context: FilterContext;
  readonly leaf: LeafArrays;
}

/** Prepares the test of a value from the operand of an operator. */
type TestCompiler = (operand: Value, field: Field, name: string) => ValueTest;

/** Returns true if a value is a document of query operators, such as `{ $gt: 5 }`. */
export function isOperators(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const [first] = value.keys();
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first);
}

/** Tests for equality with the operand of `$eq`. */
export function equalTest(operand: Value, { context: { collator } }: Field): ValueTest {
  if (collator && typeof operand === 'string')
    return (value) => typeof value === 'string' && collator.compare(value, operand) === 0;
  if (collator && typeof operand === 'object' && (isDoc(operand) || Array.isArray(operand)))
    throw unsupported('A document or an array compared under a collation');
  if (operand === null) return (value) => value === undefined || value === null;
  if (typeof operand === 'string') return (value) => value === operand;
  const key = keyOf(operand);
  return (value) => value !== undefined && keyOf(value).equals(key);
}

/** Tests for the range of `$gt`, `$gte`, `$lt` or `$lte`. */
function orderTest(operand: Value, { path, context }: Field, name: string): ValueTest {
  const message = `Can't have RegEx as arg to predicate over field '${path.join('.')}'.`;
  check(!(operand instanceof BSONRegExp), 'BadValue', message);
  if (context.collator && typeof operand !== 'number' && !(operand instanceof Date))
    throw unsupported('A range of this type under a collation');
  const key = keyOf(operand);
  const test = (order: number) =>
    name === '$gt' ? order > 0 : name === '$gte' ? order >= 0 : name === '$lt' ? order < 0 : order <= 0;
  if (operand === null) return (value) => (value === undefined || value === null) && name.endsWith('e');
  if (isNaNValue(operand)) return (value) => name.endsWith('e') && isNaNValue(value);
  const anyType = operand instanceof MinKey || operand instanceof MaxKey;
  return (value) => {
    if (value === undefined || isNaNValue(value)) return false;
    const other = keyOf(value);
    return (anyType || other[0] === key[0]) && test(Buffer.compare(other, key));
  };
}

/** Tests for the values and the patterns of `$in` or `$nin`. */
export function inTest(operand: Value, field: Field, name: string): ValueTest {
  check(Array.isArray(operand), 'BadValue', `${name} needs an array`);
  check(!operand.some(isOperators), 'BadValue', `cannot nest $ under ${name}`);
  const patterns = operand.filter((value) => value instanceof BSONRegExp).map(regexTest);
  if (field.context.collator) {
    const equal = operand.filter((value) => !(value instanceof BSONRegExp)).map((value) => equalTest(value, field));
    return (value) => [...equal, ...patterns].some((test) => test(value));
  }
  const keys = new Set(operand.map((value) => keyOf(value).toString('latin1')));
  const hasNull = keys.has(NULL_KEY.toString('latin1'));
  return (value) => {
    if (value === undefined) return hasNull;
    return keys.has(keyOf(value).toString('latin1')) || patterns.some((pattern) => pattern(value));
  };
}

/** Tests for strings that match a pattern, and for the pattern itself. */
export function regexTest(regex: BSONRegExp): ValueTest {
  const compiled = compileRegex(regex.pattern, regex.options);
  const key = keyOf(regex);
  return (value) => {
    if (typeof value === 'string') return compiled.test(value);
    if (value === undefined) return false;
    return typeOf(value) === 'symbol' ? compiled.test(String(value)) : keyOf(value).equals(key);
  };
}

/** The pattern of `$regex` with the options of `$options`. */
function regexOperand(operand: Value, options: OptionalValue): BSONRegExp {
  if (operand instanceof BSONRegExp)
    return typeof options === 'string' ? new BSONRegExp(operand.pattern, options) : operand;
  check(typeof operand === 'string', 'BadValue', '$regex has to be a string');
  check(options === undefined || typeof options === 'string', 'BadValue', '$options has to be a string');
  return new BSONRegExp(operand, [...(options ?? '')].sort().join(''));
}

/** Tests for the types of `$type`. */
function typeTest(operand: Value): ValueTest {
  const wanted = (Array.isArray(operand) ? operand : [operand]).map(typeNamed);
  return (value) => {
    if (value === undefined) return false;
    const type = typeOf(value);
    return wanted.some((name) => name === type || (name === 'number' && isNumeric(value)));
  };
}

function typeNamed(value: Value): TypeName | 'number' {
  if (value === 'number') return value;
  const wanted = isNumeric(value) ? toNumber(value) : value;
  const found = Object.entries(TYPES).find(([name, { number }]) => name === wanted || number === wanted);
  check(found, 'BadValue', `Unknown type name alias or code: ${String(wanted)}`);
  return found[0] as TypeName;
}

/** Tests for the remainder of `$mod`. */
function modTest(operand: Value): ValueTest {
  const isPair = Array.isArray(operand) && operand.length === 2;
  check(isPair, 'BadValue', 'malformed mod, needs to be an array of two numbers');
  const [divisor, rest] = operand.map((part) => (isNumeric(part) ? truncated(part) : undefined));
  const areNumbers = divisor !== undefined && rest !== undefined;
  check(areNumbers, 'BadValue', 'malformed mod, divisor and remainder must be numbers');
  check(divisor !== 0n, 'BadValue', 'divisor cannot be 0');
  return (value) => {
    const number = isNumeric(value) ? truncated(value) : undefined;
    return number !== undefined && number % divisor === rest;
  };
}

/** Tests for arrays of the length of `$size`. */
export function sizeTest(operand: Value): ValueTest {
  const size = isNumeric(operand) ? toBigInt(operand) : undefined;
  check(size !== undefined, 'BadValue', '$size must be a whole number');
  check(size >= 0n, 'BadValue', '$size may not be negative');
  return (value) => Array.isArray(value) && BigInt(value.length) === size;
}

/** Tests for numbers and binaries with the bits of `$bitsAllSet`, `$bitsAnyClear` and so on. */
function bitsTest(operand: Value, _field: Field, name: string): ValueTest {
  const mask = maskOf(operand);
  const all = name.startsWith('$bitsAll');
  const set = name.endsWith('Set');
  return (value) => {
    const bits = value instanceof Binary ? binaryBits(value) : isNumeric(value) ? toBigInt(value) : undefined;
    if (bits === undefined || (BigInt.asIntN(64, bits) !== bits && !(value instanceof Binary))) return false;
    const hits = (set ? bits : ~bits) & mask;
    return all ? hits === mask : hits !== 0n;
  };
}

function maskOf(operand: Value): bigint {
  if (operand instanceof Binary) return binaryBits(operand);
  if (Array.isArray(operand) && operand.every((bit) => typeof bit === 'number' && Number.isInteger(bit) && bit >= 0)) {
    return operand.reduce<bigint>((mask, bit) => mask | (1n << BigInt(Number(bit))), 0n);
  }
  const mask = isNumeric(operand) ? toBigInt(operand) : undefined;
  const isMask = mask !== undefined && mask >= 0n;
  check(isMask, 'BadValue', 'Bit positions must be a non-negative number, an array of them or BinData');
  return mask;
}

function binaryBits(value: Binary): bigint {
  return [...value.buffer.subarray(0, value.position)].reduce(
    (bits, byte, place) => bits | (BigInt(byte) << BigInt(8 * place)),
    0n,
  );
}

function isNaNValue(value: OptionalValue): boolean {
  return isNumeric(value) && Number.isNaN(toNumber(value));
}

/** The operators that test each value at a path, by name. */
export const TESTS = mapOf<TestCompiler>({
  $eq: equalTest,
  $gt: orderTest,
  $gte: orderTest,
  $lt: orderTest,
  $lte: orderTest,
  $in: inTest,
  $type: typeTest,
  $regex: (operand, { siblings }) => regexTest(regexOperand(operand, siblings.get('$options'))),
  $mod: modTest,
  $bitsAllSet: bitsTest,
  $bitsAllClear: bitsTest,
  $bitsAnySet: bitsTest,
  $bitsAnyClear: bitsTest,
});
