import type { FastifyBaseLogger } from 'fastify';

import { closeOfflineTrips } from '../../resolvers/recording/close-offline-trips.ts';
import { packPurge } from '../../resolvers/recording/purge-packs.ts';

import type { Closable } from '../start/shutdown.ts';

/** Interval of the search for devices that have gone offline, in milliseconds. */
const EVERY_MS = 60_000;

/**
 * Closes trips of devices that fall silent, and purges positions that no trip has any more, for as long as the service
 * runs; a fault is logged, and tried again.
 */
export function watchOfflineDevices(log: FastifyBaseLogger): Closable {
  let running: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const purgePacks = packPurge();
  const timer = setInterval(() => {
    running = running
      .then(() => closeOfflineTrips(ending.signal))
      .catch((err: unknown) => log.error({ err }, 'trips of silent devices'))
      .then(() => (ending.signal.aborted ? undefined : purgePacks()))
      .catch((err: unknown) => log.error({ err }, 'positions of no trip'));
  }, EVERY_MS).unref();
  return {
    name: 'silent devices',
    close: () => {
      clearInterval(timer);
      ending.abort();
      return running;
    },
  };
}
