import type { IncomingMessage, ServerResponse } from 'node:http';

import { BODY_LIMIT } from './body-limits.ts';
import { hasBody } from './has-body.ts';

/** Limits on the time in which a request must arrive. */
export interface RequestTimeoutLimits {
  /** Maximum time of a TLS handshake, and of the headers of a request, in milliseconds. */
  readonly headersMs: number;
  /** Maximum time of a connection without a request after an answer, in milliseconds. */
  readonly unusedMs: number;
  /** Maximum time of a body, and that by which a large one may fall behind {@link bytesPerSecond}, in milliseconds. */
  readonly bodyMs: number;
  /** Minimum rate of a large body, in bytes per second. */
  readonly bytesPerSecond: number;
  /** Time between two checks, in milliseconds. */
  readonly checkMs: number;
}

const LIMITS: RequestTimeoutLimits = {
  headersMs: 10_000,
  unusedMs: 72_000,
  bodyMs: 20_000,
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
const answers = new WeakMap<IncomingMessage, () => void>();

/** Permits a request a body beyond {@link BODY_LIMIT}, which may take longer, at a minimum rate. */
export function permitLargeBody(request: IncomingMessage): void {
  large.add(request);
}

/** Sets how a body that takes too long is answered, for a reader that cannot be given a {@link BodyTimeoutError}. */
export function onBodyTimeout(request: IncomingMessage, answer: () => void): void {
  answers.set(request, answer);
}

/** A request whose body has not arrived yet. */
interface Arriving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  deadline: number;
  /** Bytes that its connection had received at the last check. */
  received: number;
}

/**
 * Ends requests whose bodies arrive too slowly. A body has `bodyMs`; one that may be large gains a second for each
 * `bytesPerSecond` that arrive, and never has more than `bodyMs` left, so that at this rate it may take any time.
 */
export class RequestTimeouts {
  readonly limits: RequestTimeoutLimits;
  readonly now: () => number;
  readonly #arriving = new Set<Arriving>();

  /** @param now the time in milliseconds, from any beginning */
  constructor(limits: Partial<RequestTimeoutLimits> = {}, now: () => number = () => performance.now()) {
    this.limits = { ...LIMITS, ...limits };
    this.now = now;
  }

  /** Watches the body of a request whose headers have arrived. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) return;
    const deadline = this.now() + this.limits.bodyMs;
    this.#arriving.add({ request, response, deadline, received: request.socket.bytesRead });
  }

  /** Ends what is late: with 408, or without a word where the request was answered before its body arrived. */
  check(): void {
    const now = this.now();
    for (const arriving of this.#arriving) {
      const { request } = arriving;
      if (request.complete || request.socket.destroyed) {
        this.#arriving.delete(arriving);
        continue;
      }
      this.#extend(arriving, now);
      if (now >= arriving.deadline) end(arriving);
    }
  }

  #extend(arriving: Arriving, now: number): void {
    const { request, deadline, received } = arriving;
    if (!large.has(request) || Number(request.headers['content-length']) <= BODY_LIMIT) return;
    const { bytesRead } = request.socket;
    const gained = ((bytesRead - received) / this.limits.bytesPerSecond) * 1000;
    arriving.deadline = Math.min(deadline + gained, now + this.limits.bodyMs);
    arriving.received = bytesRead;
  }
}

/** Ends a request whose body is late. Where nobody reads it yet, the client is not to blame: it is checked again. */
function end({ request, response }: Arriving): void {
  const answer = answers.get(request);
  if (response.headersSent) request.socket.destroy();
  else if (answer) answer();
  else if (request.listenerCount('error') > 0) request.emit('error', new BodyTimeoutError());
}
