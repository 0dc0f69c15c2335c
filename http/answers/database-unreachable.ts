/** Errors of the driver and of Mongoose for an unreachable server, by name, since several copies of their classes may exist. */
const NETWORK_ERRORS = new Set([
  'DatabaseStalledError',
  'DisconnectedError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
  'PoolClearedOnNetworkError',
]);
/**
 * MongoDB's codes of a server that cannot serve at present: unreachable (6, 7, 89, 9001), with a file that cannot be opened
 * (38) or read (39), is damaged (366) or held by another (46), shutting down (91, 11600), no primary (189, 10107, 11602,
 * 13435, 13436), without room on its disk (14031).
 */
const UNAVAILABLE_CODES = new Set<unknown>([
  ...[6, 7, 38, 39, 46, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436, 14031, 366],
]);
const SERVER_ERRORS = new Set(['MongoServerError', 'MongoBulkWriteError', 'MongoWriteConcernError']);
/** Mongoose holds operations back until it is connected and gives up with an unnamed error. */
const BUFFERED_IN_VAIN = /buffering timed out after|initial connection is complete/;
/** Seconds after which a client may try again: the time that the driver needs to select a server again. */
export const RETRY_AFTER = '10';

/** A database that has accepted commands and does not answer. */
export class DatabaseStalledError extends Error {
  override readonly name = 'DatabaseStalledError';

  constructor() {
    super('The database does not answer');
  }
}

/** Returns true if a fault, or its cause, means that the database cannot be reached or cannot write (full disk). */
export function isDatabaseUnreachable(fault: unknown): boolean {
  for (let error = fault, depth = 0; error instanceof Error && depth < 8; error = wrapped(error), depth += 1) {
    if (SERVER_ERRORS.has(error.name) && 'code' in error && UNAVAILABLE_CODES.has(error.code)) return true;
    if (NETWORK_ERRORS.has(error.name) || (error.name === 'MongooseError' && BUFFERED_IN_VAIN.test(error.message))) {
      return true;
    }
  }
  return false;
}

/** The error within another: `originalError` of GraphQL, `errorResponse` of a bulk write that the driver could not send. */
function wrapped(error: Error & { readonly originalError?: unknown; readonly errorResponse?: unknown }): unknown {
  return error.originalError ?? error.errorResponse ?? error.cause;
}
