import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { accessOf } from '../../auth/access.ts';
import type { Caller, RequestContext } from '../../auth/caller.ts';
import type { UsedNames } from '../../auth/usage/used-names.ts';
import { StampedCache } from '../../models/stamped-cache.ts';

import { Compressible } from '../../http/answers/compressible.ts';
import { EFFORT, THRESHOLD } from '../../http/answers/compression.ts';
import { type Encoding, encodingFor } from '../../http/answers/content-encoding.ts';
import { rootFields } from './graphql-access.ts';
import { normalizeDocument } from './normalized-document.ts';
import type { TrustedDocument } from './trusted-documents.ts';

/** Maximum size of the cached answers, in bytes before compression; the least recently used are evicted first. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum number of cached answers: each takes a kilobyte beside its bytes. */
const MAX_ANSWERS = 10_000;
/** Maximum age of a cached answer, in milliseconds, for a command that is killed between its write and the new revision. */
const MAX_MS = 60_000;

/** Key of the {@link Caching} in an operation's context. */
export const CACHING = Symbol('caching');

/** Cacheability of an operation's answer; not cached unless both members allow it. */
export interface Caching {
  /** Null if the answer is not cached. */
  key: CacheKey | null;
  mayCache: boolean;
  /** Names of what the operation uses; null before it is executed. */
  used: UsedNames | null;
}

/** Everything that an answer depends on: `stamp` is the state of the trips. */
export interface CacheKey {
  readonly name: string;
  readonly stamp: string;
}

/**
 * Caches answers to trip maps for callers with the same view: a page with a map has many readers. The caller of every
 * request is identified first; the key holds everything that an answer depends on, the state of the trips included.
 */
export class ResponseCache {
  readonly #answers = new StampedCache<{ type: string; used: UsedNames | null; body: Compressible }>({
    cache: 'trip_maps',
    max: MAX_ANSWERS,
    size: { max: MAX_BYTES, of: ({ body }) => body.length },
    ttl: MAX_MS,
  });

  /** Sends the cached answer of an operation; null if there is none. */
  async send(caching: Caching, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const cached = caching.key && this.#answers.find(caching.key.name, caching.key.stamp);
    if (!cached) return null;
    caching.used = cached.used;
    const encoding = encodingOf(cached.body, request);
    if (encoding !== null) reply.headers({ Vary: 'Origin, accept-encoding', 'Content-Encoding': encoding });
    return reply.type(cached.type).send(await cached.body.in(encoding));
  }

  /** Caches an answer. */
  store({ name, stamp }: CacheKey, used: UsedNames | null, type: string, answer: string): void {
    this.#answers.keep(name, stamp, { type, used, body: new Compressible(Buffer.from(answer), EFFORT) });
  }
}

/** Encoding of an answer, if `compressAnswers` would compress it; null if there is none. */
function encodingOf({ length }: Compressible, { headers }: FastifyRequest): Encoding | null {
  if (length < THRESHOLD || headers['x-no-compression'] !== undefined) return null;
  return encodingFor(String(headers['accept-encoding'] ?? ''));
}

/**
 * Cache key of a trip map's operation, regardless of comments and unused variables; null if it is not cacheable.
 *
 * @param trusted the document of a request that names one by its id
 */
export function cacheKeyOf(
  caller: Caller,
  { method, headers, body }: FastifyRequest,
  trusted: TrustedDocument | null,
): CacheKey | null {
  if (caller.kind !== 'embed' || method !== 'POST' || typeof body !== 'object' || body === null) return null;
  const { operationName = null, variables, extensions, ...sent } = body as Readonly<Record<string, unknown>>;
  const query = trusted?.text ?? sent.query;
  if (typeof query !== 'string' || (typeof operationName !== 'string' && operationName !== null)) return null;
  if (typeof (variables ?? {}) !== 'object' || (extensions ?? null) !== null) return null;
  const document = normalizeDocument(query);
  if (!document) return null;
  const given = Object(variables) as Readonly<Record<string, unknown>>;
  const values = document.variables.map((name) => (Object.hasOwn(given, name) ? [given[name]] : []));
  const { account_key, vehicle_key, scope, trips_state } = caller;
  if (trips_state === null) return null;
  const seen = [account_key, vehicle_key, scope.gte, scope.lt];
  const name = JSON.stringify([...seen, headers.accept, document.hash, operationName, values]);
  return { name, stamp: trips_state };
}

/** Allows caching of an answer without errors whose fields are all visible to trip maps: trips. */
export const cachingPlugin: ApolloServerPlugin<RequestContext & { readonly [CACHING]: Caching }> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ schema, operation, document, errors, contextValue }) => {
      if (errors !== undefined || operation?.operation !== 'query' || document === undefined) return;
      const fields = rootFields({ schema, operation, document });
      contextValue[CACHING].mayCache = fields.every((field) => field && accessOf(field)?.includes('embed'));
    },
  }),
};
