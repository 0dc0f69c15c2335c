import type { Binary, Decimal128, Long, Timestamp } from 'bson';
import { addDecimals, decimalOfDouble, digitsOf, negateDecimal, parseDecimal, roundDecimal } from './decimal.ts';
import type { Decimal } from './decimal.ts';
import { typeOf } from './value.ts';
import type { TypeName, Value } from './value.ts';

/** MongoDB's order of types; types of one rank compare with each other. `0x02` is an empty array's place in an index. */
export const RANKS: Readonly<Record<TypeName, number>> = {
  minKey: 0x01,
  null: 0x05,
  int: 0x0a,
  long: 0x0a,
  double: 0x0a,
  decimal: 0x0a,
  string: 0x0f,
  symbol: 0x0f,
  object: 0x14,
  array: 0x19,
  binData: 0x1e,
  objectId: 0x23,
  bool: 0x28,
  date: 0x2d,
  timestamp: 0x2f,
  regex: 0x32,
  javascript: 0x3c,
  maxKey: 0x7f,
};

/** The key of null, and of a missing field. */
export const NULL_KEY = Buffer.from([RANKS.null]);

/** Where an empty array sorts: before null. */
export const EMPTY_ARRAY_KEY = Buffer.from([0x02]);

/**
 * The order-preserving key of a value: two values compare in MongoDB as their keys compare byte by byte, and are equal
 * when their keys are. Everything that compares, here and in SQLite, compares keys.
 */
export function keyOf(value: Value): Buffer {
  if (typeof value === 'number') return numberKey(value);
  if (typeof value === 'string') return stringKey(value);
  if (value === null) return NULL_KEY;
  const parts: Buffer[] = [];
  append(value, parts);
  return Buffer.concat(parts);
}

/** Compares two values as MongoDB sorts them. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number' && !Number.isNaN(a - b)) return a - b;
  return Buffer.compare(keyOf(a), keyOf(b));
}

/** Says whether two values are equal to MongoDB. */
export function equalValues(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  return compareValues(a, b) === 0;
}

const EXACT = Buffer.from([0x80]);

function append(value: Value, parts: Buffer[]): void {
  const type = typeOf(value);
  parts.push(Buffer.from([RANKS[type]]));
  if (typeof value === 'number') parts.push(doubleKey(value), EXACT);
  else if (typeof value === 'string') parts.push(escaped(value));
  else if (typeof value === 'boolean') parts.push(Buffer.from([value ? 1 : 0]));
  else if (value instanceof Date) parts.push(int64Key(BigInt(value.getTime())));
  else if (Array.isArray(value)) {
    for (const element of value) append(element, parts);
    parts.push(END);
  } else if (value instanceof Map) {
    for (const [name, field] of value) {
      parts.push(Buffer.from([RANKS[typeOf(field)]]), Buffer.from(`${name}\0`));
      append(field, parts);
    }
    parts.push(END);
  } else if (value !== null) appendClass(value, parts);
}

const END = Buffer.from([0]);

function appendClass(
  value: Exclude<Value, null | boolean | number | string | Date | Value[] | Map<string, Value>>,
  parts: Buffer[],
): void {
  switch (value._bsontype) {
    case 'Double':
      parts.push(doubleKey(value.valueOf()), EXACT);
      break;
    case 'Long':
      appendLong(value, parts);
      break;
    case 'Decimal128':
      appendDecimal(value, parts);
      break;
    case 'ObjectId':
      parts.push(Buffer.from(value.id));
      break;
    case 'Binary':
      parts.push(binaryKey(value));
      break;
    case 'BSONRegExp':
      parts.push(escaped(value.pattern), escaped(value.options));
      break;
    case 'Timestamp':
      parts.push(timestampKey(value));
      break;
    case 'Code':
      parts.push(escaped(value.code));
      if (value.scope) append(value.scope as unknown as Value, parts);
      break;
    case 'BSONSymbol':
      parts.push(escaped(value.value));
      break;
    case 'MinKey':
    case 'MaxKey':
      break;
  }
}

/** The whole key of a string, in one piece: the most usual key there is. */
function stringKey(value: string): Buffer {
  const text = escapeZeros(value);
  const key = Buffer.allocUnsafe(Buffer.byteLength(text) + 1);
  key[0] = RANKS.string;
  key.write(text, 1);
  return key;
}

/** The whole key of an int or a double, in one piece. */
function numberKey(value: number): Buffer {
  const key = Buffer.allocUnsafe(10);
  key[0] = RANKS.double;
  writeDouble(key, value, 1);
  key[9] = 0x80;
  return key;
}

/** UTF-8 sorts as MongoDB compares; a zero byte is followed by a byte above 01, since 00 01 ends the string. */
function escapeZeros(value: string): string {
  return `${value.includes('\0') ? value.replaceAll('\0', '\0\u{10ffff}') : value}\0\x01`;
}

function escaped(value: string): Buffer {
  return Buffer.from(escapeZeros(value));
}

function doubleKey(value: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  writeDouble(key, value, 0);
  return key;
}

/** A double's bits, arranged so that they sort as the numbers do; NaN comes before every other number. */
function writeDouble(key: Buffer, value: number, at: number): void {
  if (Number.isNaN(value)) {
    key.fill(0, at, at + 8);
    return;
  }
  key.writeDoubleBE(value === 0 ? 0 : value, at);
  if (value < 0) {
    key.writeUInt32BE(~key.readUInt32BE(at) >>> 0, at);
    key.writeUInt32BE(~key.readUInt32BE(at + 4) >>> 0, at + 4);
  } else {
    key.writeUInt8(key.readUInt8(at) | 0x80, at);
  }
}

function appendLong(value: Long, parts: Buffer[]): void {
  const exact = value.toBigInt();
  const nearest = Number(exact);
  parts.push(doubleKey(nearest), remainderKey({ coefficient: exact - BigInt(nearest), exponent: 0 }));
}

function appendDecimal(value: Decimal128, parts: Buffer[]): void {
  const exact = parseDecimal(value);
  if (!exact) {
    parts.push(doubleKey(Number(value.toString())), EXACT);
    return;
  }
  const parsed = Number(value.toString());
  const nearest = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, parsed));
  const rounded = roundDecimal(decimalOfDouble(nearest));
  parts.push(doubleKey(nearest), remainderKey(addDecimals(exact, negateDecimal(rounded))));
}

/** What a number has beyond its nearest double, so that every number of any type has its exact place. */
function remainderKey(remainder: Decimal): Buffer {
  if (remainder.coefficient === 0n) return EXACT;
  const digits = digitsOf(remainder.coefficient);
  const body = Buffer.alloc(2);
  body.writeUInt16BE(0x4000 + digits.length + remainder.exponent);
  const magnitude = Buffer.concat([body, Buffer.from(digits.replace(/0+$/, '')), END]);
  if (remainder.coefficient > 0n) return Buffer.concat([Buffer.from([0x81]), magnitude]);
  return Buffer.concat([Buffer.from([0x7f]), magnitude.map((byte) => ~byte & 0xff)]);
}

function int64Key(value: bigint): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(BigInt.asUintN(64, value) ^ 0x8000000000000000n);
  return key;
}

function timestampKey(value: Timestamp): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(value.getHighBitsUnsigned(), 0);
  key.writeUInt32BE(value.getLowBitsUnsigned(), 4);
  return key;
}

function binaryKey(value: Binary): Buffer {
  const head = Buffer.allocUnsafe(5);
  head.writeUInt32BE(value.position, 0);
  head.writeUInt8(value.sub_type, 4);
  return Buffer.concat([head, value.buffer.subarray(0, value.position)]);
}
