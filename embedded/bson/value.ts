import type * as bson from 'bson';

/** A BSON document: a Map keeps every key and its order, for any key. */
export type Doc = Map<string, Value>;

/** A BSON value. A plain number is an int32 if whole and in range, else a double; a whole double is a `Double`. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Date
  | Doc
  | Value[]
  | bson.Double
  | bson.Long
  | bson.Decimal128
  | bson.ObjectId
  | bson.Binary
  | bson.BSONRegExp
  | bson.Timestamp
  | bson.Code
  | bson.BSONSymbol
  | bson.MinKey
  | bson.MaxKey;

/** A value that may be absent, as a field of a document may be. */
export type OptionalValue = Value | undefined;

/** The BSON types by MongoDB's names: number, rank (values of one rank compare with each other), class in `bson`. */
export const TYPES = {
  double: { number: 1, rank: 0x0a, class: 'Double' },
  string: { number: 2, rank: 0x0f },
  object: { number: 3, rank: 0x14 },
  array: { number: 4, rank: 0x19 },
  binData: { number: 5, rank: 0x1e, class: 'Binary' },
  objectId: { number: 7, rank: 0x23, class: 'ObjectId' },
  bool: { number: 8, rank: 0x28 },
  date: { number: 9, rank: 0x2d },
  null: { number: 10, rank: 0x05 },
  regex: { number: 11, rank: 0x32, class: 'BSONRegExp' },
  javascript: { number: 13, rank: 0x3c, class: 'Code' },
  symbol: { number: 14, rank: 0x0f, class: 'BSONSymbol' },
  int: { number: 16, rank: 0x0a },
  timestamp: { number: 17, rank: 0x2f, class: 'Timestamp' },
  long: { number: 18, rank: 0x0a, class: 'Long' },
  decimal: { number: 19, rank: 0x0a, class: 'Decimal128' },
  minKey: { number: -1, rank: 0x01, class: 'MinKey' },
  maxKey: { number: 127, rank: 0x7f, class: 'MaxKey' },
} as const;

/** The name of a BSON type, as `$type` spells it. */
export type TypeName = keyof typeof TYPES;

const TYPE_OF_CLASS: ReadonlyMap<string, TypeName> = new Map(
  Object.entries(TYPES).map(([name, type]) => ['class' in type ? type.class : '', name as TypeName]),
);

/** Returns the name of the BSON type of a value. */
export function typeOf(value: Value): TypeName {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return TYPE_OF_CLASS.get(value._bsontype) ?? 'null';
}

/** Returns true if a JavaScript number is stored as an int32. */
export function isInt32(value: number): boolean {
  return (value | 0) === value && !Object.is(value, -0);
}

/** Returns true if a value is a document. */
export function isDoc(value: OptionalValue): value is Doc {
  return value instanceof Map;
}

/** A map of named values, in order: a document, or a table in which a name of a client finds nothing inherited. */
export function mapOf<Item>(items: Readonly<Record<string, Item>>): Map<string, Item> {
  return new Map(Object.entries(items));
}

/** Sets a field of a document, or deletes it if the value is missing. */
export function setOrDelete(doc: Doc, name: string, value: OptionalValue): void {
  if (value === undefined) doc.delete(name);
  else doc.set(name, value);
}
