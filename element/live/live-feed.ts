import { MOVEMENT_SUBSCRIPTION, POSITION_QUERY } from '../../schema/trips/trips-query.ts';

import { ApiError, AuthError } from '../trips/load-failure.ts';
import { askService, sendOperation, type ServiceAccess, throwFault } from '../trips/service-request.ts';
import {
  type LiveConnection,
  type LiveInterruption,
  type LivePosition,
  livePositionOf,
  type WireLocation,
} from './live-position.ts';
import { delay, pauseAfter } from './pause.ts';
import { readEvents } from './read-events.ts';

/** A vehicle to follow, with a token for it; null for all vehicles that the token is for. */
interface FeedSource extends ServiceAccess {
  readonly vehicleKey: string | null;
}

/** Callbacks of a feed. */
interface FeedListener {
  connected(transport: LiveConnection['transport']): void;
  moved(position: LivePosition): void;
  /** A vehicle is no longer among those that the token is for. */
  left(vehicleKey: string): void;
  disconnected(reason: LiveInterruption['reason'], message: string): void;
}

/** Time in which a stream must begin; a later one is buffered by a proxy. */
const FIRST_BYTE_MS = 8000;
/** Time in which a stream must send something; the service does so every 15 seconds. */
const SILENCE_MS = 40_000;
const POLL_MS = 5000;
/** Newest trips among which the positions of several vehicles are looked for. */
const POLLED_TRIPS = 100;
/** Time after which a feed that polls tries the stream again. */
const POLLING_MS = 60_000;
/**
 * Maximum number of streams of a page; a browser opens six connections to a host, some of which are needed for other requests.
 */
const MAX_STREAMS = 4;

const feeds = new Map<string, Feed>();

/**
 * Follows a vehicle until `signal` is aborted. All followers with the same token share one connection.
 *
 * @throws AuthError if the service refuses the token
 */
export function followFeed(source: FeedSource, listener: FeedListener, signal: AbortSignal): Promise<void> {
  const id = [source.serviceUrl, source.vehicleKey, source.token].join('\n');
  const feed = feeds.get(id) ?? new Feed(source, () => feeds.delete(id));
  feeds.set(id, feed);
  return feed.follow(listener, signal);
}

interface Follower {
  readonly listener: FeedListener;
  reject(error: AuthError): void;
}

/** One connection to the service: a stream or, if that is blocked, requests; none while the page is hidden. */
class Feed {
  /** Streams of this page. */
  static #streams = 0;
  readonly #followers = new Set<Follower>();
  readonly #ended = new AbortController();
  /** Aborted to end the present attempt, or the pause before the next. */
  #attempt = new AbortController();
  #transport: LiveConnection['transport'] | null = null;
  readonly #newest = new Map<string, LivePosition>();
  #failures = 0;

