import { statSync } from 'node:fs';
import { join } from 'node:path';

import { createConnection } from 'mongoose';

import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import { newKey } from '../../models/key.ts';
import { bucketsOf, TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { cityDrive, FIRST_DAY } from './trips-records.ts';

const TRIPS = 400;
const POINTS = 1000;

/** Measures what the positions of trips take in the file of a database that holds nothing else, index included. */
export async function pointsOnDisk(folder: string): Promise<BenchRow> {
  const file = join(folder, 'points.db');
  const database = await startEmbeddedDatabase({ file });
  const connection = await createConnection(database.uri, { dbName: 'bench' }).asPromise();
  const model = connection.model('TripPointsBucket', TripPointsBucketStore.schema);
  await model.createIndexes();
  const owner = { account_key: newKey(), vehicle_key: newKey() };
  const buckets = Array.from({ length: TRIPS }, (_, seed) =>
    bucketsOf({ ...owner, key: newKey() }, cityDrive(POINTS, FIRST_DAY, seed)),
  );
  await model.insertMany(buckets.flat(), { lean: true });
  await connection.close();
  await database.close();
  const bytes = statSync(file).size;
  const detail = `${(bytes / 1e6).toFixed(1)} MB for ${TRIPS} trips of ${POINTS.toLocaleString('en')} points`;
  return atMost('bytes a point on disk, with its index', bytes / (TRIPS * POINTS), 12, detail);
}
