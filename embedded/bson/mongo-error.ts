import type { Value } from './value.ts';

/** The MongoDB error codes this server answers with, by MongoDB's own names. */
const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  ProtocolError: 17,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  LockBusy: 46,
  NamespaceExists: 48,
  DollarPrefixedFieldName: 52,
  NotSingleValueField: 54,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CommandNotSupported: 115,
  CannotIndexParallelArrays: 171,
  OperationNotSupportedInTransaction: 263,
  InvalidIndexSpecificationOption: 197,
  OutOfDiskSpace: 14031,
  InvalidLength: 21,
  BSONObjectTooLarge: 10334,
  Location53: 53,
  DuplicateKey: 11000,
  Location16006: 16006,
  Location16410: 16410,
  Location17276: 17276,
  Location31249: 31249,
  Location31254: 31254,
  Location40234: 40234,
  Location40235: 40235,
  Location40323: 40323,
  Location13113: 13113,
  Location15958: 15958,
  Location15976: 15976,
  Location40228: 40228,
  Location40324: 40324,
  Location40414: 40414,
  Location40415: 40415,
  Location51024: 51024,
  Location51272: 51272,
  Location40353: 40353,
  Location40573: 40573,
  Location51091: 51091,
  ConversionFailure: 241,
} as const;

/** The name of an error code. */
export type ErrorName = keyof typeof ERROR_CODES;

/** A deliberate refusal, sent to the client with MongoDB's own code and name. */
export class MongoError extends Error {
  readonly codeName: ErrorName;
  /** Further fields of the error document, such as keyPattern. */
  readonly details: ReadonlyMap<string, Value>;

  constructor(codeName: ErrorName, message: string, details: ReadonlyMap<string, Value> = new Map()) {
    super(message);
    this.codeName = codeName;
    this.details = details;
  }

  /** The number clients switch on. */
  get code(): number {
    return ERROR_CODES[this.codeName];
  }
}

/** An error for what only a real MongoDB does, saying how to get one. */
export function unsupported(what: string, codeName: ErrorName = 'CommandNotSupported'): MongoError {
  return new MongoError(codeName, `${what} is not supported by the embedded database: set MONGODB_URI to use MongoDB`);
}
