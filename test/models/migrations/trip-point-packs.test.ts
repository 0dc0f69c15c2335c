import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';

import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { tripPointPacks } from '../../../models/migrations/versions/0001-trip-point-packs.ts';
import { runMigrations } from '../../../models/migrations/run-migrations.ts';

async function emptyDatabase(): Promise<mongoose.mongo.Db> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  const embedded = await startEmbeddedDatabase({ file: join(folder, 'old.db') });
  const connection = await mongoose.createConnection(embedded.uri, { dbName: 'old' }).asPromise();
  onTestFinished(async () => {
    await connection.close();
    await embedded.close();
    await rm(folder, { recursive: true });
  });
  if (!connection.db) throw new Error('There is no database');
  return connection.db;
}

test('data of an older program takes a second pack of a trip once it is migrated', async () => {
  const db = await emptyDatabase();
  const buckets = db.collection('trip_points');
  await buckets.createIndex({ vehicle_key: 1, trip_key: 1, number: 1 }, { unique: true });
  const bucket = { vehicle_key: 'van', trip_key: 'trip', number: 0 };
  await buckets.insertOne({ ...bucket });
  await expect(buckets.insertOne({ ...bucket, pack: 1 })).rejects.toMatchObject({ code: 11_000 });
  expect(await tripPointPacks.pending(db)).toBe(1);
  expect(await runMigrations(db, { migrations: [tripPointPacks] })).toMatchObject([{ number: 1 }]);
  expect(await tripPointPacks.pending(db)).toBe(0);
  await buckets.insertOne({ ...bucket, pack: 1 });
  expect(await buckets.countDocuments({ trip_key: 'trip' })).toBe(2);
  await buckets.createIndex({ vehicle_key: 1, trip_key: 1, pack: 1, number: 1 }, { unique: true });
  await expect(buckets.insertOne({ ...bucket, pack: null })).rejects.toMatchObject({ code: 11_000 });
});

test('a database without positions has nothing to migrate', async () => {
  expect(await tripPointPacks.pending(await emptyDatabase())).toBe(0);
});
