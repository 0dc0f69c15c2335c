import type { Binary, Decimal128, Long, Timestamp } from 'bson';
import { DECIMALS, decimalOfDouble, digitsOf, parseDecimal, roundDecimal, type Decimal } from './decimal.ts';
import { TYPES, typeOf, type Doc, type Value } from './value.ts';

/** The key of null, and of a missing field. */
export const NULL_KEY = Buffer.from([TYPES.null.rank]);

/** The key of an empty array in an index: before null. */
export const EMPTY_ARRAY_KEY = Buffer.from([0x02]);

/** The order-preserving key of a value: values compare in MongoDB as their keys do byte by byte, here and in SQLite. */
export function keyOf(value: Value): Buffer {
  if (typeof value === 'number') return numberKey(value);
  if (typeof value === 'string') return stringKey(value);
  if (value === null) return NULL_KEY;
  const parts: Buffer[] = [];
  append(value, parts);
  return Buffer.concat(parts);
}

/** The value of a key that tells it: of a string or null; undefined for others, of which several types share keys. */
export function valueOfKey(key: Buffer): string | null | undefined {
  if (key.equals(NULL_KEY)) return null;
  return key[0] === TYPES.string.rank ? key.toString('utf8', 1, key.length - 2).replaceAll(ZERO, '\0') : undefined;
}

/** Compares two values as MongoDB sorts them. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number' && !Number.isNaN(a - b)) return a - b;
  return Buffer.compare(keyOf(a), keyOf(b));
}

/** Returns true if MongoDB takes two values for equal. */
export function equalValues(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  return compareValues(a, b) === 0;
}

const EXACT = Buffer.from([0x80]);

function append(value: Value, parts: Buffer[]): void {
  const type = typeOf(value);
  parts.push(Buffer.from([TYPES[type].rank]));
  if (typeof value === 'number') parts.push(doubleKey(value), EXACT);
  else if (typeof value === 'string') parts.push(escaped(value));
  else if (typeof value === 'boolean') parts.push(Buffer.from([value ? 1 : 0]));
  else if (value instanceof Date) parts.push(int64Key(BigInt(value.getTime())));
  else if (Array.isArray(value)) {
    for (const element of value) append(element, parts);
    parts.push(END);
  } else if (value instanceof Map) {
    for (const [name, field] of value) {
      parts.push(Buffer.from([TYPES[typeOf(field)].rank]), Buffer.from(`${name}\0`));
      append(field, parts);
    }
    parts.push(END);
  } else if (value !== null) parts.push(...(CLASS_KEYS[value._bsontype] as (value: Value) => Buffer[])(value));
}

const END = Buffer.from([0]);

type ClassValue = Exclude<Value, null | boolean | number | string | Date | Value[] | Doc>;

/** The parts of the key of a value of each class of the BSON library, behind the rank of its type. */
const CLASS_KEYS: { readonly [T in ClassValue as T['_bsontype']]: (value: T) => Buffer[] } = {
  Double: (value) => [doubleKey(value.valueOf()), EXACT],
  Long: longKey,
  Decimal128: decimalKey,
  ObjectId: (value) => [Buffer.from(value.id)],
  Binary: (value) => [binaryKey(value)],
  BSONRegExp: (value) => [escaped(value.pattern), escaped(value.options)],
  Timestamp: (value) => [timestampKey(value)],
  Code: ({ code, scope }) => [escaped(code), ...(scope ? [keyOf(scope as unknown as Value)] : [])],
  BSONSymbol: (value) => [escaped(value.value)],
  MinKey: () => [],
  MaxKey: () => [],
};

/** The whole key of a string, in one piece: the most common kind of key. */
function stringKey(value: string): Buffer {
  const text = escapeZeros(value);
  const key = Buffer.allocUnsafe(Buffer.byteLength(text) + 1);
  key[0] = TYPES.string.rank;
  key.write(text, 1);
  return key;
}

/** The whole key of an int or a double, in one piece. */
function numberKey(value: number): Buffer {
  const key = Buffer.allocUnsafe(10);
  key[0] = TYPES.double.rank;
  writeDouble(key, value, 1);
  key[9] = 0x80;
  return key;
}

/** A zero byte within a string. */
const ZERO = '\0\u{10ffff}';

/** UTF-8 sorts as MongoDB compares; a zero byte is followed by a byte above 01, since 00 01 ends the string. */
function escapeZeros(value: string): string {
  return `${value.includes('\0') ? value.replaceAll('\0', ZERO) : value}\0\x01`;
}

function escaped(value: string): Buffer {
  return Buffer.from(escapeZeros(value));
}

function doubleKey(value: number): Buffer {
  return fixed(8, (key) => writeDouble(key, value, 0));
}

/** A key of a fixed size, in bytes. */
function fixed(size: number, write: (key: Buffer) => void): Buffer {
  const key = Buffer.allocUnsafe(size);
  write(key);
  return key;
}

/** A double's bits, arranged so that they sort like the numbers; NaN comes before every other number. */
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

function longKey(value: Long): Buffer[] {
  const exact = value.toBigInt();
  const nearest = Number(exact);
  return [doubleKey(nearest), remainderKey({ coefficient: exact - BigInt(nearest), exponent: 0 })];
}

function decimalKey(value: Decimal128): Buffer[] {
  const exact = parseDecimal(value);
  const parsed = Number(value.toString());
  if (!exact) return [doubleKey(parsed), EXACT];
  const nearest = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, parsed));
  return [doubleKey(nearest), remainderKey(DECIMALS.subtract(exact, roundDecimal(decimalOfDouble(nearest))))];
}

/** The key of the difference between a number and its nearest double, which gives numbers of all types their exact order. */
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
  return fixed(8, (key) => key.writeBigUInt64BE(BigInt.asUintN(64, value) ^ 0x8000000000000000n));
}

function timestampKey(value: Timestamp): Buffer {
  return fixed(8, (key) =>
    key.writeUInt32BE(value.getLowBitsUnsigned(), key.writeUInt32BE(value.getHighBitsUnsigned())),
  );
}

function binaryKey(value: Binary): Buffer {
  const head = fixed(5, (key) => key.writeUInt8(value.sub_type, key.writeUInt32BE(value.position)));
  return Buffer.concat([head, value.buffer.subarray(0, value.position)]);
}
