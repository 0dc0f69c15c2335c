import { SharedReads } from '../../models/shared-reads.ts';

import { readStamp } from '../models/content-stamp.ts';

const reads = new SharedReads<string | null>();

/** The stamp under which answers are kept at this moment; null where none may be kept or used, since content is being written. */
export function currentStamp(): Promise<string | null> {
  return reads.read('stamp', async () => {
    const found = await readStamp();
    return found === null || (found.writers?.length ?? 0) > 0 ? null : found.stamp;
  });
}

/** A reader of the stamp for one request, which asks the database once at most. */
export function stampOnce(): () => Promise<string | null> {
  let read: Promise<string | null> | undefined;
  return () => {
    read ??= currentStamp();
    return read;
  };
}
