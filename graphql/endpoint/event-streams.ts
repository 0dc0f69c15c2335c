import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';

import { type RequestContext, StreamProgress } from '../../auth/caller.ts';
import { onPermissions } from '../../models/store/permission-stamp.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { COMPLETE, eventOf, type EventSource, EventStream } from './event-stream.ts';
import { graphqlError } from './graphql-errors.ts';
import { EVENTS, type OperationContext } from './graphql-server.ts';
import type { Service } from '../../models/store/service.ts';

/** Media type of answers that are streams (HTML, section 9.2). */
const EVENT_STREAM = 'text/event-stream';
/** Interval of heartbeats, in milliseconds: proxies end connections on which nothing is sent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Maximum number of streams that are reopened concurrently. */
const RENEWED_TOGETHER = 16;
/** Maximum delay of a timer, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** A started subscription, or the answer to any other operation or to a rejected one. */
type Outcome = EventSource | HTTPGraphQLResponse;

/** A stream, with the means to restart it. */
interface OpenStream {
  readonly request: FastifyRequest;
  readonly context: OperationContext;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * The streams of an endpoint. When permissions change, every stream restarts with the current permissions of its caller, or
 * ends with the error that a request would get; so does a stream whose token expires.
 */
export class EventStreams {
  readonly #server: ApolloServer<OperationContext>;
  readonly #contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  readonly #open = new Map<EventStream, OpenStream>();
  readonly #stopListening: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  /** Number of changes of permissions, and that of the last change known to all streams. */
  #changes = 0;
  #isRenewing = false;

  /** @param contextOf identifies the caller of a request */
  constructor(
    service: Service,
    server: ApolloServer<OperationContext>,
    contextOf: (request: FastifyRequest) => Promise<RequestContext>,
  ) {
    this.#server = server;
    this.#contextOf = contextOf;
    this.#stopListening = onPermissions(service, () => {
      this.#changes += 1;
      if (!this.#isRenewing) void this.#renewAll();
    });
    this.#heartbeat = setInterval(() => {
      for (const stream of this.#open.keys()) stream.beat();
    }, HEARTBEAT_MS).unref();
  }

  /** The part of an operation's context for events; made before its caller is identified. */
  contextOf(request: FastifyRequest): Pick<OperationContext, typeof EVENTS | 'progress'> {
    const isAccepted = takesEvents(request);
    return {
      ...(isAccepted && { progress: new StreamProgress(lastEventIdOf(request)) }),
      [EVENTS]: { isAccepted, known: this.#changes, source: null },
    };
  }

  /** Answers a client that accepts events: a subscription with a stream, any other operation with its result. */
  async answer(request: FastifyRequest, reply: FastifyReply, context: OperationContext): Promise<FastifyReply> {
    const outcome = await this.#execute(request, context);
    if ('body' in outcome) return sendResult(outcome, request, reply);
    const release = countStream(request, context, outcome);
    const stream = new EventStream(outcome);
    this.#open.set(stream, { request, context, expiry: this.#expiryOf(stream, context) });
    stream.once('close', () => {
      clearTimeout(this.#open.get(stream)?.expiry);
      this.#open.delete(stream);
      release();
    });
    if (context[EVENTS].known !== this.#changes) void this.#renew(stream);
    // A connection ends with its stream, and so does not delay the shutdown of the service.
    return reply
      .headers({ 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no', Connection: 'close' })
      .type(EVENT_STREAM)
      .send(stream);
  }

  /** Ends all streams, whose clients may connect again. */
  end(): void {
    this.#stopListening();
    clearInterval(this.#heartbeat);
    for (const stream of this.#open.keys()) stream.interrupt();
  }

  async #execute(request: FastifyRequest, context: OperationContext): Promise<Outcome> {
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    if (takesOnlyEvents(request)) headers.set('accept', 'application/json');
    const { method, url, body } = request;
    const httpGraphQLRequest = { method, headers, search: new URL(url, 'https://localhost').search, body };
    const answer = await this.#server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
    return context[EVENTS].source ?? answer;
  }

  #expiryOf(stream: EventStream, { caller }: OperationContext): NodeJS.Timeout | undefined {
    const expires = 'expires' in caller ? caller.expires : undefined;
    if (expires === undefined) return undefined;
    return setTimeout(() => void this.#renew(stream), Math.min(expires - Date.now(), MAX_DELAY_MS)).unref();
  }

  async #renewAll(): Promise<void> {
    this.#isRenewing = true;
    for (let known = -1; known !== this.#changes; ) {
      known = this.#changes;
      const limit = pLimit(RENEWED_TOGETHER);
      await Promise.all([...this.#open.keys()].map((stream) => limit(() => this.#renew(stream))));
    }
    this.#isRenewing = false;
  }

  /** Never rejects: a stream whose caller cannot be identified ends. */
  async #renew(stream: EventStream): Promise<void> {
    const open = this.#open.get(stream);
    if (!open) return;
    try {
      const identity = await this.#contextOf(open.request);
      const context = { ...open.context, ...identity, [EVENTS]: { ...open.context[EVENTS], source: null } };
      const outcome = await this.#execute(open.request, context);
      if ('body' in outcome) return stream.fail(textOf(outcome));
      stream.replace(outcome);
      clearTimeout(open.expiry);
      if (this.#open.has(stream)) open.expiry = this.#expiryOf(stream, context);
    } catch (error) {
      if (error instanceof ServiceError)
        stream.fail(JSON.stringify({ errors: [graphqlError(error.code, error.message)] }));
      // The client gets the reason when it connects again.
      else stream.interrupt();
    }
  }
}

/** Counts a stream of a caller, and ends its source if there are too many. */
function countStream(request: FastifyRequest, { caller }: OperationContext, { events }: EventSource): () => void {
  try {
    return request.server.admission.openStream(request, caller);
  } catch (error) {
    void events.return?.();
    throw error;
  }
}

/** Returns true if a client accepts a stream. */
export function takesEvents({ method, headers }: FastifyRequest): boolean {
  return ['GET', 'POST'].includes(method) && (headers.accept ?? '').includes(EVENT_STREAM);
}

/** The id of the last event that a client has; null for a new client. */
function lastEventIdOf({ headers }: FastifyRequest): string | null {
  return String(headers['last-event-id'] ?? '') || null;
}

/** Returns true if a client accepts only a stream. */
function takesOnlyEvents({ headers }: FastifyRequest): boolean {
  return !/json|\*/.test(headers.accept ?? '');
}

/** Sends the result of an operation that is no stream; an executed one is sent as an event if only events are accepted. */
function sendResult(answer: HTTPGraphQLResponse, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status = 200, headers } = answer;
  for (const [name, value] of headers) reply.header(name, value);
  if (status !== 200 || !takesOnlyEvents(request)) return reply.code(status).send(textOf(answer));
  return reply
    .type(EVENT_STREAM)
    .removeHeader('Content-Length')
    .send(`${eventOf(textOf(answer))}${COMPLETE}`);
}

function textOf({ body }: HTTPGraphQLResponse): string {
  return body.kind === 'complete' ? body.string.trimEnd() : '';
}
