import { StampedCache } from '../../models/stamped-cache.ts';

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

/** Makes a cache of answers that are computed of content, under its current stamp. */
export function contentCache<Value extends Keepable>(): StampedCache<Value> {
  const size = { max: MAX_BYTES, of: (value: Value) => value.size };
  return new StampedCache<Value>({ cache: 'content', max: MAX_VALUES, size, ttl: MAX_MS });
}
