import type { FastifyBaseLogger } from 'fastify';

import { completeChanges } from '../../content/items/pending-changes.ts';
import { publishDueItems } from '../../content/items/publish-due.ts';
import { purgeChanges } from '../../resolvers/changes/retention.ts';
import { purgeDeleted } from '../../resolvers/deletion/purge-deleted.ts';
import { purgeExpired } from '../../resolvers/retention/purge-expired.ts';
import { closeOfflineTrips } from '../../resolvers/recording/close-offline-trips.ts';
import { completeMoves } from '../../resolvers/groups/move-group.ts';
import { lookAtOthers } from '../../resolvers/live/other-processes.ts';
import { packPurge } from '../../resolvers/recording/purge-packs.ts';

import type { Database } from '../database/database.ts';
import type { Closable } from '../start/shutdown.ts';

/** Interval at which streams learn what other processes have stored, in milliseconds. */
const OTHERS_MS = 500;

/**
 * Starts the periodic work of a service, each minute for devices and every 15 seconds for content: it closes trips of
 * devices that have gone offline, purges positions of no trip and completes moves of groups; each hour it purges what was
 * deleted long ago or is older than its account keeps it, and erases it from the file of the database; streams learn what other processes have stored; it publishes scheduled content that is due and completes changes
 * that other processes left undone. A fault is logged, and the work is tried again.
 */
export function startHousekeeping(log: FastifyBaseLogger, database: Pick<Database, 'erase'>): readonly Closable[] {
  const purgePacks = packPurge();
  const purge = hourlyPurge(database);
  const logged = (message: string) => (err: unknown) => log.error({ err }, message);
  return [
    repeat('silent devices', 60_000, async (signal) => {
      await closeOfflineTrips(signal).catch(logged('trips of silent devices'));
      if (!signal.aborted) await purgePacks().catch(logged('positions of no trip'));
      if (!signal.aborted) await completeMoves().catch(logged('moved groups'));
    }),
    repeat('streams', OTHERS_MS, () => lookAtOthers().catch(logged('streams'))),
    repeat('deleted records', 3_600_000, (signal) => purge(signal).catch(logged('deleted records'))),
    repeat('scheduled content', 15_000, async () => {
      await publishDueItems()
        .then(() => completeChanges())
        .catch(logged('scheduled content'));
    }),
  ];
}

/**
 * Makes the hourly work of purging. What it deletes is overwritten in the database, in a later hour where somebody stands in
 * the way, and once after a start, since a process may have been killed between the two.
 */
export function hourlyPurge({ erase }: Pick<Database, 'erase'>): (signal: AbortSignal) => Promise<void> {
  let isDue = true;
  return async (signal) => {
    isDue = (await purgeDeleted(signal)) || isDue;
    isDue = (await purgeExpired(signal)) || isDue;
    await purgeChanges(signal);
    if (isDue && !signal.aborted) isDue = !(await erase(signal));
  };
}

/**
 * Repeats some work, which never rejects, at an interval in milliseconds, but never twice at the same time.
 *
 * @param isImmediate true if it begins now rather than after the first interval
 */
export function repeat(
  name: string,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  { isImmediate = false } = {},
): Closable {
  const ending = new AbortController();
  let running = isImmediate ? work(ending.signal) : Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => work(ending.signal));
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
