import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { accessOf } from '../../auth/access.ts';
import type { Caller, RequestContext } from '../../auth/caller.ts';

import { Compressible } from '../../http/answers/compressible.ts';
import { QUALITY, THRESHOLD } from '../../http/answers/compression.ts';
import { type Encoding, encodingFor } from '../../http/answers/content-encoding.ts';
import { rootFields } from './graphql-access.ts';
import { normalizeDocument } from './normalized-document.ts';

/** Bytes of answers that are kept, as they were before compression; those that were asked for longest ago go first. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Answers that are kept at most: each takes a kilobyte beside its bytes. */
const MAX_ANSWERS = 10_000;
/**
 * How long an answer is kept, in milliseconds. A change of trips makes it old at once; this is for a command that was
 * killed after it wrote and before it said so.
 */
const MAX_MS = 60_000;

/** Where an operation's context says whether its answer may be kept. */
export const KEEPING = Symbol('keeping');

/** What is known of an operation whose answer may be kept; as long as nothing is known, it is not. */
export interface Keeping {
  /** What is asked; null where its answer is not kept. */
  question: string | null;
  mayKeep: boolean;
}

interface CachedResponse {
  readonly type: string;
  readonly body: Compressible;
}

/**
 * Answers to trip maps, given again to whoever may see the same: a page with a map is read by many. Who asks is identified
 * first, at every request; what was worked out is found by all that it follows from, the state of the trips included.
 */
export class ResponseCache {
  readonly #answers = new LRUCache<string, CachedResponse>({
    max: MAX_ANSWERS,
    maxSize: MAX_BYTES,
    ttl: MAX_MS,
    sizeCalculation: ({ body }, question) => body.length + question.length,
  });

  /** Answers a question that was answered before; null where it was not, or what it tells of has changed. */
  async give(question: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const kept = this.#answers.get(question);
    if (!kept) return null;
    const encoding = encodingOf(kept.body, request);
    if (encoding !== null) reply.headers({ Vary: 'Origin, accept-encoding', 'Content-Encoding': encoding });
    return reply.type(kept.type).send(await kept.body.in(encoding));
  }

  /** Keeps an answer under the question that it answers. */
  keep(question: string, type: string, answer: string): void {
    this.#answers.set(question, { type, body: new Compressible(Buffer.from(answer), { br: QUALITY, gzip: 6 }) });
  }
}

/** How an answer is compressed, in the cases in which `compressAnswers` would do so; null is not at all. */
function encodingOf({ length }: Compressible, { headers }: FastifyRequest): Encoding | null {
  if (length < THRESHOLD || headers['x-no-compression'] !== undefined) return null;
  return encodingFor(String(headers['accept-encoding'] ?? ''));
}

/**
 * All that the answer to a trip map follows from, whatever comments, white space, and variables and members that nobody
 * reads stand beside it; null for other callers, and for what is no plain operation.
 */
export function cacheKeyOf(caller: Caller, { method, headers, body }: FastifyRequest): string | null {
  if (caller.kind !== 'embed' || method !== 'POST' || typeof body !== 'object' || body === null) return null;
  const { query, operationName = null, variables, extensions } = body as Readonly<Record<string, unknown>>;
  if (typeof query !== 'string' || (typeof operationName !== 'string' && operationName !== null)) return null;
  if (typeof (variables ?? {}) !== 'object' || (extensions ?? null) !== null) return null;
  const document = normalizeDocument(query);
  if (!document) return null;
  const given = Object(variables) as Readonly<Record<string, unknown>>;
  const values = document.variables.map((name) => (Object.hasOwn(given, name) ? [given[name]] : []));
  const { account_key, vehicle_key, scope, trips_state } = caller;
  if (trips_state === null) return null;
  const seen = [account_key, vehicle_key, scope.gte, scope.lt, trips_state];
  return JSON.stringify([...seen, headers.accept, document.hash, operationName, values]);
}

/** Lets an answer be kept that is free of errors and tells of nothing but what trip maps may see: trips. */
export const keepingPlugin: ApolloServerPlugin<RequestContext & { readonly [KEEPING]: Keeping }> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ schema, operation, document, errors, contextValue }) => {
      if (errors !== undefined || operation?.operation !== 'query' || document === undefined) return;
      const fields = rootFields({ schema, operation, document });
      contextValue[KEEPING].mayKeep = fields.every((field) => field && accessOf(field)?.includes('embed'));
    },
  }),
};
