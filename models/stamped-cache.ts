import { channel } from 'node:diagnostics_channel';

import { LRUCache } from 'lru-cache';

/** A look into a cache of answers, for those who measure the service. */
export interface AskedCache {
  readonly cache: 'trip_maps' | 'content';
  readonly isHit: boolean;
}

/** Tells who measures the service of each {@link AskedCache}. */
export const cacheAsked = channel('waybridge:cache-asked');

/** A value, and the stamp under which it was computed. */
interface Stamped<Value, Stamp> {
  readonly stamp: Stamp;
  readonly value: Value;
}

/** Bounds of a cache; the least recently used value goes first. */
export interface CacheBounds<Value, Stamp> {
  /** Maximum number of values. */
  readonly max: number;
  /** Maximum size of all values, with their names, in bytes; null for what is used this once. */
  readonly size?: { readonly max: number; readonly of: (value: Value) => number | null };
  /** Maximum age in milliseconds, for what no stamp covers; none unless given. */
  readonly ttl?: number;
  /** Returns true if what was kept under a stamp serves under another; equal ones do unless given. */
  readonly isCurrent?: (kept: Stamp, stamp: Stamp) => boolean;
  /** Name by which its use is measured; not measured unless given. */
  readonly cache?: AskedCache['cache'];
}

/** Bounds for data of accounts, whose stamp is the number of its changes: what was read after a later one serves, too. */
export const BY_REVISION = {
  max: 1000,
  /** A process that was killed between a change and counting it has not acknowledged it, but it may be seen. */
  ttl: 60_000,
  isCurrent: (kept: number, revision: number) => kept >= revision,
} as const;

/**
 * Keeps values that are computed of stored data, by a name that says all that they depend on besides, and by a stamp, which every
 * change of the data moves before it is acknowledged. The stamp is read for each request, before the data: so no value is older
 * than the last acknowledged change on any server.
 */
export class StampedCache<Value extends NonNullable<unknown>, Stamp = string> {
  readonly #bounds: CacheBounds<Value, Stamp>;
  readonly #values: LRUCache<string, Stamped<Value, Stamp>>;
  /** Values that are being computed: others who ask for one meanwhile wait for it. */
  readonly #computed = new Map<string, Stamped<Promise<Value>, Stamp>>();

  constructor(bounds: CacheBounds<Value, Stamp>) {
    const { max, size, ttl = 0 } = bounds;
    const sizeCalculation = ({ value }: Stamped<Value, Stamp>, name: string) => (size?.of(value) ?? 0) + name.length;
    this.#bounds = bounds;
    this.#values = new LRUCache({ max, ttl, ...(size && { maxSize: size.max, sizeCalculation }) });
  }

  /** Returns true if something is kept under a name, be it outdated. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Finds what is kept under a name and a stamp, which was read for the request that asks. */
  find(name: string, stamp: Stamp): Value | undefined {
    const kept = this.#values.get(name);
    const found = kept && this.#isCurrent(kept, stamp) ? kept.value : undefined;
    const { cache } = this.#bounds;
    if (cache) cacheAsked.publish({ cache, isHit: found !== undefined } satisfies AskedCache);
    return found;
  }

  /** Keeps a value that was computed after the stamp was read; its age is counted from `start`. */
  keep(name: string, stamp: Stamp, value: Value, start = performance.now()): void {
    if (this.#bounds.size?.of(value) !== null) this.#values.set(name, { stamp, value }, { start });
  }

  /** Returns what is kept under a name, or computes it; the stamp, which was read before, is null if nothing may be kept. */
  async get(name: string, stamp: Stamp | null, compute: (stamp: Stamp | null) => Promise<Value>): Promise<Value> {
    if (stamp === null) return compute(stamp);
    const kept = this.find(name, stamp);
    if (kept !== undefined) return kept;
    const others = this.#computed.get(name);
    // One that fails may have failed by its request alone.
    if (others && this.#isCurrent(others, stamp)) return others.value.catch(() => compute(stamp));
    const start = performance.now();
    const computed = { stamp, value: compute(stamp) };
    const isNewest = () => this.#computed.get(name) === computed;
    this.#computed.set(name, computed);
    try {
      const value = await computed.value;
      if (isNewest()) this.keep(name, stamp, value, start);
      return value;
    } finally {
      if (isNewest()) this.#computed.delete(name);
    }
  }

  #isCurrent(kept: Stamped<unknown, Stamp>, stamp: Stamp): boolean {
    return this.#bounds.isCurrent?.(kept.stamp, stamp) ?? kept.stamp === stamp;
  }
}
