import type { FastifyBaseLogger } from 'fastify';

import { usageOf } from '../../auth/usage/usage-counter.ts';
import { completeChanges, publishDueItems } from '../../content/items/pending/pending-changes.ts';
import { lookUpStreets } from '../../tracking/addresses/look-up-streets.ts';
import { watchChanges } from '../../notifying/changes/change-watch.ts';
import { numberChanges } from '../../notifying/changes/number-changes.ts';
import { purgeChanges } from '../../notifying/changes/retention.ts';
import { purgeDeleted } from '../../tracking/retention/purge-deleted.ts';
import { purgeExpired } from '../../tracking/retention/purge-expired.ts';
import { closeOfflineTrips } from '../../tracking/recording/close-offline-trips.ts';
import { completeMoves } from '../../models/groups/move-group.ts';
import type { Lease } from '../../models/leases/lease.ts';
import { watchOthers } from '../../notifying/live/watch-processes.ts';
import { packPurge } from '../../tracking/recording/purge-packs.ts';
import { sendBehind, sendDue, watchWebhooks } from '../../notifying/webhooks/webhook-dispatch.ts';

import { webhookEvents } from '../../resolvers/webhooks/webhook-events.ts';
import type { Database } from '../database/database.ts';
import type { Closable } from '../start/shutdown.ts';
import { logRejections } from './rejection-log.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Starts the periodic work that one process of the whole installation does, see {@link runUnderLease}: each minute it closes
 * trips of devices that have gone offline, purges positions of no trip and completes moves of groups; every five seconds it gives
 * entries to changes that ended processes, such as commands, have left without one; every 15 seconds it
 * publishes scheduled content that is due and completes changes that other processes left undone; it sends pending events of
 * webhooks; it looks up streets at ends of trips, if there is a geocoder; each hour it purges deleted and expired data, and
 * erases it from the file of the database. Faults are logged, and the work is retried.
 *
 * All of it may be interrupted and repeated, and writes of a stalled process after another has taken over are the same as
 * those of the new one, or are rejected by their filters.
 *
 * @param lease under which this process does it
 */
export function startHousekeeping(
  service: Service,
  log: FastifyBaseLogger,
  database: Pick<Database, 'erase'>,
  lease: Lease,
): readonly Closable[] {
  const purgePacks = packPurge(service);
  const purge = hourlyPurge(service, database);
  const logged = (message: string) => (err: unknown) => log.error({ err }, message);
  const now = { isImmediate: true, lease };
  return [
    repeat(
      'silent devices',
      60_000,
      async (signal) => {
        await closeOfflineTrips(service, signal).catch(logged('trips of silent devices'));
        if (!signal.aborted) await purgePacks().catch(logged('positions without a trip'));
        if (!signal.aborted) await completeMoves(service).catch(logged('moved groups'));
      },
      now,
    ),
    repeat('changes', 5000, () => numberChanges(service).catch(logged('change log')), now),
    repeat('deleted records', 3_600_000, (signal) => purge(signal).catch(logged('deleted records')), { lease }),
    repeat(
      'scheduled content',
      15_000,
      async () => {
        await publishDueItems(service)
          .then(() => completeChanges(service))
          .catch(logged('scheduled content'));
      },
      now,
    ),
    ...(service.settings.geocoderUrl === null
      ? []
      : [repeat('streets', 2000, (signal) => lookUpStreets(service, signal).catch(logged('streets')), now)]),
    repeat('due webhooks', 3000, (signal) => sendDue(service, webhookEvents, signal).catch(logged('webhooks')), now),
    repeat('webhooks', 30_000, (signal) => sendBehind(service, webhookEvents, signal).catch(logged('webhooks')), now),
  ];
}

/**
 * Starts the work of each process for its own requests: its changes get entries in the log, webhooks get their
 * events, and its streams are notified of changes by other processes, and these of changes by this one.
 */
export function startWatching(service: Service, log: FastifyBaseLogger): readonly Closable[] {
  const logged = (message: string) => (err: unknown) => log.error({ err }, message);
  return [
    { name: 'webhooks', ...watchWebhooks(service, webhookEvents, logged('webhooks')) },
    { name: 'change log', ...watchChanges(service, logged('change log')) },
    logRejections(log),
    countUsage(service, logged('usage')),
    { name: 'other processes', ...watchOthers(service, logged('other processes')) },
  ];
}

/** Writes what requests have used each minute, and at the end. */
function countUsage(service: Service, onError: (error: unknown) => void): Closable {
  const write = () => usageOf(service).write().catch(onError);
  const writing = repeat('usage', 60_000, write);
  return {
    name: writing.name,
    close: async () => {
      await writing.close();
      await write();
    },
  };
}

/**
 * Makes the hourly work of purging. Deleted data is overwritten in the database, in a later hour if a reader blocks
 * it, and once after a start, since a process may have been killed between the two.
 */
export function hourlyPurge(
  service: Service,
  { erase }: Pick<Database, 'erase'>,
): (signal: AbortSignal) => Promise<void> {
  let isDue = true;
  return async (signal) => {
    isDue = (await purgeDeleted(service, signal)) || isDue;
    isDue = (await purgeExpired(service, signal)) || isDue;
    await purgeChanges(service, signal);
    if (isDue && !signal.aborted) isDue = !(await erase(signal));
  };
}

/**
 * Repeats work that never rejects at an interval in milliseconds, never concurrently.
 *
 * @param isImmediate true if it begins now rather than after the first interval
 * @param lease required to begin work; losing it ends the repetition
 */
export function repeat(
  name: string,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  { isImmediate = false, lease }: { readonly isImmediate?: boolean; readonly lease?: Lease } = {},
): Closable {
  const ending = new AbortController();
  const signal = lease ? AbortSignal.any([ending.signal, lease.lost]) : ending.signal;
  const begin = async () => {
    if (!signal.aborted && lease?.isHeld() !== false) await work(signal);
  };
  let running = isImmediate ? begin() : Promise.resolve();
  let isWaiting = false;
  const timer = setInterval(() => {
    // Work that takes longer than the interval is not repeated for each that has passed meanwhile.
    if (isWaiting) return;
    isWaiting = true;
    running = running.then(() => {
      isWaiting = false;
      return begin();
    });
  }, intervalMs).unref();
  return {
    name,
    close: () => {
      clearInterval(timer);
      ending.abort();
      return running;
    },
  };
}
