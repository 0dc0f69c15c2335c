import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';

import { REJECTIONS } from '../../schema/vehicles/ingest-rejection.ts';
import { positionsRejected, type RejectedPositions } from '../../tracking/recording/note-rejections.ts';
import type { Closable } from '../start/shutdown.ts';
import { listen } from './service-metrics.ts';

/** Interval in which the same reason of a device is logged once, in milliseconds. */
const INTERVAL_MS = 60_000;
/** Maximum number of devices and reasons whose last line is known. */
const MAX_KNOWN = 10_000;

/** Logs positions that are not believed, with their number since the last line of the same device and reason. */
export function logRejections(log: FastifyBaseLogger): Closable {
  const known = new LRUCache<string, { count: number; readonly until: number }>({ max: MAX_KNOWN });
  const stop = listen<RejectedPositions>(positionsRejected, ({ sample: _, count, ...rejected }) => {
    const { account_key, device_key, serial, reason } = rejected;
    const name = [account_key, device_key, serial, reason].join(' ');
    const last = known.get(name);
    const total = (last?.count ?? 0) + count;
    if (last && Date.now() < last.until) {
      last.count = total;
      return;
    }
    known.set(name, { count: 0, until: Date.now() + INTERVAL_MS });
    const { outcome, advice } = REJECTIONS[reason];
    const level = outcome === 'rejected' ? 'warn' : 'info';
    log[level]({ ...rejected, count: total, advice }, `positions ${outcome}`);
  });
  return { name: 'log of rejections', close: async () => stop() };
}
