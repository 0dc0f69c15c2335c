import { installationLease, type InstallationWork } from '../../models/leases/installation-lease.ts';
import { Lease } from '../../models/leases/lease.ts';

import type { Closable } from '../start/shutdown.ts';
import { repeat } from './housekeeping.ts';
import type { Service } from '../../models/store/service.ts';

/** Interval at which a process checks if it can take a lease, in milliseconds. */
const LOOK_EVERY_MS = 2000;

/**
 * Does work while this process holds the lease for it, so that one process of the installation does it at a time. The lease of a
 * killed process is taken over within eight seconds: when it has expired, or on the same machine at the next check.
 *
 * @param start begins the work; its parts are closed when the lease is lost
 * @param onFault called with the error; the work is retried
 */
export function runUnderLease(
  service: Service,
  work: InstallationWork,
  start: (lease: Lease) => readonly Closable[],
  onFault: (error: unknown) => void,
): Closable {
  let held: { readonly lease: Lease; readonly parts: readonly Closable[] } | null = null;
  const end = async () => {
    if (held === null) return;
    const { lease, parts } = held;
    held = null;
    await Promise.all(parts.map((part) => part.close()));
    await lease.giveBack();
  };
  const look = async (signal: AbortSignal) => {
    if (held && !held.lease.lost.aborted) return;
    await end();
    const lease = await Lease.take(installationLease(service, work));
    if (lease === null) return;
    held = { lease, parts: start(lease) };
    if (signal.aborted) await end();
  };
  const looking = repeat(work, LOOK_EVERY_MS, (signal) => look(signal).catch(onFault), { isImmediate: true });
  return {
    name: work,
    close: async () => {
      await looking.close();
      await end();
    },
  };
}
