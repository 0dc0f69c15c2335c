import { Long } from 'bson';
import { MongoError, check } from '../bson/mongo-error.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { isDoc, typeOf, type Doc, type OptionalValue, type Value } from '../bson/value.ts';

/** Reads the fields of a command; throws for values of the wrong type as MongoDB does. */
export class Arguments {
  readonly doc: Doc;

  constructor(doc: Doc) {
    this.doc = doc;
  }

  /** A field of any type. */
  value(name: string): OptionalValue {
    return this.doc.get(name);
  }

  /** A required string. */
  string(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : this.#wrong(name, 'string');
  }

  /** A document; undefined when it is missing or null. */
  optionalDoc(name: string): Doc | undefined {
    const value = this.value(name) ?? undefined;
    return value === undefined || isDoc(value) ? value : this.#wrong(name, 'object');
  }

  /** A document, empty when it is missing. */
  docOrEmpty(name: string): Doc {
    return this.optionalDoc(name) ?? new Map();
  }

  /** A required array. */
  array(name: string): Value[] {
    const value = this.value(name);
    return Array.isArray(value) ? value : this.#wrong(name, 'array');
  }

  /** A required array of documents. */
  docs(name: string): Doc[] {
    return this.array(name).map((value) => (isDoc(value) ? value : this.#wrong(name, 'object')));
  }

  /** A whole number, not negative; undefined when it is missing. */
  count(name: string): number | undefined {
    const value = this.value(name) ?? undefined;
    if (value === undefined) return undefined;
    const number = isNumeric(value) ? toNumber(value) : this.#wrong(name, 'number');
    const message = `BSON field '${name}' value must be >= 0, actual value '${number}'`;
    check(number >= 0 || Number.isNaN(number), 'Location51024', message);
    return Math.trunc(number);
  }

  /** A flag, false when it is missing. */
  flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value === 'boolean') return value;
    return isNumeric(value) ? toNumber(value) !== 0 : this.#wrong(name, 'bool');
  }

  /** A required 64-bit number, such as the id of a cursor. */
  long(name: string): bigint {
    const value = this.value(name);
    if (value instanceof Long) return value.toBigInt();
    return isNumeric(value) ? BigInt(toNumber(value)) : this.#wrong(name, 'long');
  }

  #wrong(name: string, expected: string): never {
    const value = this.value(name);
    check(value !== undefined, 'Location40414', `BSON field '${name}' is missing but a required field`);
    const message = `BSON field '${name}' is the wrong type '${typeOf(value)}', expected type '${expected}'`;
    throw new MongoError('TypeMismatch', message);
  }
}
