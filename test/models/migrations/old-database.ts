import type mongoose from 'mongoose';
import { beforeEach } from 'vitest';

import { useDatabase, testService } from '../../services/database.ts';

/** Gives each test of a file an empty database without indexes, as a migration may find one. */
export function useOldDatabase(): void {
  useDatabase();
  beforeEach(async () => {
    await testService.connection.dropDatabase();
  });
}

/** The database of the test. */
export function db(): mongoose.mongo.Db {
  const { db } = testService.connection;
  if (!db) throw new Error('There is no database');
  return db;
}
