import type { IncomingMessage } from 'node:http';

import type { FastifyReply } from 'fastify';

/** Codes of errors that a connection gives that was ended by the other side. */
const BROKEN_CONNECTION = new Set<unknown>([
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE'],
  ...['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
]);

/** Message of the log for it. */
export const CLIENT_GONE = 'client went away';

/** Status that stands in log and metrics for a request whose client went away before it was answered; nobody is sent it. */
const CLIENT_CLOSED_REQUEST = 499;

/** Tells whether an error is nothing but a client that went away before its request or its answer was complete. */
export function isClientGone(error: unknown, { socket }: IncomingMessage): boolean {
  return socket.destroyed && error instanceof Error && 'code' in error && BROKEN_CONNECTION.has(error.code);
}

/** The status of an answer for log and metrics: 499 where the client did not wait for any. */
export function recordedStatus({ raw, statusCode }: FastifyReply): number {
  return raw.headersSent ? statusCode : CLIENT_CLOSED_REQUEST;
}
