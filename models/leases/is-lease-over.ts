import { isHolderDead } from './lease-holder.ts';

/** Time after which a lease expires unless its holder renews it, in milliseconds. */
export const LEASE_MS = 6000;
/** Time for which a process runs late at most, in milliseconds: a lease that stays the same for longer was not renewed. */
const LATE_MS = 500;
/** Maximum number of leases that this process watches. */
const MAX_WATCHED = 1000;

/** When this process first saw each lease of others, by holder and expiry, on a clock that nobody sets. */
const seen = new Map<string, number>();

/**
 * Returns true if a lease has ended: it has expired, its holder is dead, or it stays the same while this process watches it for the
 * time of a lease, `leaseMs`, whatever clock it was made by.
 */
export function isLeaseOver(holder: string, until: Date, now = Date.now(), leaseMs = LEASE_MS): boolean {
  if (until.getTime() <= now || isHolderDead(holder)) return true;
  const key = `${holder} ${until.getTime()}`;
  const since = seen.get(key);
  if (since !== undefined) return performance.now() - since > leaseMs + LATE_MS;
  if (seen.size >= MAX_WATCHED) for (const oldest of [...seen.keys()].slice(0, MAX_WATCHED / 2)) seen.delete(oldest);
  seen.set(key, performance.now());
  return false;
}
