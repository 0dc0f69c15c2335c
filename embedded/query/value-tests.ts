import { BSONRegExp, Binary, MaxKey, MinKey } from 'bson';
import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { NULL_KEY, keyOf } from '../bson/key.ts';
import { isNumeric, toBigInt, toNumber, truncated } from '../bson/numbers.ts';
import { TYPE_NUMBERS, isDoc, typeOf } from '../bson/value.ts';
import type { Doc, OptionalValue, TypeName, Value } from '../bson/value.ts';
import type { FilterContext } from './filter-context.ts';
import { compileRegex } from './regex.ts';

/** Says whether one value satisfies a condition; undefined is a missing field. */
export type ValueTest = (value: OptionalValue) => boolean;

/** Says whether a value is a document of query operators, such as `{ $gt: 5 }`. */
export function isOperators(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const [first] = value.keys();
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first);
}

/** Says whether a value equals the operand of `$eq`. */
export function equalTest(operand: Value, { collator }: FilterContext): ValueTest {
  if (collator && typeof operand === 'string')
    return (value) => typeof value === 'string' && collator.compare(value, operand) === 0;
  if (collator && typeof operand === 'object' && (isDoc(operand) || Array.isArray(operand)))
    throw unsupported('A document or an array compared under a collation');
  if (operand === null) return (value) => value === undefined || value === null;
  if (typeof operand === 'string') return (value) => value === operand;
  const key = keyOf(operand);
  return (value) => value !== undefined && keyOf(value).equals(key);
}

/** Says whether a value is in the range of `$gt`, `$gte`, `$lt` or `$lte`. */
export function orderTest(name: string, operand: Value, { collator }: FilterContext): ValueTest {
  if (collator && typeof operand !== 'number' && !(operand instanceof Date))
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

/** Says whether a value is among those of `$in`, or matches one of its patterns. */
export function inTest(name: string, operand: Value, context: FilterContext): ValueTest {
  if (!Array.isArray(operand)) throw new MongoError('BadValue', `${name} needs an array`);
  if (operand.some(isOperators)) throw new MongoError('BadValue', `cannot nest $ under ${name}`);
  const patterns = operand.filter((value) => value instanceof BSONRegExp).map(regexTest);
  if (context.collator) {
    const equal = operand.filter((value) => !(value instanceof BSONRegExp)).map((value) => equalTest(value, context));
    return (value) => [...equal, ...patterns].some((test) => test(value));
  }
  const keys = new Set(operand.map((value) => keyOf(value).toString('latin1')));
  const hasNull = keys.has(NULL_KEY.toString('latin1'));
  return (value) => {
    if (value === undefined) return hasNull;
    return keys.has(keyOf(value).toString('latin1')) || patterns.some((pattern) => pattern(value));
  };
}

/** Says whether a string matches a pattern; the pattern itself does too. */
export function regexTest(regex: BSONRegExp): ValueTest {
  const compiled = compileRegex(regex.pattern, regex.options);
  const key = keyOf(regex);
  return (value) => {
    if (typeof value === 'string') return compiled.test(value);
    if (value === undefined) return false;
    return typeOf(value) === 'symbol' ? compiled.test(String(value)) : keyOf(value).equals(key);
  };
}

/** The pattern of `$regex` with that of `$options`. */
export function regexOperand(operand: Value, options: OptionalValue): BSONRegExp {
  if (operand instanceof BSONRegExp)
    return typeof options === 'string' ? new BSONRegExp(operand.pattern, options) : operand;
  if (typeof operand !== 'string') throw new MongoError('BadValue', '$regex has to be a string');
  if (options !== undefined && typeof options !== 'string')
    throw new MongoError('BadValue', '$options has to be a string');
  return new BSONRegExp(operand, [...(options ?? '')].sort().join(''));
}

/** Says whether a value is of one of the types of `$type`. */
export function typeTest(operand: Value): ValueTest {
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
  const found = Object.entries(TYPE_NUMBERS).find(([name, number]) => name === wanted || number === wanted);
  if (!found) throw new MongoError('BadValue', `Unknown type name alias or code: ${String(wanted)}`);
  return found[0] as TypeName;
}

/** Says whether a number has the remainder of `$mod`. */
export function modTest(operand: Value): ValueTest {
  if (!Array.isArray(operand) || operand.length !== 2)
    throw new MongoError('BadValue', 'malformed mod, needs to be an array of two numbers');
  const [divisor, rest] = operand.map((part) => (isNumeric(part) ? truncated(part) : undefined));
  if (divisor === undefined || rest === undefined)
    throw new MongoError('BadValue', 'malformed mod, divisor and remainder must be numbers');
  if (divisor === 0n) throw new MongoError('BadValue', 'divisor cannot be 0');
  return (value) => {
    const number = isNumeric(value) ? truncated(value) : undefined;
    return number !== undefined && number % divisor === rest;
  };
}

/** Says whether an array has the length of `$size`. */
export function sizeTest(operand: Value): ValueTest {
  const size = isNumeric(operand) ? toBigInt(operand) : undefined;
  if (size === undefined) throw new MongoError('BadValue', '$size must be a whole number');
  if (size < 0n) throw new MongoError('BadValue', '$size may not be negative');
  return (value) => Array.isArray(value) && BigInt(value.length) === size;
}

/** Says whether a number or binary has the bits of `$bitsAllSet` and its like. */
export function bitsTest(name: string, operand: Value): ValueTest {
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
  if (mask === undefined || mask < 0n)
    throw new MongoError('BadValue', 'Bit positions must be a non-negative number, an array of them or BinData');
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
