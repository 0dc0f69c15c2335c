import { setTimeout as pause } from 'node:timers/promises';

/** Maximum time that a request waits for the note of its credential's use, in milliseconds. */
const WAIT_MS = 100;

/** Records the last use of a credential. Its request goes on if the database takes no writes at present: it may only read. */
export async function noteUse(write: PromiseLike<unknown>): Promise<void> {
  const ended = new AbortController();
  const waited = pause(WAIT_MS, undefined, { signal: ended.signal }).catch(() => undefined);
  const written = Promise.resolve(write).catch(() => undefined);
  await Promise.race([written, waited]);
  ended.abort();
}
