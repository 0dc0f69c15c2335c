import { LRUCache } from 'lru-cache';

import { type AskedCache, cacheAsked } from '../../http/observing/asked-cache.ts';

import { currentStamp } from './current-stamp.ts';
import type { Service } from '../../models/store/service.ts';

/** Maximum size of what is kept, in bytes; the least recently used goes first. */
const MAX_BYTES = 48 * 1024 * 1024;
/** Maximum number of kept values: each takes a kilobyte beside its bytes. */
const MAX_VALUES = 5000;
/** Maximum age in milliseconds, for what follows from the clock and for writers that nobody heard of again. */
const MAX_MS = 60_000;

/** A value that may be kept. */
export interface Keepable {
  /** In bytes; null for what is used this once. */
  readonly size: number | null;
}

interface Kept<T> {
  readonly stamp: string;
  readonly value: T;
}

/**
 * Keeps what is computed of content, and nothing else, by a name that says all that it depends on besides. What it returns is
 * never older than the last acknowledged write on any server, see {@link StampStore}; that takes one look-up.
 */
export class StampedCache<T extends Keepable> {
  readonly #values = new LRUCache<string, Kept<T>>({
    max: MAX_VALUES,
    maxSize: MAX_BYTES,
    ttl: MAX_MS,
    sizeCalculation: ({ value }, name) => (value.size ?? 0) + name.length + 1,
  });
  /** Values that are being computed: others who ask for one meanwhile under the same stamp wait for it. */
  readonly #computed = new Map<string, Kept<Promise<T>>>();

  /** Returns true if something is kept under a name, be it outdated. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Finds what is kept under a name and a stamp, which was read for the request that asks. */
  find(name: string, stamp: string): T | undefined {
    const kept = this.#values.get(name);
    const isHit = kept?.stamp === stamp;
    cacheAsked.publish({ cache: 'content', isHit } satisfies AskedCache);
    return isHit ? kept.value : undefined;
  }

  /** Keeps a value that was computed after the stamp was read. */
  keep(name: string, stamp: string, value: T): void {
    if (value.size !== null) this.#values.set(name, { stamp, value });
  }

  /** Returns what is kept under a name, or computes it: `compute` is given the stamp that was read before. */
  async get(service: Service, name: string, compute: (stamp: string | null) => Promise<T>): Promise<T> {
    const stamp = await currentStamp(service);
    if (stamp === null) return compute(stamp);
    const kept = this.find(name, stamp);
    if (kept !== undefined) return kept;
    const others = this.#computed.get(name);
    // One that fails may have failed by its request alone.
    if (others?.stamp === stamp) return others.value.catch(() => compute(stamp));
    const value = compute(stamp);
    const computed = { stamp, value };
    this.#computed.set(name, computed);
    try {
      const made = await value;
      this.keep(name, stamp, made);
      return made;
    } finally {
      if (this.#computed.get(name) === computed) this.#computed.delete(name);
    }
  }
}
