import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** A request with its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A connection that speaks HTTP/2. */
interface SessionState {
  /** Number of requests that are being answered. */
  requests: number;
  /** Time at which the last one was answered or, before the first, at which it was made. */
  unusedSince: number;
  hasBeenUsed: boolean;
  /** Number of requests that its client has reset, less those that were answered. */
  resets: number;
}

/** Times for which a connection may be without a request, in milliseconds. */
export interface UnusedLimits {
  /** Before the first. */
  readonly headersMs: number;
  /** After an answer. */
  readonly unusedMs: number;
}

/** Requests that a client may reset beyond those that it lets be answered: one that only resets is no browser. */
const MAX_RESETS = 200;

const latestExchanges = new WeakMap<object, Exchange>();

/** Calls back as soon as the requests that have arrived as a whole on a connection are answered. */
export function afterAnswers(socket: object, callback: () => void): void {
  const { request, response } = latestExchanges.get(socket) ?? {};
  if (request?.complete && response && !response.closed) response.once('close', callback);
  else callback();
}

/** Open connections of a listener. */
export class Connections {
  readonly #accepted = new Set<Socket>();
  /** Connections whose protocol is not known yet, or that are in a TLS handshake, by {@link peerOf}. */
  readonly #notYetHttp = new Map<string, Socket>();
  /** Number of requests that are being answered, by connection that speaks HTTP/1.1. */
  readonly #inFlight = new Map<Socket, number>();
  readonly #sessions = new Map<ServerHttp2Session, SessionState>();
  readonly #now: () => number;
  #isReleased = false;

  /** @param now the time in milliseconds, from any beginning */
  constructor(now: () => number) {
    this.#now = now;
  }

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
  exchange(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    latestExchanges.set(socket, { request, response });
    this.#inFlight.set(socket, (this.#inFlight.get(socket) ?? 0) + 1);
    response.once('close', () => {
      if (!socket.destroyed) this.#inFlight.set(socket, (this.#inFlight.get(socket) ?? 1) - 1);
    });
  }

  /** Notes that a connection speaks HTTP/2 from here on. */
  speaksHttp2(session: ServerHttp2Session): void {
    this.#notYetHttp.delete(peerOf(session.socket));
    this.#sessions.set(session, { requests: 0, unusedSince: this.#now(), hasBeenUsed: false, resets: 0 });
    session.once('close', () => this.#sessions.delete(session));
    if (this.#isReleased) session.close();
  }

  /** Counts a request by HTTP/2 until it is answered. */
  exchangeHttp2(stream: ServerHttp2Stream): void {
    const session = stream.session as ServerHttp2Session | undefined;
    const state = session && this.#sessions.get(session);
    if (!state) return;
    state.requests += 1;
    state.hasBeenUsed = true;
    stream.once('close', () => {
      state.requests -= 1;
      state.unusedSince = this.#now();
      state.resets = Math.max(0, state.resets + (stream.rstCode === constants.NGHTTP2_NO_ERROR ? -1 : 1));
      if (state.resets > MAX_RESETS) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /** Ends connections that speak HTTP/2 and have been without a request for too long; Node.js ends those that speak HTTP/1.1. */
  endUnused({ headersMs, unusedMs }: UnusedLimits): void {
    const now = this.#now();
    for (const [session, { requests, unusedSince, hasBeenUsed }] of this.#sessions) {
      if (requests === 0 && now - unusedSince >= (hasBeenUsed ? unusedMs : headersMs)) session.destroy();
    }
  }

  /** Ends the connections on which no request is being answered, and lets those that speak HTTP/2 begin no other. */
  release(): void {
    this.#isReleased = true;
    const unused = [...this.#inFlight].filter(([, requests]) => requests === 0).map(([socket]) => socket);
    for (const socket of [...this.#notYetHttp.values(), ...unused]) socket.destroy();
    for (const session of this.#sessions.keys()) session.close();
  }

  /** Ends every connection, and returns the number of requests that it cut off. */
  cut(): number {
    const counts = [...this.#inFlight.values(), ...[...this.#sessions.values()].map(({ requests }) => requests)];
    for (const session of this.#sessions.keys()) session.destroy();
    for (const socket of [...this.#inFlight.keys(), ...this.#accepted]) socket.destroy();
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

/** Names a connection, alike for a TCP socket and the TLS socket made of it. */
function peerOf({
  remoteAddress,
  remotePort,
  localAddress,
}: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>): string {
  return [remoteAddress, remotePort, localAddress].join(' ');
}
