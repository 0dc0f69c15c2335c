import { channel } from 'node:diagnostics_channel';

import { LRUCache } from 'lru-cache';

/** A look-up in a cache of answers, for metrics. */
export interface AskedCache {
  readonly cache: 'trip_maps' | 'content';
  readonly isHit: boolean;
}

/** Reports to metrics each {@link AskedCache}. */
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
  /** Maximum size of all values, with their names, in bytes; null for values that are used only once. */
  readonly size?: { readonly max: number; readonly of: (value: Value) => number | null };
  /** Maximum age in milliseconds, for dependencies that no stamp covers; none by default. */
  readonly ttl?: number;
  /** Returns true if a value cached under one stamp is valid under another; by default if they are equal. */
  readonly isCurrent?: (kept: Stamp, stamp: Stamp) => boolean;
  /** Name by which its use is measured; not measured by default. */
  readonly cache?: AskedCache['cache'];
}

/** Bounds for data of accounts, whose stamp is the number of its changes: values read after a later change are valid too. */
export const BY_REVISION = {
  max: 1000,
  /** A process that was killed between a change and counting it has not acknowledged the change, but it may be visible. */
  ttl: 60_000,
  isCurrent: (kept: number, revision: number) => kept >= revision,
} as const;

/**
 * Caches values that are computed from stored data, by a name that contains all other dependencies, and by a stamp, which every
 * change of the data replaces before it is acknowledged. The stamp is read for each request, before the data: so no value is
 * older than the last acknowledged change on any server.
 */
export class StampedCache<Value extends NonNullable<unknown>, Stamp = string> {
  readonly #bounds: CacheBounds<Value, Stamp>;
  readonly #values: LRUCache<string, Stamped<Value, Stamp>>;
  /** Values that are being computed: other requests for one wait for it. */
  readonly #computed = new Map<string, Stamped<Promise<Value>, Stamp>>();

  constructor(bounds: CacheBounds<Value, Stamp>) {
    const { max, size, ttl = 0 } = bounds;
    const sizeCalculation = ({ value }: Stamped<Value, Stamp>, name: string) => (size?.of(value) ?? 0) + name.length;
    this.#bounds = bounds;
    this.#values = new LRUCache({ max, ttl, ...(size && { maxSize: size.max, sizeCalculation }) });
  }

  /** Returns true if something is cached under a name, even if it is outdated. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Finds the value cached under a name and a stamp, which was read for the current request. */
  find(name: string, stamp: Stamp): Value | undefined {
    const kept = this.#values.get(name);
    const found = kept && this.#isCurrent(kept, stamp) ? kept.value : undefined;
    const { cache } = this.#bounds;
    if (cache) cacheAsked.publish({ cache, isHit: found !== undefined } satisfies AskedCache);
    return found;
  }

  /** Caches a value that was computed after the stamp was read; its age is counted from `start`. */
  keep(name: string, stamp: Stamp, value: Value, start = performance.now()): void {
    if (this.#bounds.size?.of(value) !== null) this.#values.set(name, { stamp, value }, { start });
  }

  /**
   * Returns the value cached under a name, or computes it; the stamp, which was read before, is null if nothing may be cached.
   */
  async get(name: string, stamp: Stamp | null, compute: (stamp: Stamp | null) => Promise<Value>): Promise<Value> {
    if (stamp === null) return compute(stamp);
    const kept = this.find(name, stamp);
    if (kept !== undefined) return kept;
    const others = this.#computed.get(name);
    // A failure may concern only its own request.
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
