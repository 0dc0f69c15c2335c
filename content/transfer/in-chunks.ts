/** How many documents are written at the same moment, so that the database makes them durable together. */
const CHUNK = 200;

/** Does something to each, a chunk at a time; the order inside a chunk is not kept. */
export async function inChunks<T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < values.length; at += CHUNK) {
    await Promise.all(values.slice(at, at + CHUNK).map(work));
  }
}
