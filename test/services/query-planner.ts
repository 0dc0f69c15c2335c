import mongoose from 'mongoose';
import { beforeEach } from 'vitest';

/**
 * Skips tests about query plans where the server of `MONGODB_URI` plans otherwise than MongoDB: every query
 * of a tenant has an `$and`, and some compatible servers do not look into it for an index. The embedded database must.
 */
export function needsQueryPlanner(): void {
  beforeEach(async ({ skip }) => {
    if (!process.env.MONGODB_URI) return;
    skip(!(await looksIntoAnd()), 'the server of MONGODB_URI does not look into $and for an index, as MongoDB does');
  });
}

async function looksIntoAnd(): Promise<boolean> {
  const probe = mongoose.connection.collection('query_planner_probe');
  await probe.createIndex({ field: 1 });
  return JSON.stringify(await probe.find({ $and: [{ field: 1 }] }).explain()).includes('IXSCAN');
}
