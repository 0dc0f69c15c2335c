import type {
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

/** A BSON document: a Map keeps every key and its order, whatever the key looks like. */
export type Doc = Map<string, Value>;

/**
 * A BSON value. A plain number is an int32 when it is a whole number in range and a double otherwise; a double that
 * happens to be such a whole number is a `Double`.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  | Date
  | Doc
  | Value[]
  | Double
  | Long
  | Decimal128
  | ObjectId
  | Binary
  | BSONRegExp
  | Timestamp
  | Code
  | BSONSymbol
  | MinKey
  | MaxKey;

/** A value that may be absent, as a field of a document may be. */
export type OptionalValue = Value | undefined;

/** The names MongoDB gives its types, with their numbers. */
export const TYPE_NUMBERS = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  javascript: 13,
  symbol: 14,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
} as const;

/** The name of a BSON type, as `$type` spells it. */
export type TypeName = keyof typeof TYPE_NUMBERS;

const TYPE_OF_CLASS = {
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  BSONRegExp: 'regex',
  Timestamp: 'timestamp',
  Code: 'javascript',
  BSONSymbol: 'symbol',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
} as const;

/** Says which BSON type a value has. */
export function typeOf(value: Value): TypeName {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return TYPE_OF_CLASS[value._bsontype];
}

/** Says whether a JavaScript number is stored as an int32. */
export function isInt32(value: number): boolean {
  return (value | 0) === value && !Object.is(value, -0);
}

/** Says whether a value is a document, for narrowing. */
export function isDoc(value: OptionalValue): value is Doc {
  return value instanceof Map;
}
