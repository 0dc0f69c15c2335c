import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';

import { readsRest, type RequestTimeoutLimits } from '../requests/request-timeouts.ts';

/** A request with its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A request by HTTP/1.1 that is being answered, or waits until those before it are. */
interface Turn extends Exchange {
  readonly serve: () => void;
}

/** A connection that speaks HTTP/2. */
interface SessionState {
  /** The accepted socket: a destroyed session waits for its client to read the sent data. */
  readonly socket: Socket | undefined;
  /** Requests that are being answered. */
  readonly streams: Set<ServerHttp2Stream>;
  /** Time of the last answer or, before the first, of the connection. */
  unusedSince: number;
  hasBeenUsed: boolean;
  /** Time of the last PING. */
  pinged: number;
  /** Time of the first PING that has not been answered; null if all have been. */
  unanswered: number | null;
  /** Number of requests that its client has reset, minus answered ones. */
  resets: number;
}

/** Maximum idle times of a connection: before the first request, and after an answer. */
type UnusedLimits = Pick<RequestTimeoutLimits, 'headersMs' | 'unusedMs'>;

/** State of a stream that shows how much its reader has read. */
type Sink = Pick<Writable, 'writableNeedDrain' | 'writableEnded' | 'writableFinished' | 'once'>;

/** Maximum number of waiting requests of an HTTP/1.1 connection, beyond which no more is read. */
const MAX_PIPELINED = 16;

/** Limits on stalled answers. */
type StalledLimits = Pick<RequestTimeoutLimits, 'stalledMs' | 'maxStalled'>;

/** Number of requests that a client may reset in excess of answered ones: no browser only resets. */
const MAX_RESETS = 200;

const latestExchanges = new WeakMap<object, Exchange>();

/** Calls back as soon as all completely received requests of a connection are answered. */
export function afterAnswers(socket: object, callback: () => void): void {
  const { request, response } = latestExchanges.get(socket) ?? {};
  if (request?.complete && response && !response.closed) response.once('close', callback);
  else callback();
}

/** Open connections of a listener. */
export class Connections {
  /** All connections, by {@link peerOf}. */
  readonly #accepted = new Map<string, Socket>();
  /** Connections whose protocol is not known yet, or that are in a TLS handshake, by {@link peerOf}. */
  readonly #notYetHttp = new Map<string, Socket>();
  /** Requests by HTTP/1.1 connection, in order of arrival; the first is being answered. */
  readonly #inFlight = new Map<Socket, Turn[]>();
  /** Times since which readers have read nothing. */
  readonly #stalled = new WeakMap<Sink, number>();
  readonly #sessions = new Map<ServerHttp2Session, SessionState>();
  readonly #now: () => number;
  #isReleased = false;

