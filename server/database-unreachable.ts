/** Errors of the driver and of Mongoose that say that no server answers, by name, whichever copy threw them. */
const NETWORK_ERRORS = new Set([
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
/** Mongoose holds operations back until it is connected and gives up with an error that has no name of its own. */
const BUFFERED_IN_VAIN = /buffering timed out after|initial connection is complete/;
/** Seconds after which a client may try again: what the driver needs to select a server anew. */
export const RETRY_AFTER = '10';

/** Whether a fault, or the error that it wraps, means that the database cannot be reached: 503 rather than 500. */
export function isDatabaseUnreachable(fault: unknown): boolean {
  for (let error = fault, depth = 0; error instanceof Error && depth < 8; error = wrapped(error), depth += 1) {
    if (NETWORK_ERRORS.has(error.name) || (error.name === 'MongooseError' && BUFFERED_IN_VAIN.test(error.message))) {
      return true;
    }
  }
  return false;
}

function wrapped(error: Error): unknown {
  return 'originalError' in error && error.originalError !== undefined ? error.originalError : error.cause;
}
