import { maxHeaderSize, METHODS, type RequestListener } from 'node:http';
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';

import { PacedHttp2Response } from './paced-response.ts';
import { holdContinue } from '../requests/expect-continue.ts';
import type { RequestTimeouts } from '../requests/request-timeouts.ts';
import type { Connections } from './connections.ts';

/** Maximum number of requests that are answered on a connection at the same time (RFC 9113, section 6.5.2). */
const MAX_STREAMS = 100;

/** A method that no path has and every router knows, which replaces those that the parser of HTTP/1.1 rejects. */
const NO_METHOD = 'SOURCE';

const overlong = new WeakSet<object>();

/** Returns true if the headers of a request by HTTP/2 are larger than those by HTTP/1.1 may be, which Node.js rejects itself. */
export function hasLargeHeaders(request: object): boolean {
  return overlong.has(request);
}

/**
 * Makes the server of connections that speak HTTP/2, to which they are given by its event `connection`. Requests and answers
 * have the interface of HTTP/1.1, so that the handler need not distinguish them; `Connection` must not be in an answer.
 */
export function createHttp2Server(
  handler: RequestListener,
  timeouts: RequestTimeouts,
  connections: Connections,
): Http2Server {
  const server = createServer({
    settings: { maxConcurrentStreams: MAX_STREAMS, enablePush: false },
    Http2ServerResponse: PacedHttp2Response,
  });
  server.on('session', (session) => connections.speaksHttp2(session));
  server.on('request', (received, answered) => {
    const [request, response] = asHttp1(received, answered);
    const { stream } = received;
    stream.once('close', () => {
      // On HTTP/1.1, Node.js reports it as an error to listeners.
      if (received.aborted && received.listenerCount('error') > 0) received.emit('error', new AbortedError());
    });
    if (!METHODS.includes(received.method)) Object.defineProperty(received, 'method', { value: NO_METHOD });
    handler(request, response);
    timeouts.watch({ request, response, sink: stream, end: () => stream.close(constants.NGHTTP2_NO_ERROR) });
    connections.exchangeHttp2(stream);
  });
  server.on('checkContinue', (request, response) => {
    holdContinue(request);
    server.emit('request', request, response);
  });
  // It has no path, and is answered like any request without one.
  server.on('connect', (request, response) => server.emit('request', request, response));
  return server;
}

/** A request that its client ended before it was answered. */
class AbortedError extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('aborted');
  }
}

/**
 * Gives a request and its answer the interface of HTTP/1.1, where that of Node.js differs: `Host` for the authority, no
 * pseudo-headers among the others (RFC 9113, section 8.3.1), and members for the received and sent bytes.
 */
function asHttp1(request: Http2ServerRequest, response: Http2ServerResponse): Parameters<RequestListener> {
  const { headers, rawHeaders, stream, socket } = request;
  const authority = headers[':authority'];
  const fields = pairsOf(rawHeaders).filter(
    // A Host equal to the authority adds nothing; a different one counts as the second of two.
    ([name, value]) => !name.startsWith(':') && !(name === 'host' && value === authority),
  );
  if (authority !== undefined) {
    headers.host = authority;
    fields.push(['host', authority]);
  }
  const raw = fields.flat();
  if (raw.reduce((size, part) => size + part.length, 0) > maxHeaderSize) overlong.add(request);
  rawHeaders.splice(0, rawHeaders.length, ...raw);
  // Node.js still reads the method and the path from them.
  for (const name of Object.keys(headers)) {
    if (name.startsWith(':')) Object.defineProperty(headers, name, { enumerable: false });
  }
  // A body without an announced length; HTTP/2 itself has no such header.
  if (!stream.endAfterHeaders && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
  // That of Node.js loses it at the end of the stream, before the log line is written.
  const { remoteAddress } = socket;
  const known = new Proxy(socket, {
    get: (target, name) => (name === 'remoteAddress' ? remoteAddress : Reflect.get(target, name)),
  });
  Object.defineProperty(request, 'socket', { value: known });
  // The received body is complete here, even if it was not read.
  Object.defineProperty(request, 'complete', {
    get: () => request.readableEnded || stream.destroyed || stream.state.remoteClose === 1,
  });
  Object.defineProperty(response, 'writableFinished', { get: () => stream.writableFinished });
  Object.defineProperty(response, 'destroyed', { get: () => stream.destroyed });
  return [request, response] as unknown as Parameters<RequestListener>;
}

function pairsOf(rawHeaders: readonly string[]): (readonly [name: string, value: string])[] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
}
