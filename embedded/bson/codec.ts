import { BSONRegExp, BSONSymbol, Binary, Code, Decimal128, Long, MaxKey } from 'bson';
import { MinKey, ObjectId, Timestamp, serialize } from 'bson';
import { MongoError, check } from './mongo-error.ts';
import { double } from './numbers.ts';
import type { Doc, Value } from './value.ts';

const MAX_DEPTH = 200;
const MAX_NAME_LENGTH = 24;

/** Maximum size of a stored document, in bytes, as in MongoDB. */
export const MAX_BSON_SIZE = 16 * 1024 * 1024;

/** Writes a document as BSON. */
export function encode(doc: Doc): Buffer {
  const bytes = serialize(doc);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Writes a document that will be stored; throws if it is too large. */
export function encodeStored(doc: Doc): Buffer {
  const bytes = encode(doc);
  const { length } = bytes;
  const message = `BSONObj size: ${length} is invalid. Size must be between 0 and ${MAX_BSON_SIZE}`;
  check(length <= MAX_BSON_SIZE, 'BSONObjectTooLarge', message);
  return bytes;
}

/** Reads the BSON document that starts at an offset; throws when the bytes are not one. */
export function decode(bytes: Buffer, start = 0): Doc {
  return new BsonReader(bytes, start).document(0);
}

/** Reads the value of an element of each type of the BSON specification; an `undefined` of old drivers is null. */
const READERS: Readonly<Record<number, (reader: BsonReader, depth: number) => Value>> = {
  1: (reader) => double(reader.float64()),
  2: (reader) => reader.string(),
  3: (reader, depth) => reader.document(depth + 1),
  4: (reader, depth) => reader.array(depth + 1),
  5: (reader) => reader.binary(),
  6: () => null,
  7: (reader) => new ObjectId(reader.copy(12)),
  8: (reader) => reader.byte() !== 0,
  9: (reader) => reader.date(),
  10: () => null,
  11: (reader) => new BSONRegExp(reader.cstring(), reader.cstring()),
  13: (reader) => new Code(reader.string()),
  14: (reader) => new BSONSymbol(reader.string()),
  15: (reader, depth) => {
    reader.int32();
    return new Code(reader.string(), reader.document(depth + 1));
  },
  16: (reader) => reader.int32(),
  17: (reader) => new Timestamp(reader.long()),
  18: (reader) => reader.long(),
  19: (reader) => new Decimal128(reader.copy(16)),
  127: () => new MaxKey(),
  255: () => new MinKey(),
};

class BsonReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  document(depth: number): Doc {
    const doc: Doc = new Map();
    this.#elements(depth, (name, value) => doc.set(name, value));
    return doc;
  }

  array(depth: number): Value[] {
    const values: Value[] = [];
    this.#elements(depth, (_name, value) => values.push(value));
    return values;
  }

  #elements(depth: number, visit: (name: string, value: Value) => void): void {
    check(depth <= MAX_DEPTH, 'FailedToParse', 'Document is nested too deeply');
    const start = this.#at;
    const end = start + this.int32();
    checkForm(end <= this.#bytes.length && end >= start + 5);
    while (this.#at < end - 1) {
      const type = this.byte();
      const name = this.cstring();
      const read = READERS[type];
      if (!read) throw new MongoError('FailedToParse', `BSON type ${type} is not known`);
      visit(name, read(this, depth));
    }
    checkForm(this.#at === end - 1 && this.byte() === 0);
  }

  #skip(length: number): number {
    const at = this.#at;
    this.#at += length;
    checkForm(this.#at <= this.#bytes.length);
    return at;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#skip(1));
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.#skip(4));
  }

  long(): Long {
    return new Long(this.int32(), this.int32());
  }

  float64(): number {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }

  copy(length: number): Uint8Array {
    checkForm(length >= 0);
    const at = this.#skip(length);
    return Uint8Array.prototype.slice.call(this.#bytes, at, at + length);
  }

  cstring(): string {
    const bytes = this.#bytes;
    const start = this.#at;
    let end = start;
    let name = '';
    for (let byte = bytes[end]; byte !== 0; byte = bytes[++end]) {
      checkForm(byte !== undefined);
      // Names are nearly always short and ASCII: reading them here costs a fraction of a decoder.
      if (byte < 0x80 && end - start < MAX_NAME_LENGTH) name += String.fromCharCode(byte);
      else return this.#decodedCstring(start);
    }
    this.#at = end + 1;
    return name;
  }

  #decodedCstring(start: number): string {
    const end = this.#bytes.indexOf(0, start);
    checkForm(end >= 0);
    this.#at = end + 1;
    return this.#bytes.toString('utf8', start, end);
  }

  string(): string {
    const length = this.int32();
    checkForm(length >= 1);
    const start = this.#skip(length);
    checkForm(this.#bytes[this.#at - 1] === 0);
    return this.#bytes.toString('utf8', start, this.#at - 1);
  }

  binary(): Binary {
    const length = this.int32();
    const subtype = this.byte();
    if (subtype !== 2) return new Binary(this.copy(length), subtype);
    this.int32();
    return new Binary(this.copy(length - 4), subtype);
  }

  date(): Date {
    const date = new Date(this.long().toNumber());
    check(!Number.isNaN(date.getTime()), 'BadValue', 'Date is out of the range of JavaScript dates');
    return date;
  }
}

function checkForm(condition: boolean): asserts condition {
  check(condition, 'FailedToParse', 'Message is not valid BSON');
}