  /** @param now the time in milliseconds, from any starting point */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds a connection, which is ended unless it speaks HTTP within that many milliseconds. */
  accept(socket: Socket, headersMs: number): void {
    const peer = peerOf(socket);
    this.#accepted.set(peer, socket);
    this.#notYetHttp.set(peer, socket);
    const handshake = setTimeout(() => {
      if (this.#notYetHttp.get(peer) === socket) socket.destroy();
    }, headersMs);
    socket.once('close', () => {
      clearTimeout(handshake);
      this.#accepted.delete(peer);
      this.#notYetHttp.delete(peer);
    });
  }

  /** Records that a connection speaks HTTP from now on; the socket is that of TLS if there is one. */
  speaksHttp(socket: Socket): void {
    this.#notYetHttp.delete(peerOf(socket));
    const turns: Turn[] = [];
    this.#inFlight.set(socket, turns);
    socket.once('close', () => this.#inFlight.delete(socket));
    // Node.js uses this to continue reading after each answer, regardless of waiting requests.
    const resume = socket.resume.bind(socket);
    socket.resume = () => (turns.length > MAX_PIPELINED ? socket : resume());
    // Node.js uses this to end a connection after its last answer, which a client that is still sending would lose (RFC 9112,
    // section 9.6).
    const end = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      const request = turns[0]?.request;
      if (request && readsRest(request)) request.once('end', end);
      else end();
    };
  }

  /** Serves a request once those before it on its connection, which speaks HTTP/1.1, are answered. */
  exchange(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const { socket } = request;
    const turns = this.#inFlight.get(socket);
    if (!turns) return;
    latestExchanges.set(socket, { request, response });
    turns.push({ request, response, serve });
    response.once('close', () => {
      turns.shift();
      if (socket.destroyed) return;
      if (this.#isReleased && turns.length === 0) return socket.destroySoon();
      turns[0]?.serve();
      if (turns.length === MAX_PIPELINED) socket.resume();
    });
    if (turns.length === 1) serve();
    else if (turns.length > MAX_PIPELINED) socket.pause();
  }

  /** Records that a connection speaks HTTP/2 from now on. */
  speaksHttp2(session: ServerHttp2Session): void {
    const peer = peerOf(session.socket);
    const socket = this.#accepted.get(peer);
    this.#notYetHttp.delete(peer);
    this.#sessions.set(session, {
      socket,
      streams: new Set(),
      unusedSince: this.#now(),
      hasBeenUsed: false,
      pinged: this.#now(),
      unanswered: null,
      resets: 0,
    });
    session.once('close', () => this.#sessions.delete(session));
    if (this.#isReleased) session.close();
  }

  /** Counts a request by HTTP/2 until it is answered. */
  exchangeHttp2(stream: ServerHttp2Stream): void {
    const session = stream.session as ServerHttp2Session | undefined;
    const state = session && this.#sessions.get(session);
    if (!state) return;
    state.streams.add(stream);
    state.hasBeenUsed = true;
    stream.once('close', () => {
      state.streams.delete(stream);
      state.unusedSince = this.#now();
      state.resets = Math.max(0, state.resets + (stream.rstCode === constants.NGHTTP2_NO_ERROR ? -1 : 1));
      if (state.resets > MAX_RESETS) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /** Ends connections that speak HTTP/2 and have been without a request for too long; Node.js ends those that speak HTTP/1.1. */
  endUnused({ headersMs, unusedMs }: UnusedLimits): void {
    const now = this.#now();
    for (const [session, { socket, streams, unusedSince, hasBeenUsed }] of this.#sessions) {
      if (session.destroyed) socket?.destroy();
      else if (streams.size === 0 && now - unusedSince >= (hasBeenUsed ? unusedMs : headersMs)) session.destroy();
    }
  }

  /**
   * Ends connections that speak HTTP/2, have open requests, and do not answer: their clients are gone. Node.js may not notice that
   * it was told so while it was writing, and nothing tells it if the network fails.
   */
  endGone({ pingMs }: Pick<RequestTimeoutLimits, 'pingMs'>): void {
    const now = this.#now();
    for (const [session, state] of this.#sessions) {
      if (state.unanswered !== null && now - state.unanswered >= pingMs) {
        session.destroy();
        state.socket?.destroy();
      } else if (state.streams.size > 0 && now - state.pinged >= pingMs / 2) this.#ping(session, state);
    }
  }

  /** Asks a client whether it is still there (RFC 9113, section 6.7). */
  #ping(session: ServerHttp2Session, state: SessionState): void {
    if (session.destroyed) return;
    state.pinged = this.#now();
    state.unanswered ??= state.pinged;
    session.ping((error) => {
      if (!error) state.unanswered = null;
    });
  }

  /** Ends answers that are stalled for too long, and the longest stalled ones beyond a maximum number. */
  endStalled({ stalledMs, maxStalled }: StalledLimits): void {
    const stalled = [...this.#stalledAnswers()].sort((one, other) => one.since - other.since);
    const surplus = stalled.length - maxStalled;
    for (const [at, { since, end }] of stalled.entries()) {
      if (at < surplus || this.#now() - since >= stalledMs) end();
    }
  }

  *#stalledAnswers(): Generator<{ readonly since: number; readonly end: () => void }> {
    for (const [socket, [turn]] of this.#inFlight) {
      const since = this.#stalledSince(turn?.response ?? socket);
      if (since !== null) yield { since, end: () => void socket.destroy() };
    }
    for (const { socket, streams } of this.#sessions.values()) {
      for (const stream of streams) {
        const since = this.#stalledSince(stream);
        // A closed one that still exists waits for the connection itself.
        const end = () => void (stream.closed ? socket?.destroy() : stream.close(constants.NGHTTP2_CANCEL));
        if (since !== null) yield { since, end };
      }
    }
  }

  /** Returns since when a reader has read nothing; null if there is nothing to read. */
  #stalledSince(sink: Sink): number | null {
    if (!sink.writableNeedDrain && (!sink.writableEnded || sink.writableFinished)) {
      this.#stalled.delete(sink);
      return null;
    }
    const known = this.#stalled.get(sink);
    if (known !== undefined) return known;
    this.#stalled.set(sink, this.#now());
    sink.once('drain', () => this.#stalled.delete(sink));
    return this.#now();
  }

  /** Ends connections that do not speak HTTP/2 and have no request, or none whose answer is still being sent. */
  endIdle(): void {
    const idle = [...this.#inFlight].filter(([, turns]) => turns.length === 0).map(([socket]) => socket);
    for (const socket of [...this.#notYetHttp.values(), ...idle]) socket.destroy();
  }

  /** Ends idle connections, others after their answers, and prevents new requests on HTTP/2 connections. */
  release(): void {
    this.#isReleased = true;
    this.endIdle();
    for (const [session, state] of this.#sessions) {
      const { streams } = state;
      if (streams.size > 0) this.#ping(session, state);
      session.close();
      // The rest of the body of an answered request is not awaited.
      for (const stream of streams) if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR);
    }
  }

  /** Ends every connection, and returns the number of requests that it cut off; those of clients that were gone are not counted. */
  cut(): number {
    const counts = [
      ...[...this.#inFlight.values()].map(({ length }) => length),
      ...[...this.#sessions.values()].map(({ streams, unanswered }) =>
        unanswered === null ? [...streams].filter(({ writableFinished }) => !writableFinished).length : 0,
      ),
    ];
    for (const session of this.#sessions.keys()) session.destroy();
    for (const socket of [...this.#inFlight.keys(), ...this.#accepted.values()]) socket.destroy();
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

/** Names a connection, equally for a TCP socket and the TLS socket on top of it. */
function peerOf({
  remoteAddress,
  remotePort,
  localAddress,
}: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>): string {
  return [remoteAddress, remotePort, localAddress].join(' ');
}
