import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createConnection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { newKey } from '../../../models/key.ts';
import type { TripPoints } from '../../../models/trips/trip-points.ts';
import { bucketsOf, TripPointsBucketStore, unpackTrip } from '../../../models/trips/trip-points-bucket.ts';
import { bytesOf } from '../../../models/trips/trip-points-bytes.ts';
import { recordedTrips } from '../../tracking/import/recorded-trips.ts';

const RECORDINGS = new URL('../../../../shared/data/trips/', import.meta.url);
const COPIES = 40;

describe.skipIf(!existsSync(RECORDINGS))(
  'Positions of real trips (skipped where ../shared/data/trips is absent)',
  () => {
    let folder: string;
    const recorded: TripPoints[] = [];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'waybridge-size-'));
      for (const name of readdirSync(RECORDINGS).filter((file) => file.endsWith('.gpx'))) {
        for await (const trip of recordedTrips(new URL(name, RECORDINGS).pathname)) {
          const points = trip.finish();
          if (points) recorded.push(points);
        }
      }
    });
    afterAll(() => rm(folder, { recursive: true }));

    test('take at most 12 bytes each on disk, with their index, and lose nothing', async () => {
      const file = join(folder, 'points.db');
      const database = await startEmbeddedDatabase({ file });
      const connection = await createConnection(database.uri, { dbName: 'size' }).asPromise();
      const model = connection.model('TripPointsBucket', TripPointsBucketStore.schema);
      await model.createIndexes();
      const owner = { account_key: newKey(), vehicle_key: newKey() };
      let count = 0;
      for (let copy = 0; copy < COPIES; copy++) {
        for (const points of recorded) {
          await model.insertMany(bucketsOf({ ...owner, key: newKey() }, points), {
            lean: true,
          });
          count += points.length;
        }
      }
      const stored = await model.collection.find({}, { sort: { _id: 1 }, limit: 1 }).toArray();
      expect(stored.map(({ packed }) => unpackTrip([bytesOf(packed)]))).toEqual(recorded.slice(0, 1));
      await connection.close();
      await database.close();

      const bytes = (await stat(file)).size;
      expect(count).toBe(COPIES * recorded.reduce((sum, { length }) => sum + length, 0));
      expect(bytes / count).toBeLessThanOrEqual(12);
    });
  },
);
