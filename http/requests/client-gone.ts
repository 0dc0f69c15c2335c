import type { IncomingMessage } from 'node:http';

import type { FastifyReply } from 'fastify';

/** Error codes of a connection that the client has ended. */
const BROKEN_CONNECTION = new Set<unknown>([
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE'],
  ...['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
]);

/** Message of the log for a client that did not wait for its answer. */
export const CLIENT_GONE = 'client went away';

/** Returns true if an error only means that the client closed the connection before its request or its answer was complete. */
export function isClientGone(error: unknown, { socket }: IncomingMessage): boolean {
  return socket.destroyed && error instanceof Error && 'code' in error && BROKEN_CONNECTION.has(error.code);
}

/** Returns true if the client has ended its connection, or its stream of HTTP/2, before its answer was complete. */
export function hasClientGone({ raw, request }: FastifyReply): boolean {
  return raw.destroyed || request.raw.socket.destroyed;
}
