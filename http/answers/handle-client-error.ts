import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyBaseLogger } from 'fastify';

import { afterAnswers } from '../tls/connections.ts';
import { isPlain } from '../tls/listener.ts';
import { REQUEST_ID_HEADER } from '../requests/request-id.ts';
import { LARGE_HEADERS, SERVER_METHODS } from '../tls/transport.ts';

/** Status and message for errors of Node's parser, by error code; any other error means that the input is not HTTP. */
const FAULTS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, LARGE_HEADERS],
  CONNECT: [405, 'This server makes no tunnels'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
};
const NO_HTTP = [400, 'The request is not HTTP/1.1'] as const;
const NO_HTTPS = [400, 'HTTPS is required'] as const;

/** Time for a client to read its answer and end a connection that has been ended on this side. */
const LINGER_MS = 5000;

/**
 * Makes the handler for input that cannot be parsed, and so never becomes a request: answers it in the form of every other
 * error, `{"errors":message}` with a request id, after the requests before it, and ends the connection. Further input
 * is discarded, since closing immediately could discard the answer (RFC 9112, section 9.6).
 */
export function handleClientError(log: FastifyBaseLogger): (error: Error & { code?: string }, socket: Socket) => void {
  const rejected = new WeakSet<Socket>();
  return (error, socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    if (rejected.has(socket)) return;
    rejected.add(socket);
    afterAnswers(socket, () => reject(error, socket));
  };

  function reject(error: Error & { code?: string }, socket: Socket): void {
    const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(linger));
    if (!socket.writable) return;
    const [status, message] = isPlain(socket) ? NO_HTTPS : (FAULTS[error.code ?? ''] ?? NO_HTTP);
    const requestId = randomUUID();
    const body = JSON.stringify({ errors: message });
    log.info({ requestId, status, client: socket.remoteAddress, reason: error.code }, 'request');
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `${REQUEST_ID_HEADER}: ${requestId}`,
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        ...(status === 405 ? [`Allow: ${SERVER_METHODS}`] : []),
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  }
}
