import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Caller, WorkMeter } from '../../auth/caller.ts';
import { networkOf } from '../../auth/network-of.ts';
import { cookieIn } from '../../auth/oauth/cookie-header.ts';
import { SESSION_COOKIE } from '../../auth/oauth/flow-cookies.ts';
import { hashSecret } from '../../auth/secrets/secrets.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { isOver, type Quota, RateLimit, rateLimitHeaders, type Usage } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly admission: Admission;
  }
  interface FastifyContextConfig {
    /** `identified` if the route calls {@link Admission.identify}; `late` if the endpoint identifies the caller. */
    readonly callers?: 'identified' | 'late';
  }
}

/** Maximum volumes; see docs/settings.md for what each is for. */
export interface AdmissionQuotas {
  /** Streams that one caller has open at a time; any number by default. */
  readonly streams?: number;
  /** Requests of one caller. */
  readonly caller: Quota;
  /** Requests of all API keys and apps of an account. */
  readonly account: Quota;
  /** Requests of the forwarders of an account, which speak for many devices. */
  readonly forwarder: Quota;
  /** Requests of one network without valid credentials. */
  readonly address: Quota;
  /** Positions that GraphQL reads and simplifies for one caller; trip maps of one grant are one caller. */
  readonly points: Quota;
  /** Positions for the trip maps of one grant and vehicle. */
  readonly mapPoints: Quota;
  /** Positions for all users of one app. */
  readonly appPoints: Quota;
  /** Positions for all callers of an account. */
  readonly accountPoints: Quota;
}

type Limits = { readonly [Name in Exclude<keyof AdmissionQuotas, 'streams'>]: RateLimit };

/** Seconds after which a client may try to open another stream. */
const STREAM_RETRY_SECONDS = 10;
/** Number of callers whose maximum streams together are the maximum of an account. */
const STREAMING_CALLERS = 4;

/** A limit and the key that is counted. */
interface Counter {
  readonly limit: RateLimit;
  readonly key: string;
}

/**
 * Admits requests by volume; every request passes here. A request counts for its caller, and for the network of its address
 * only if it has no valid credentials: many devices or people may share one address.
 */
export class Admission {
  readonly #limits: Limits | null;
  readonly #maxStreams: number;
  /** Number of open streams of each caller that has some. */
  readonly #streams = new Map<string, number>();
  /** Counters of the requests that were counted for a caller. */
  readonly #counters = new WeakMap<FastifyRequest, readonly Counter[]>();
  /** Usage that the headers of the answer report. */
  readonly #usages = new WeakMap<FastifyRequest, readonly Usage[]>();
  /** Seconds after which rejected requests may be repeated. */
  readonly #waits = new WeakMap<FastifyRequest, number>();

  /**
   * @param quotas null for no limits
   * @param options true for a worker, whose limits are those of all workers of its primary process
   */
  constructor(quotas: AdmissionQuotas | null, options: { readonly isWorker?: boolean } = {}) {
    const { streams = Number.POSITIVE_INFINITY, ...volumes } = quotas ?? {};
    const limits = Object.entries(volumes).map(([name, quota]) => [name, new RateLimit(quota, options)]);
    this.#limits = quotas && (Object.fromEntries(limits) as Limits);
    this.#maxStreams = streams;
  }

  /** Guards every request of a host. Errors are thrown, so that each endpoint formats them in its own way. */
  guard(app: FastifyInstance): void {
    const limits = this.#limits;
    if (!limits) return;
    app.addHook('onRequest', (request, _reply, done) => {
      const { callers } = request.routeOptions.config;
      if (callers === 'identified' && claimsIdentity(request)) done();
      else this.#countArrival(request, limits, callers === 'late').then(() => done(), done);
    });
    app.addHook('onSend', (request, reply, _payload, done) => {
      const usages = this.#usages.get(request);
      if (usages) reply.headers(rateLimitHeaders(usages));
      const wait = this.#waits.get(request);
      if (wait !== undefined && reply.statusCode === 429) reply.header('Retry-After', wait);
      done();
    });
    app.addHook('onResponse', (request, { statusCode }, done) => {
      if (request.routeOptions.config.callers !== 'late' || statusCode !== 200) done();
      else recountIdentified(request, limits).then(() => done(), done);
    });
  }

