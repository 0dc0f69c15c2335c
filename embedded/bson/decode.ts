import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { MongoError } from './mongo-error.ts';
import { isInt32 } from './value.ts';
import type { Doc, Value } from './value.ts';

const MAX_DEPTH = 200;
const MAX_NAME_LENGTH = 24;

/** Reads the BSON document that starts at an offset; throws when the bytes are not one. */
export function decode(bytes: Buffer, start = 0): Doc {
  const reader = new BsonReader(bytes, start);
  return reader.document(0);
}

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

  #array(depth: number): Value[] {
    const values: Value[] = [];
    this.#elements(depth, (_name, value) => values.push(value));
    return values;
  }

  #elements(depth: number, visit: (name: string, value: Value) => void): void {
    if (depth > MAX_DEPTH) throw new MongoError('FailedToParse', 'Document is nested too deeply');
    const start = this.#at;
    const end = start + this.#int32();
    if (end > this.#bytes.length || end < start + 5) throw malformed();
    while (this.#at < end - 1) {
      const type = this.#byte();
      const name = this.#cstring();
      visit(name, this.#value(type, depth));
    }
    if (this.#at !== end - 1 || this.#byte() !== 0) throw malformed();
  }

  #value(type: number, depth: number): Value {
    switch (type) {
      case 0x01: {
        const double = this.#bytes.readDoubleLE(this.#skip(8));
        return isInt32(double) ? new Double(double) : double;
      }
      case 0x02:
        return this.#string();
      case 0x03:
        return this.document(depth + 1);
      case 0x04:
        return this.#array(depth + 1);
      case 0x05:
        return this.#binary();
      case 0x06:
      case 0x0a:
        return null;
      case 0x07:
        return new ObjectId(this.#copy(12));
      case 0x08:
        return this.#byte() !== 0;
      case 0x09:
        return this.#date();
      case 0x0b:
        return new BSONRegExp(this.#cstring(), this.#cstring());
      case 0x0d:
        return new Code(this.#string());
      case 0x0e:
        return new BSONSymbol(this.#string());
      case 0x0f: {
        this.#int32();
        const code = this.#string();
        return new Code(code, this.document(depth + 1));
      }
      case 0x10:
        return this.#int32();
      case 0x11:
        return new Timestamp(this.#long());
      case 0x12:
        return this.#long();
      case 0x13:
        return new Decimal128(this.#copy(16));
      case 0x7f:
        return new MaxKey();
      case 0xff:
        return new MinKey();
      default:
        throw new MongoError('FailedToParse', `BSON type ${type} is not known`);
    }
  }

  #skip(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw malformed();
    return at;
  }

  #byte(): number {
    return this.#bytes.readUInt8(this.#skip(1));
  }

  #int32(): number {
    return this.#bytes.readInt32LE(this.#skip(4));
  }

  #long(): Long {
    return new Long(this.#int32(), this.#int32());
  }

  #copy(length: number): Uint8Array {
    if (length < 0) throw malformed();
    const at = this.#skip(length);
    return Uint8Array.prototype.slice.call(this.#bytes, at, at + length);
  }

  #cstring(): string {
    const bytes = this.#bytes;
    const start = this.#at;
    let end = start;
    let name = '';
    for (let byte = bytes[end]; byte !== 0; byte = bytes[++end]) {
      if (byte === undefined) throw malformed();
      // Names are short and of ASCII nearly always, which is read here at a fraction of the price of a decoder.
      if (byte < 0x80 && end - start < MAX_NAME_LENGTH) name += String.fromCharCode(byte);
      else return this.#decodedCstring(start);
    }
    this.#at = end + 1;
    return name;
  }

  #decodedCstring(start: number): string {
    const end = this.#bytes.indexOf(0, start);
    if (end < 0) throw malformed();
    this.#at = end + 1;
    return this.#bytes.toString('utf8', start, end);
  }

  #string(): string {
    const length = this.#int32();
    if (length < 1) throw malformed();
    const start = this.#skip(length);
    if (this.#bytes[this.#at - 1] !== 0) throw malformed();
    return this.#bytes.toString('utf8', start, this.#at - 1);
  }

  #binary(): Binary {
    const length = this.#int32();
    const subtype = this.#byte();
    if (subtype !== 2) return new Binary(this.#copy(length), subtype);
    this.#int32();
    return new Binary(this.#copy(length - 4), subtype);
  }

  #date(): Date {
    const date = new Date(this.#long().toNumber());
    if (Number.isNaN(date.getTime())) throw new MongoError('BadValue', 'Date is out of the range of JavaScript dates');
    return date;
  }
}

function malformed(): MongoError {
  return new MongoError('FailedToParse', 'Message is not valid BSON');
}
