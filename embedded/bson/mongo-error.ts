import { isDoc, type Doc, type OptionalValue, type Value } from './value.ts';

/** MongoDB's numbers for the errors that have names there; `Location16006` is what it calls the error 16006. */
const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  ProtocolError: 17,
  InvalidLength: 21,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  FileNotOpen: 38,
  FileStreamFailed: 39,
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
  ConflictingOperationInProgress: 117,
  CappedPositionLost: 136,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  InvalidIndexSpecificationOption: 197,
  TransactionTooOld: 225,
  CursorKilled: 237,
  ConversionFailure: 241,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  DataCorruptionDetected: 366,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
} as const;

/** The name of an error code. */
export type ErrorName = keyof typeof ERROR_CODES | `Location${number}`;

/** An error for the client, sent with MongoDB's own code and name. */
export class MongoError extends Error {
  readonly codeName: ErrorName;
  /** Further fields of the error document, such as keyPattern. */
  readonly details: ReadonlyMap<string, Value>;

  constructor(codeName: ErrorName, message: string, details: ReadonlyMap<string, Value> = new Map()) {
    super(message);
    this.codeName = codeName;
    this.details = details;
  }

  /** The error number. */
  get code(): number {
    const { codeName } = this;
    return codeName in ERROR_CODES
      ? ERROR_CODES[codeName as keyof typeof ERROR_CODES]
      : Number(codeName.slice('Location'.length));
  }
}

/** Throws a MongoError unless a condition holds. */
export function check(condition: unknown, codeName: ErrorName, message: string): asserts condition {
  if (!condition) throw new MongoError(codeName, message);
}

/** Throws a MongoError for a request of a wrong form unless a condition holds. */
export function checkForm(condition: unknown, message: string): asserts condition {
  check(condition, 'FailedToParse', message);
}

/** Returns the operand of a named operator or stage, which must be a document. */
export function docOf(name: string, operand: OptionalValue): Doc {
  check(isDoc(operand), 'BadValue', `${name} needs an object`);
  return operand;
}

/** An error for a feature that only MongoDB has; its message names the setting that selects MongoDB. */
export function unsupported(what: string, codeName: ErrorName = 'CommandNotSupported'): MongoError {
  return new MongoError(codeName, `${what} is not supported by the embedded database: set MONGODB_URI to use MongoDB`);
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
