import mongoose from 'mongoose';

/** A query that Mongoose sent. */
export interface SentQuery {
  readonly collection: string;
  readonly method: string;
}

/**
 * The queries that Mongoose sends while something is done, except those of secrets, which a process reads once a minute.
 *
 * @param onQuery is called with each of them
 */
export async function queriesDuring(
  work: () => Promise<void>,
  onQuery: (query: SentQuery) => void = () => undefined,
): Promise<SentQuery[]> {
  const queries: SentQuery[] = [];
  mongoose.set('debug', (collection: string, method: string) => {
    if (collection === 'content_secrets') return;
    queries.push({ collection, method });
    onQuery({ collection, method });
  });
  try {
    await work();
  } finally {
    mongoose.set('debug', false);
  }
  return queries;
}
