import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { BODY_LIMIT } from './body-limits.ts';
import { awaitsContinue } from './expect-continue.ts';
import { hasBody } from './has-body.ts';

/** Limits on the time in which a request must arrive. */
export interface RequestTimeoutLimits {
  /** Maximum time of a TLS handshake, and of the headers of a request, in milliseconds. */
  readonly headersMs: number;
  /** Maximum time of a connection without a request after an answer, in milliseconds. */
  readonly unusedMs: number;
  /** Maximum time of a body, and that by which a large one may fall behind {@link bytesPerSecond}, in milliseconds. */
  readonly bodyMs: number;
  /** Maximum number of bytes of a body that are read after the answer. */
  readonly restBytes: number;
  /** Maximum time in which a client reads nothing of its answer, in milliseconds. */
  readonly stalledMs: number;
  /** Maximum number of stalled answers; beyond it, those that have waited the longest are ended. */
  readonly maxStalled: number;
  /** Maximum time in which a client by HTTP/2 answers a PING, in milliseconds; it gets one each half of it while it has open requests. */
  readonly pingMs: number;
  /** Minimum rate of a large body, in bytes per second. */
  readonly bytesPerSecond: number;
  /** Time between two checks, in milliseconds. */
  readonly checkMs: number;
}

const LIMITS: RequestTimeoutLimits = {
  headersMs: 10_000,
  unusedMs: 72_000,
  bodyMs: 20_000,
  restBytes: 64 * 1024 * 1024,
  stalledMs: 30_000,
  pingMs: 60_000,
  maxStalled: 2000,
  bytesPerSecond: 16_000,
  checkMs: 1000,
};

/** A body that took too long to arrive; 408 (RFC 9110, section 15.5.9). */
export class BodyTimeoutError extends Error {
  readonly code = 'BODY_TIMEOUT';
  readonly statusCode = 408;

  constructor() {
    super('The body took too long to arrive');
  }
}

const large = new WeakSet<IncomingMessage>();
const overdue = new WeakSet<IncomingMessage>();
const answers = new WeakMap<IncomingMessage, () => void>();

/** Permits a body beyond {@link BODY_LIMIT}, which may take longer, at a minimum rate. */
export function permitLargeBody(request: IncomingMessage): void {
  large.add(request);
}

/** Sets how a body that takes too long is answered, for a reader that cannot be given a {@link BodyTimeoutError}. */
export function onBodyTimeout(request: IncomingMessage, answer: () => void): void {
  answers.set(request, answer);
}

/**
 * Returns true if the rest of the body of an answered request is read before its connection ends. A client that is still
 * sending loses the answer if the connection ends under it (RFC 9112, section 9.6).
 */
export function readsRest(request: IncomingMessage): boolean {
  return !request.complete && !awaitsContinue(request) && !overdue.has(request);
}

/** A request with its answer. */
interface Watched {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Emits `finish` when the answer has been sent. */
  readonly sink: EventEmitter;
  /** Ends the request after its answer, with its connection if the protocol demands it. */
  readonly end: () => void;
}

/** A request whose body has not arrived yet. */
interface Arriving extends Watched {
  deadline: number;
  /** Bytes that its connection had received at the last check. */
  received: number;
  /** Maximum bytes that its connection may have received; null before the answer. */
  maxReceived: number | null;
}

/**
 * Ends requests whose bodies arrive too slowly. A body has `bodyMs`; one that may be large gains a second for each
 * `bytesPerSecond` that arrive, and never has more than `bodyMs` left, so that at this rate it may take any time. If a
 * request is answered before its body has arrived, up to `restBytes` of it are read and dropped, at that rate too.
 */
export class RequestTimeouts {
  readonly limits: RequestTimeoutLimits;
  readonly now: () => number;
  readonly #arriving = new Set<Arriving>();

  /** @param now the time in milliseconds, from any starting point */
  constructor(limits: Partial<RequestTimeoutLimits> = {}, now: () => number = () => performance.now()) {
    this.limits = { ...LIMITS, ...limits };
    this.now = now;
  }

  /** Watches the body of a request whose headers have arrived. */
  watch(watched: Watched): void {
    const { request, sink } = watched;
    if (!hasBody(request)) return;
    const deadline = this.now() + this.limits.bodyMs;
    const arriving: Arriving = { ...watched, deadline, received: request.socket.bytesRead, maxReceived: null };
    this.#arriving.add(arriving);
    sink.once('finish', () => this.#readRest(arriving));
  }

  /** Ends late requests: with 408, or silently if the request was answered before its body arrived. */
  check(): void {
    const now = this.now();
    for (const arriving of this.#arriving) {
      const { request } = arriving;
      if (request.complete || request.socket.destroyed) {
        this.#arriving.delete(arriving);
        continue;
      }
      this.#extend(arriving, now);
      const { deadline, maxReceived } = arriving;
      if (now >= deadline || (maxReceived !== null && request.socket.bytesRead > maxReceived)) end(arriving);
    }
  }

  #readRest(arriving: Arriving): void {
    const { request } = arriving;
    const { bodyMs, restBytes } = this.limits;
    if (overdue.has(request)) {
      arriving.end();
      return;
    }
    arriving.deadline = this.now() + bodyMs;
    arriving.maxReceived = request.socket.bytesRead + restBytes;
    request.resume();
  }

  #extend(arriving: Arriving, now: number): void {
    const { request, deadline, received, maxReceived } = arriving;
    const mayBeLarge = large.has(request) || maxReceived !== null;
    if (!mayBeLarge || Number(request.headers['content-length']) <= BODY_LIMIT) return;
    const { bytesRead } = request.socket;
    const gained = ((bytesRead - received) / this.limits.bytesPerSecond) * 1000;
    arriving.deadline = Math.min(deadline + gained, now + this.limits.bodyMs);
    arriving.received = bytesRead;
  }
}

/** Ends a request whose body is late. If it is not being read yet, the client is not to blame: it is checked again. */
function end({ request, response, end: endAnswered }: Arriving): void {
  const answer = answers.get(request);
  if (response.headersSent) {
    endAnswered();
    return;
  }
  if (!answer && request.listenerCount('error') === 0) return;
  overdue.add(request);
  if (answer) answer();
  else request.emit('error', new BodyTimeoutError());
}