  constructor(
    private readonly source: FeedSource,
    private readonly closed: () => void,
  ) {
    document.addEventListener('visibilitychange', this.#tryAgain);
    addEventListener('online', this.#online);
    void this.#run();
  }

  follow(listener: FeedListener, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const follower: Follower = {
        listener,
        reject: (error) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      const leave = (): void => {
        this.#followers.delete(follower);
        if (this.#followers.size === 0) this.#close();
        resolve();
      };
      this.#followers.add(follower);
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      if (this.#transport) listener.connected(this.#transport);
      for (const position of this.#newest.values()) listener.moved(position);
    });
  }

  #close(): void {
    this.closed();
    this.#ended.abort();
    this.#attempt.abort();
    document.removeEventListener('visibilitychange', this.#tryAgain);
    removeEventListener('online', this.#online);
  }

  readonly #tryAgain = (): void => {
    this.#failures = 0;
    this.#attempt.abort();
  };

  readonly #online = (): void => {
    if (this.#transport !== 'stream') this.#tryAgain();
  };

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      this.#attempt = new AbortController();
      const { signal } = this.#attempt;
      try {
        if (document.hidden) {
          this.#disconnect('hidden', 'The page is hidden');
          await new Promise((resume) => signal.addEventListener('abort', resume));
          continue;
        }
        await this.#receive(signal);
        if (!signal.aborted) this.#disconnect('interrupted', 'The service ended the stream');
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        if (error instanceof AuthError) return this.#reject(error);
        if (!signal.aborted) this.#disconnect('interrupted', error instanceof Error ? error.message : String(error));
      }
      if (!signal.aborted) await delay(pauseAfter(this.#failures++), signal);
    }
  }

  /** Receives positions until the stream ends; polls if there is none. */
  async #receive(signal: AbortSignal): Promise<void> {
    if (Feed.#streams >= MAX_STREAMS) return this.#poll(signal);
    Feed.#streams++;
    try {
      if (await this.#stream(signal)) return;
    } finally {
      Feed.#streams--;
    }
    if (!signal.aborted) await this.#poll(signal);
  }

  /** Returns false if there was no stream at all. */
  async #stream(signal: AbortSignal): Promise<boolean> {
    const watch = new AbortController();
    const both = AbortSignal.any([signal, watch.signal]);
    let timer = setTimeout(() => watch.abort(), FIRST_BYTE_MS);
    let began = false;
    const onBytes = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => watch.abort(), SILENCE_MS);
      if (began) return;
      began = true;
      this.#connect('stream');
    };
    try {
      const { vehicleKey } = this.source;
      const operation = { query: MOVEMENT_SUBSCRIPTION, variables: { vehicle_keys: vehicleKey && [vehicleKey] } };
      const response = await sendOperation(this.source, operation, both, 'text/event-stream');
      if (!response.ok) throwFault(await response.json().catch(() => null), response);
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return false;
      for await (const { event, data } of readEvents(response.body, onBytes)) {
        if (event === 'next') this.#receiveResult(JSON.parse(data));
      }
    } catch (error) {
      if (error instanceof AuthError) throw error;
      if (began && !signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      watch.abort();
    }
    return began;
  }

  #receiveResult(result: MovementResult): void {
    throwFault(result, { status: 200, ok: true });
    const movement = result.data?.vehicleMoved;
    if (!movement) return;
    const { nickname, vehicle_location } = movement;
    const key = this.source.vehicleKey ?? movement.vehicle_key;
    if (vehicle_location) this.#move(livePositionOf(key, nickname, vehicle_location));
    else this.#leave(key);
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const until = Date.now() + POLLING_MS;
    const { vehicleKey } = this.source;
    const first = vehicleKey === null ? POLLED_TRIPS : 1;
    const operation = { query: POSITION_QUERY, variables: { vehicle_key: vehicleKey, first } };
    while (!signal.aborted && Date.now() < until) {
      const data = await askService<PositionResult>(this.source, operation, signal);
      if (!data?.trips) throw new ApiError('The response of the service is not a list of trips');
      this.#connect('polling');
      for (const { vehicle_key, vehicle, end_point } of data.trips.nodes) {
        this.#move(livePositionOf(vehicleKey ?? vehicle_key, vehicle?.nickname, end_point));
      }
      await delay(POLL_MS, signal);
    }
  }

  #connect(transport: LiveConnection['transport']): void {
    this.#failures = 0;
    if (this.#transport === transport) return;
    this.#transport = transport;
    for (const { listener } of this.#followers) listener.connected(transport);
  }

  #move(position: LivePosition | null): void {
    if (!position) return;
    const newest = this.#newest.get(position.vehicleKey);
    if (newest && Date.parse(position.timestamp) <= Date.parse(newest.timestamp)) return;
    this.#newest.set(position.vehicleKey, position);
    for (const { listener } of this.#followers) listener.moved(position);
  }

  #leave(vehicleKey: string): void {
    this.#newest.delete(vehicleKey);
    for (const { listener } of this.#followers) listener.left(vehicleKey);
  }

  #disconnect(reason: LiveInterruption['reason'], message: string): void {
    if (this.#transport === null) return;
    this.#transport = null;
    for (const { listener } of this.#followers) listener.disconnected(reason, message);
  }

  #reject(error: AuthError): void {
    this.#disconnect('refused', error.message);
    const followers = [...this.#followers];
    this.#close();
    for (const follower of followers) follower.reject(error);
  }
}

interface MovementResult {
  readonly data?: {
    readonly vehicleMoved?: {
      readonly vehicle_key: string;
      readonly nickname?: string | null;
      readonly vehicle_location: WireLocation | null;
    };
  } | null;
  readonly errors?: readonly { readonly message?: string }[];
}

interface PositionResult {
  readonly trips?: {
    readonly nodes: readonly {
      readonly vehicle_key: string;
      readonly vehicle?: { readonly nickname: string | null } | null;
      readonly end_point: WireLocation | null;
    }[];
  };
}
