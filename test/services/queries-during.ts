import mongoose from 'mongoose';

/** A query that Mongoose sent. */
export interface SentQuery {
  readonly collection: string;
  readonly method: string;
}

/** The queries that Mongoose sends while something is done. */
export async function queriesDuring(work: () => Promise<void>): Promise<SentQuery[]> {
  const queries: SentQuery[] = [];
  mongoose.set('debug', (collection: string, method: string) => {
    queries.push({ collection, method });
  });
  try {
    await work();
  } finally {
    mongoose.set('debug', false);
  }
  return queries;
}
