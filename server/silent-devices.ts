import type { FastifyBaseLogger } from 'fastify';

import { closeSilentTrips } from '../resolvers/ingest/close-silent-trips.ts';

import type { Closable } from './shutdown.ts';

/** How often to look for devices that have fallen silent. */
const EVERY_MS = 60_000;

/** Closes trips of devices that fall silent, for as long as the service runs; a fault is logged, and tried again. */
export function watchSilentDevices(log: FastifyBaseLogger): Closable {
  let running: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const timer = setInterval(() => {
    running = running
      .then(() => closeSilentTrips(ending.signal))
      .catch((err: unknown) => log.error({ err }, 'trips of silent devices'));
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
