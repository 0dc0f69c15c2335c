import { readStamp } from '../models/content-stamp.ts';

let current: Promise<unknown> = Promise.resolve();
let next: Promise<string | null> | undefined;

/**
 * The stamp under which answers are kept at this moment; null where none may be kept or used, since content is being written.
 *
 * Callers that come while the stamp is read share the reading after it, which begins after all of them have come: under load,
 * that saves most of the look-ups, and none is answered by what was read before it asked.
 */
export function currentStamp(): Promise<string | null> {
  next ??= current.then(begin, begin);
  return next;
}

/** A reader of the stamp for one request, which asks the database once at most. */
export function stampOnce(): () => Promise<string | null> {
  let read: Promise<string | null> | undefined;
  return () => {
    read ??= currentStamp();
    return read;
  };
}

function begin(): Promise<string | null> {
  next = undefined;
  const reading = readUsable();
  current = reading;
  return reading;
}

async function readUsable(): Promise<string | null> {
  const found = await readStamp();
  return found === null || (found.writers?.length ?? 0) > 0 ? null : found.stamp;
}
