import { setImmediate } from 'node:timers/promises';

import type { mongo } from 'mongoose';

/** Number of documents that are decoded in one turn of the event loop. */
const AT_ONCE = 50;

/**
 * Reads all documents that a cursor finds. The driver decodes a whole batch at once; here other requests run between some
 * documents and the next.
 *
 * @param complete is called with the documents of each turn
 */
export async function decodeInTurns(
  cursor: mongo.FindCursor,
  complete: (documents: readonly mongo.Document[]) => void,
): Promise<mongo.Document[]> {
  const found: mongo.Document[] = [];
  for (;;) {
    const next = await cursor.next();
    if (next === null) return found;
    const documents = [next, ...cursor.readBufferedDocuments(AT_ONCE - 1)];
    complete(documents);
    found.push(...documents);
    if (cursor.bufferedCount() > 0) await setImmediate();
  }
}
