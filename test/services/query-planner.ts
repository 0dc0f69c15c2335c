import { beforeEach } from 'vitest';

import { testService } from './database.ts';

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

/** The plan of a query. */
export function explained(query: object): Promise<unknown> {
  return (query as { explain(verbosity: string): Promise<unknown> }).explain('queryPlanner');
}

async function looksIntoAnd(): Promise<boolean> {
  const probe = testService.connection.collection('query_planner_probe');
  await probe.createIndex({ field: 1 });
  return JSON.stringify(await probe.find({ $and: [{ field: 1 }] }).explain()).includes('IXSCAN');
}
