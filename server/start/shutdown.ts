import type { FastifyBaseLogger } from 'fastify';

import { within } from '../../http/observing/within.ts';

const WITHIN_MS = 5000;
/** Time that the last part has even if the others took all: an exit beside a database thread that writes is an abort. */
const LAST_WITHIN_MS = 1000;

/** A part of the service that can be closed: the host, the database. */
export interface Closable {
  /** Names the part in the log. */
  readonly name: string;
  close(): Promise<unknown>;
}

/**
 * Makes a function that closes parts in order, in five seconds and one for the last, and returns the names of those that did not
 * close.
 */
export function createShutdown(parts: readonly Closable[], log: FastifyBaseLogger): () => Promise<readonly string[]> {
  let stopped: Promise<readonly string[]> | undefined;
  return () => {
    stopped ??= closeAll(parts, log);
    return stopped;
  };
}

async function closeAll(parts: readonly Closable[], log: FastifyBaseLogger): Promise<readonly string[]> {
  const unclosed: string[] = [];
  const end = Date.now() + WITHIN_MS;
  for (const part of parts) {
    try {
      const atLeast = part === parts.at(-1) ? LAST_WITHIN_MS : 0;
      await within(Math.max(atLeast, end - Date.now()), part.close(), 'Not closed in time');
    } catch (err) {
      log.error({ err }, `${part.name} did not close`);
      unclosed.push(part.name);
    }
  }
  return unclosed;
}
