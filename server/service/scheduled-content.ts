import type { FastifyBaseLogger } from 'fastify';

import { completeChanges } from '../../content/items/pending-changes.ts';
import { publishDueItems } from '../../content/items/publish-due.ts';

import type { Closable } from '../start/shutdown.ts';

/** Interval of the search for posts and pages that are due, and for interrupted changes, in milliseconds. */
const EVERY_MS = 15_000;

/**
 * Publishes scheduled content when it is due, and completes what other processes left undone, for as long as the service runs.
 * A fault is logged, and tried again.
 */
export function publishScheduledContent(log: FastifyBaseLogger): Closable {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(publishDueItems)
      .then(() => completeChanges())
      .catch((err: unknown) => log.error({ err }, 'scheduled content'));
  }, EVERY_MS).unref();
  return {
    name: 'scheduled content',
    close: () => {
      clearInterval(timer);
      return running;
    },
  };
}
