import http from 'node:http';
import type { Socket } from 'node:net';
import tls from 'node:tls';

import { holdContinue } from '../requests/expect-continue.ts';
import type { RequestTimeouts } from '../requests/request-timeouts.ts';

/** First byte of a TLS record of type handshake (RFC 8446, section 5.1), with which a client speaks first. */
const TLS_HANDSHAKE = 0x16;

const plainSockets = new WeakSet<object>();
const latestExchanges = new WeakMap<object, Exchange>();

/** An HTTP/1.1 server on a port that understands TLS and plain HTTP. */
export interface Listener {
  readonly server: http.Server;
  readonly connections: Connections;
  /** Shows another certificate to connections that are made from now on; those that are open go on. */
  renewCertificate(certificate: Certificate): void;
}

/** Certificate chain and private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A request with its answer. */
interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

/** A request for a tunnel, which is no request to this server (RFC 9110, section 9.3.6). */
class ConnectError extends Error {
  readonly code = 'CONNECT';
}

/** Calls back as soon as the requests that have arrived as a whole on a connection are answered. */
export function afterAnswers(socket: object, callback: () => void): void {
  const { request, response } = latestExchanges.get(socket) ?? {};
  if (request?.complete && response && !response.closed) response.once('close', callback);
  else callback();
}

/** Tells whether this connection was accepted without TLS. */
export function isPlain(socket: object): boolean {
  return plainSockets.has(socket);
}

/**
 * Makes a server that tells TLS, for the PEM certificate, from plain HTTP by the first byte of a connection: a client
 * without TLS gets an answer, and a TLS proxy may use plain HTTP. The handler decides by {@link isPlain}. Timeouts
 * end what arrives too slowly.
 */
export function createListener(
  certificate: Certificate,
  handler: http.RequestListener,
  timeouts: RequestTimeouts,
): Listener {
  const { headersMs, checkMs } = timeouts.limits;
  const server = http.createServer(
    {
      requireHostHeader: false,
      keepAliveTimeout: 72_000,
      headersTimeout: headersMs,
      // Bodies have separate limits, by what the caller may send.
      requestTimeout: 0,
      connectionsCheckingInterval: checkMs,
    },
    handler,
  );
  const serveHttp = server.listeners('connection');
  server.removeAllListeners('connection');
  const connections = new Connections();
  const serve = (socket: Socket): void => {
    connections.speaksHttp(socket);
    for (const listener of serveHttp) listener.call(server, socket);
  };
  const secure = tls.createServer({ ...secureContext(certificate), ALPNProtocols: ['http/1.1'] }, serve);
  secure.on('tlsClientError', (_error, socket) => socket.destroy());

  server.on('connection', (socket: Socket) => {
    connections.accept(socket, headersMs);
    sniff(socket, (isTls) => {
      if (isTls) return secure.emit('connection', socket);
      plainSockets.add(socket);
      return serve(socket);
    });
  });
  // Node.js would end the connection without a word.
  server.on('connect', (_request, socket) => server.emit('clientError', new ConnectError(), socket));
  server.on('request', (request, response) => {
    timeouts.watch(request, response);
    connections.exchange(request, response);
  });
  server.on('checkContinue', (request, response) => {
    holdContinue(request, response);
    server.emit('request', request, response);
  });
  let check: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    check = setInterval(() => timeouts.check(), checkMs).unref();
  });
  server.on('close', () => clearInterval(check));
  return { server, connections, renewCertificate: (renewed) => secure.setSecureContext(secureContext(renewed)) };
}

function secureContext({ cert, key }: Certificate): tls.SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2' };
}

/** Open connections of a listener. */
class Connections {
  readonly #accepted = new Set<Socket>();
  /** Connections whose protocol is not known yet, or that are in a TLS handshake, by {@link peerOf}. */
  readonly #notYetHttp = new Map<string, Socket>();
  /** Number of requests that are being answered, by connection. */
  readonly #inFlight = new Map<Socket, number>();

  /** Adds a connection, which is ended unless it speaks HTTP within that many milliseconds. */
  accept(socket: Socket, headersMs: number): void {
    this.#accepted.add(socket);
    const peer = peerOf(socket);
    this.#notYetHttp.set(peer, socket);
    const handshake = setTimeout(() => {
      if (this.#notYetHttp.get(peer) === socket) socket.destroy();
    }, headersMs);
    socket.once('close', () => {
      clearTimeout(handshake);
      this.#accepted.delete(socket);
      this.#notYetHttp.delete(peer);
    });
  }

  /** Notes that a connection speaks HTTP from here on; the socket is that of TLS where there is one. */
  speaksHttp(socket: Socket): void {
    this.#notYetHttp.delete(peerOf(socket));
    this.#inFlight.set(socket, 0);
    socket.once('close', () => this.#inFlight.delete(socket));
  }

  /** Counts a request until it is answered. */
  exchange(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { socket } = request;
    latestExchanges.set(socket, { request, response });
    this.#inFlight.set(socket, (this.#inFlight.get(socket) ?? 0) + 1);
    response.once('close', () => {
      if (!socket.destroyed) this.#inFlight.set(socket, (this.#inFlight.get(socket) ?? 1) - 1);
    });
  }

  /** Ends the connections on which no request is being answered. */
  release(): void {
    const unused = [...this.#inFlight].filter(([, requests]) => requests === 0).map(([socket]) => socket);
    for (const socket of [...this.#notYetHttp.values(), ...unused]) socket.destroy();
  }

  /** Ends every connection, and returns the number of requests that it cut off. */
  cut(): number {
    const requests = [...this.#inFlight.values()].reduce((sum, count) => sum + count, 0);
    for (const socket of [...this.#inFlight.keys(), ...this.#accepted]) socket.destroy();
    return requests;
  }
}

/** Names a connection, alike for a TCP socket and the TLS socket made of it. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return [remoteAddress, remotePort, localAddress].join(' ');
}

/** Tells by its first byte, which stays readable, whether a connection speaks TLS. */
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
