import { Long } from 'bson';
import { MongoError } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { isDoc, typeOf } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';

/** Reads the fields of a command, refusing values of the wrong type as MongoDB does. */
export class Arguments {
  readonly doc: Doc;

  constructor(doc: Doc) {
    this.doc = doc;
  }

  /** Whether a field is there at all. */
  has(name: string): boolean {
    return this.doc.has(name);
  }

  /** A field as it is. */
  value(name: string): OptionalValue {
    return this.doc.get(name);
  }

  /** A string that must be there. */
  string(name: string): string {
    const value = this.doc.get(name);
    if (typeof value !== 'string') throw this.#wrong(name, 'string');
    return value;
  }

  /** A document; undefined when it is not there or null. */
  optionalDoc(name: string): Doc | undefined {
    const value = this.doc.get(name);
    if (value === undefined || value === null) return undefined;
    if (!isDoc(value)) throw this.#wrong(name, 'object');
    return value;
  }

  /** A document, empty when it is not there. */
  docOrEmpty(name: string): Doc {
    return this.optionalDoc(name) ?? new Map();
  }

  /** An array that must be there. */
  array(name: string): Value[] {
    const value = this.doc.get(name);
    if (!Array.isArray(value)) throw this.#wrong(name, 'array');
    return value;
  }

  /** An array of documents that must be there. */
  docs(name: string): Doc[] {
    return this.array(name).map((value) => {
      if (!isDoc(value)) throw this.#wrong(name, 'object');
      return value;
    });
  }

  /** A whole number, not negative; undefined when it is not there. */
  count(name: string): number | undefined {
    const value = this.doc.get(name);
    if (value === undefined || value === null) return undefined;
    if (!isNumeric(value)) throw this.#wrong(name, 'number');
    const number = toNumber(value);
    if (number < 0)
      throw new MongoError('Location51024', `BSON field '${name}' value must be >= 0, actual value '${number}'`);
    return Math.trunc(number);
  }

  /** A flag, false when it is not there. */
  flag(name: string): boolean {
    const value = this.doc.get(name);
    if (value === undefined || value === null) return false;
    if (typeof value === 'boolean') return value;
    if (isNumeric(value)) return toNumber(value) !== 0;
    throw this.#wrong(name, 'bool');
  }

  /** A 64-bit number that must be there, such as the id of a cursor. */
  long(name: string): bigint {
    const value = this.doc.get(name);
    if (value instanceof Long) return value.toBigInt();
    if (!isNumeric(value)) throw this.#wrong(name, 'long');
    return BigInt(toNumber(value));
  }

  #wrong(name: string, wanted: string): MongoError {
    const value = this.doc.get(name);
    if (value === undefined)
      return new MongoError('Location40414', `BSON field '${name}' is missing but a required field`);
    return new MongoError(
      'TypeMismatch',
      `BSON field '${name}' is the wrong type '${typeOf(value)}', expected type '${wanted}'`,
    );
  }
}
