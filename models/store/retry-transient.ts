import { setTimeout as pause } from 'node:timers/promises';

import { isInTransaction } from './transaction.ts';

/** Codes of writes that a database has ended in favor of another: MongoDB's WriteConflict, and the deadlock of DocumentDB for PostgreSQL. */
const TRANSIENT: ReadonlySet<unknown> = new Set([112, 16_908_292]);
const MAX_ATTEMPTS = 5;
/** Maximum time before the next attempt, in milliseconds. */
const PAUSE_MS = 20;

/** Does a write, and does it again if the database has ended it in favor of another; a transaction is repeated as a whole. */
export async function retryTransient<Result>(write: () => PromiseLike<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransient(error) || isInTransaction()) throw error;
      await pause(Math.random() * PAUSE_MS);
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && TRANSIENT.has(error.code);
}
