import http from 'node:http';
import type { Socket } from 'node:net';
import tls from 'node:tls';

import { PacedResponse } from './paced-response.ts';
import { holdContinue } from '../requests/expect-continue.ts';
import type { RequestTimeouts } from '../requests/request-timeouts.ts';
import { Connections } from './connections.ts';
import { createHttp2Server } from './http2-server.ts';

/** First byte of a TLS record of type handshake (RFC 8446, section 5.1), with which a client speaks first. */
const TLS_HANDSHAKE = 0x16;

/** Cipher suites: authenticated encryption with forward secrecy, of TLS 1.3 and 1.2 (RFC 9325, section 4.2). */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ...['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

const plainSockets = new WeakSet<object>();

/** An HTTP server on a port that understands TLS and plain HTTP. */
export interface Listener {
  readonly server: http.Server;
  readonly connections: Connections;
  /** Uses another certificate for new connections; open ones continue. */
  renewCertificate(certificate: Certificate): void;
}

/** Certificate chain and private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A request for a tunnel, which is not a request to this server (RFC 9110, section 9.3.6). */
class ConnectError extends Error {
  readonly code = 'CONNECT';
}

/** Returns true if this connection was accepted without TLS. */
export function isPlain(socket: object): boolean {
  return plainSockets.has(socket);
}

/**
 * Makes a server that distinguishes TLS, with the PEM certificate, from plain HTTP by the first byte of a connection: a client
 * without TLS gets an answer, and a TLS proxy may use plain HTTP. The handler decides by {@link isPlain}. By TLS a client
 * may choose HTTP/2 (ALPN, RFC 7301). Timeouts end slow requests.
 */
export function createListener(
  certificate: Certificate,
  handler: http.RequestListener,
  timeouts: RequestTimeouts,
): Listener {
  const { headersMs, unusedMs, checkMs } = timeouts.limits;
  const server = http.createServer({
    requireHostHeader: false,
    keepAliveTimeout: unusedMs,
    headersTimeout: headersMs,
    // Bodies have separate limits, which depend on the caller.
    requestTimeout: 0,
    connectionsCheckingInterval: checkMs,
    ServerResponse: PacedResponse,
  });
  const serveHttp = server.listeners('connection');
  server.removeAllListeners('connection');
  const connections = new Connections(timeouts.now);
  // Node.js would also end connections whose last answer is not yet sent.
  server.closeIdleConnections = () => connections.endIdle();
  const serve = (socket: Socket): void => {
    connections.speaksHttp(socket);
    for (const listener of serveHttp) listener.call(server, socket);
  };
  const http2 = createHttp2Server(handler, timeouts, connections);
  const secure = tls.createServer({ ...secureContext(certificate), ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    if (socket.alpnProtocol === 'h2') http2.emit('connection', socket);
    else serve(socket);
  });
  secure.on('tlsClientError', (_error, socket) => socket.destroy());

  server.on('connection', (socket: Socket) => {
    connections.accept(socket, headersMs);
    sniff(socket, (isTls) => {
      if (isTls) return secure.emit('connection', socket);
      plainSockets.add(socket);
      return serve(socket);
    });
  });
  // Node.js would end the connection without an answer.
  server.on('connect', (_request, socket) => server.emit('clientError', new ConnectError(), socket));
  server.on('request', (request, response) => {
    connections.exchange(request, response, () => {
      handler(request, response);
      timeouts.watch({ request, response, sink: response, end: () => void request.socket.destroy() });
    });
  });
  server.on('checkContinue', (request, response) => {
    holdContinue(request);
    response.setHeader('Connection', 'close');
    server.emit('request', request, response);
  });
  let check: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    check = setInterval(() => {
      timeouts.check();
      connections.endUnused(timeouts.limits);
      connections.endStalled(timeouts.limits);
      connections.endGone(timeouts.limits);
    }, checkMs).unref();
  });
  server.on('close', () => clearInterval(check));
  return { server, connections, renewCertificate: (renewed) => secure.setSecureContext(secureContext(renewed)) };
}

function secureContext({ cert, key }: Certificate): tls.SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2', ciphers: CIPHERS };
}

/** Detects from the first byte, which stays readable, if a connection speaks TLS. */
function sniff(socket: Socket, found: (isTls: boolean) => void): void {
  const giveUp = (): void => {
    socket.destroy();
  };
  const look = (): void => {
    const first: Buffer | null = socket.read(1);
    if (first === null) return;
    socket.off('readable', look).off('end', giveUp).off('error', giveUp);
    socket.unshift(first);
    found(first[0] === TLS_HANDSHAKE);
  };
  socket.on('readable', look).on('end', giveUp).on('error', giveUp);
}