  /**
   * Counts a request for its caller, only once even if it is identified repeatedly by `find`, which throws a `ServiceError`.
   * @throws ServiceError TOO_MANY_REQUESTS; before UNAUTHENTICATED if the address has had too many
   */
  async identify<C extends Caller>(request: FastifyRequest, find: () => Promise<C>): Promise<C> {
    const limits = this.#limits;
    if (!limits) return find();
    let caller: C;
    try {
      caller = await find();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED') await this.#countAddress(request, limits);
      throw error;
    }
    if (this.#counters.has(request)) return caller;
    if (caller.kind === 'visitor') {
      if (claimsIdentity(request)) await this.#countAddress(request, limits);
      return caller;
    }
    const counters = requestCounters(caller, request, limits);
    this.#counters.set(request, counters);
    await this.#count(request, counters);
    return caller;
  }

  /**
   * Counts a request again, for the same caller.
   *
   * @throws ServiceError TOO_MANY_REQUESTS
   */
  async countAgain(request: FastifyRequest): Promise<void> {
    const counters = this.#counters.get(request);
    if (counters) await this.#count(request, counters);
    else if (this.#limits) await this.#countAddress(request, this.#limits);
  }

  /**
   * Counts a stream of a caller until the returned function is called.
   * @throws ServiceError TOO_MANY_REQUESTS if the caller has as many open as it may
   */
  openStream(request: FastifyRequest, caller: Caller): () => void {
    if (!this.#limits) return () => undefined;
    const bounds = [{ key: callerKey(caller, request), max: this.#maxStreams }];
    if (actsForAccount(caller)) bounds.push({ key: caller.account_key, max: this.#maxStreams * STREAMING_CALLERS });
    const full = bounds.find(({ key, max }) => (this.#streams.get(key) ?? 0) >= max);
    if (full) {
      this.#waits.set(request, STREAM_RETRY_SECONDS);
      throw new ServiceError('TOO_MANY_REQUESTS', `At most ${full.max} streams can be open; close others first`);
    }
    for (const { key } of bounds) this.#streams.set(key, (this.#streams.get(key) ?? 0) + 1);
    return () => {
      for (const { key } of bounds) {
        const left = (this.#streams.get(key) ?? 1) - 1;
        if (left === 0) this.#streams.delete(key);
        else this.#streams.set(key, left);
      }
    };
  }

  /** Makes the meter of a caller's operation; undefined if nothing is limited. */
  meter(request: FastifyRequest, caller: Caller): WorkMeter | undefined {
    const limits = this.#limits;
    if (!limits) return undefined;
    // Made at the first use: most requests read no positions, and naming a credential takes a hash.
    let counters: readonly Counter[] | undefined;
    const countersOf = () => (counters ??= workCounters(caller, request, limits));
    let charged = 0;
    const checkRoom = (usages: readonly Usage[], own: number): void => {
      // Only for owners: data that is hidden from others is charged too.
      if (caller.kind === 'owner') this.#show(request, usages);
      if (usages.some(({ used, quota }) => used - own >= quota.points)) throw this.#rejection(request, usages);
    };
    return {
      demand: async () => checkRoom(await Promise.all(countersOf().map(({ limit, key }) => limit.usageOf(key))), 0),
      charge: async (points) => {
        charged += points;
        const usages = await Promise.all(countersOf().map(({ limit, key }) => limit.add(key, points)));
        // Read after the wait, so that concurrent charges of this request are included.
        checkRoom(usages, charged);
      },
    };
  }

  /** Counts a request whose caller is not identified, or only by its endpoint. */
  async #countArrival(request: FastifyRequest, limits: Limits, isLate: boolean): Promise<void> {
    await this.#countAddress(request, limits);
    if (!isLate || !hasCredentials(request)) return;
    const usage = await limits.caller.usageOf(credentialOf(request));
    this.#demand(request, [{ ...usage, used: usage.used + 1 }]);
  }

  async #countAddress(request: FastifyRequest, { address }: Limits): Promise<void> {
    const usage = await address.add(subscriberOf(request.ip));
    if (isOver(usage)) this.#demand(request, [usage]);
  }

  async #count(request: FastifyRequest, counters: readonly Counter[]): Promise<void> {
    this.#demand(request, await Promise.all(counters.map(({ limit, key }) => limit.add(key))));
  }

  #demand(request: FastifyRequest, usages: readonly Usage[]): void {
    this.#show(request, usages);
    if (usages.some(isOver)) throw this.#rejection(request, usages);
  }

  /** Adds usages to the headers of the answer, replacing earlier ones of the same quotas. */
  #show(request: FastifyRequest, usages: readonly Usage[]): void {
    const others = (this.#usages.get(request) ?? []).filter(({ quota }) =>
      usages.every((usage) => usage.quota !== quota),
    );
    this.#usages.set(request, [...others, ...usages.filter(({ quota }) => quota.isHidden !== true)]);
  }

  #rejection(request: FastifyRequest, usages: readonly Usage[]): ServiceError {
    const spent = usages.filter(({ used, quota }) => used >= quota.points);
    const seconds = Math.max(...spent.map(({ resetSeconds }) => resetSeconds));
    this.#waits.set(request, seconds);
    return new ServiceError('TOO_MANY_REQUESTS', `Rate limit exceeded; retry in ${seconds} seconds`);
  }
}

/** Counts a request for its caller instead of its address, once its endpoint has identified the caller. */
async function recountIdentified(request: FastifyRequest, { address, caller }: Limits): Promise<void> {
  await address.giveBack(subscriberOf(request.ip));
  if (hasCredentials(request)) await caller.add(credentialOf(request));
}

/** Returns true if a request may turn out to have a caller: one with credentials, or with the cookie of a session. */
function claimsIdentity(request: FastifyRequest): boolean {
  return hasCredentials(request) || cookieIn(request.headers.cookie, SESSION_COOKIE) !== null;
}

function hasCredentials({ headers }: FastifyRequest): boolean {
  return headers.authorization !== undefined || headers['service-api-key'] !== undefined;
}

/** The counters of a caller's request. */
function requestCounters(
  caller: Caller,
  request: FastifyRequest,
  { forwarder, caller: own, account }: Limits,
): Counter[] {
  if (caller.kind === 'forwarder') return [{ limit: forwarder, key: caller.account_key }];
  const counters = [{ limit: own, key: callerKey(caller, request) }];
  return actsForAccount(caller) ? [...counters, { limit: account, key: caller.account_key }] : counters;
}

/** Returns true for API keys, apps and signed-in users, of which an account may have any number. */
function actsForAccount(caller: Caller): caller is Extract<Caller, { readonly kind: 'owner' | 'app' | 'user' }> {
  return caller.kind === 'owner' || caller.kind === 'app' || caller.kind === 'user';
}

/** Names the caller for which a request counts. A map is on many screens with one token, so each network counts separately. */
function callerKey(caller: Caller, request: FastifyRequest): string {
  switch (caller.kind) {
    case 'owner':
    case 'forwarder':
      return `${caller.kind} ${credentialOf(request)}`;
    case 'app':
      return `app ${caller.grant_hash}`;
    case 'user':
      return `user ${caller.user_key}`;
    case 'embed':
      return `map ${caller.grant_hash} ${caller.vehicle_key} ${subscriberOf(request.ip)}`;
    case 'share':
      return `share ${caller.share_key} ${subscriberOf(request.ip)}`;
    case 'device':
      return `device ${caller.device_key}`;
    case 'website':
      return `website ${caller.user_id}`;
    case 'visitor':
    case 'operator':
      return `${caller.kind} ${subscriberOf(request.ip)}`;
  }
}

/** The counters to which the work of a caller's operation is charged. */
function workCounters(caller: Caller, request: FastifyRequest, limits: Limits): Counter[] {
  const { points, mapPoints, appPoints, accountPoints } = limits;
  const ofAccount = 'account_key' in caller ? [{ limit: accountPoints, key: caller.account_key }] : [];
  if (caller.kind !== 'embed' && caller.kind !== 'app') {
    return [{ limit: points, key: callerKey(caller, request) }, ...ofAccount];
  }
  const { grant_hash, client_id } = caller;
  const ofMap = caller.kind === 'embed' ? [{ limit: mapPoints, key: `${grant_hash} ${caller.vehicle_key}` }] : [];
  const ofGrant = { limit: points, key: `grant ${grant_hash}` };
  return [...ofMap, ofGrant, { limit: appPoints, key: client_id }, ...ofAccount];
}

/** Hash of a credential, used as a counter key. */
function credentialOf({ headers }: FastifyRequest): string {
  return hashSecret(String(headers['service-api-key'] ?? headers.authorization));
}

/** The network for which an address counts: an IPv4 address alone, IPv6 by its subscriber's 64 bits (RFC 6177). */
function subscriberOf(address: string): string {
  return networkOf(address, { ipv4: 32, ipv6: 64 });
}
