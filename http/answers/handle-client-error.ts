import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { afterAnswers } from '../tls/connections.ts';
import { isPlain } from '../tls/listener.ts';
import { REQUEST_ID_HEADER } from '../requests/request-id.ts';
import { LARGE_HEADERS, SERVER_METHODS } from '../tls/transport.ts';

/** Start of a request (RFC 9112, section 3) with the path of its target, which may be in absolute form. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (?:https?:\/\/[^/?# ]*)?(\/[^?# ]*)?\S* HTTP\/1\.[01]\r?\n/i;

/** Reads the path of a request whose method the parser of Node.js does not know; null if it is no request. */
function pathOfUnknownMethod(error: Error): string | null {
  if (!('rawPacket' in error && Buffer.isBuffer(error.rawPacket) && 'bytesParsed' in error)) return null;
  const text = error.rawPacket.toString('latin1');
  const start = text.lastIndexOf('\n', Number(error.bytesParsed) - 1) + 1;
  const [line, path = '/'] = REQUEST_LINE.exec(text.slice(start)) ?? [];
  return line === undefined ? null : path;
}

/** Status and message for errors of Node's parser, by error code; any other error means that the input is not HTTP. */
const FAULTS: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: LARGE_HEADERS },
  CONNECT: { status: 405, message: 'This server does not open tunnels', allow: SERVER_METHODS },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
};
const NO_HTTP: Rejection = { status: 400, message: 'The request is not HTTP/1.1' };
const NO_HTTPS: Rejection = { status: 400, message: 'HTTPS is required' };

/** Code of a method that the parser does not know. */
const UNKNOWN_METHOD = 'HPE_INVALID_METHOD';

/** An answer to what cannot be parsed; without a message its body is empty. */
interface Rejection {
  readonly status: number;
  readonly message?: string;
  readonly allow?: string;
}

/** Time for a client to read its answer and end a connection that has been ended on this side. */
const LINGER_MS = 5000;

/** Returns the methods of a path, as `Allow` lists them; null if the path is unknown. */
export type FindAllowed = (path: string) => string | null;

/**
 * Makes the handler for input that cannot be parsed, and so never becomes a request: answers it in the form of every other
 * error, `{"errors":message}` with a request id, after the requests before it, and ends the connection. Further input
 * is discarded, since closing immediately could discard the answer (RFC 9112, section 9.6). A request with a method that the
 * parser does not know is answered by 405, or 404 on an unknown path.
 */
export function handleClientError(
  log: FastifyBaseLogger,
  findAllowed: FindAllowed,
): (error: Error & { code?: string }, socket: Socket) => void {
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
    const { status, message, allow } = isPlain(socket) ? NO_HTTPS : rejectionOf(error);
    const requestId = randomUUID();
    const body = message === undefined ? '' : JSON.stringify({ errors: message });
    log.info({ requestId, status, client: socket.remoteAddress, reason: error.code }, 'request');
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `${REQUEST_ID_HEADER}: ${requestId}`,
        ...(message === undefined ? [] : ['Content-Type: application/json; charset=utf-8']),
        'X-Content-Type-Options: nosniff',
        ...(allow === undefined ? [] : [`Allow: ${allow}`]),
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  }

  function rejectionOf(error: Error & { code?: string }): Rejection {
    const path = error.code === UNKNOWN_METHOD ? pathOfUnknownMethod(error) : null;
    if (path === null) return FAULTS[error.code ?? ''] ?? NO_HTTP;
    const allow = findAllowed(path);
    return allow === null ? { status: 404 } : { status: 405, allow };
  }
}
