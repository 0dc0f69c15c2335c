import { StampedCache } from '../../models/stamped-cache.ts';

/** Maximum size of cached values, in bytes; the least recently used are evicted first. */
const MAX_BYTES = 48 * 1024 * 1024;
/** Maximum number of cached values: each takes a kilobyte in addition to its bytes. */
const MAX_VALUES = 5000;
/** Maximum age in milliseconds, for values that depend on the time, and for writers that ended silently. */
const MAX_MS = 60_000;

/** A value that may be cached. */
export interface Keepable {
  /** In bytes; null for a value that is used only once. */
  readonly size: number | null;
}

/** Makes a cache of answers computed from content, under its current stamp. */
export function contentCache<Value extends Keepable>(): StampedCache<Value> {
  const size = { max: MAX_BYTES, of: (value: Value) => value.size };
  return new StampedCache<Value>({ cache: 'content', max: MAX_VALUES, size, ttl: MAX_MS });
}
