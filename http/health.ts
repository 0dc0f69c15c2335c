import type { FastifyInstance } from 'fastify';

import { RETRY_AFTER } from './answers/database-unreachable.ts';
import { within } from './observing/within.ts';

const PING_WITHIN_MS = 2000;
const PING_EVERY_MS = 2000;

/** Parts of the health endpoints. */
export interface HealthOptions {
  /** Rejects when the database cannot be reached, or cannot be written. */
  readonly ping: () => Promise<void>;
  /** Version of the program. */
  readonly version: string;
}

/**
 * Adds `/healthz`, 200 with the version while the process answers, and `/readyz`, 503 with `Retry-After` while `ping`
 * rejects or takes two seconds, checked at most every two seconds. Status in the bodies: `ok` or `unavailable`.
 */
export function addHealth(app: FastifyInstance, { ping, version }: HealthOptions): void {
  let last: { readonly ready: Promise<boolean>; readonly at: number } | undefined;
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok', version }));
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const now = performance.now();
    if (last === undefined || now - last.at > PING_EVERY_MS) last = { ready: answersInTime(ping), at: now };
    const ready = await last.ready;
    return ready
      ? { status: 'ok' }
      : reply.code(503).header('Retry-After', RETRY_AFTER).send({ status: 'unavailable' });
  });
}

async function answersInTime(ping: () => Promise<void>): Promise<boolean> {
  try {
    await within(PING_WITHIN_MS, ping(), 'No answer in time');
    return true;
  } catch {
    return false;
  }
}
