import { expect, test } from 'vitest';

import { tripGaps } from '../../../models/migrations/versions/0012-trip-gaps.ts';
import { runMigrations } from '../../../models/migrations/run-migrations.ts';
import type { TripPoints } from '../../../models/trips/trip-points.ts';
import { outlineOf, packOutline } from '../../../tracking/geometry/outline.ts';
import { storedLines } from '../../../tracking/geometry/stored-lines.ts';
import { drivenPoints, drivenWithGaps } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { dyingDatabase } from './dying-database.ts';
import { db, useOldDatabase } from './old-database.ts';

useOldDatabase();

const trips = () => db().collection('trips');
const ignoreCount = async () => undefined;
/** The last has so many gaps that not all are told. */
const DRIVES: readonly TripPoints[] = [
  ...[drivenPoints(200, 1), drivenWithGaps(90, 2), drivenWithGaps(400, 3)],
  withManyGaps(drivenPoints(3300, 4)),
];

/** Positions of which every third follows a gap, some of them longer than others. */
function withManyGaps(points: TripPoints): TripPoints {
  let later = 0;
  const time = points.time.map((instant, at) => {
    later += at % 3 === 1 ? 60_000 + 1000 * (at % 7) : 0;
    return instant + later;
  });
  return { ...points, time };
}

async function storeTrips(): Promise<void> {
  const account_key = (await account()).key;
  const vehicle_key = await vehicle(account_key);
  for (const [day, points] of DRIVES.entries()) {
    const time = points.time.map((instant) => instant + day * 86_400_000 * 10);
    await storeTrip({ account_key, vehicle_key, points: { ...points, time } });
  }
}

const written = () => trips().find().sort({ 'start_point.timestamp': 1 }).toArray();

/** Stores of every trip the lines that an older program would have stored. */
async function makeOld(): Promise<void> {
  for (const [at, { _id, point_count }] of (await written()).entries()) {
    const points = DRIVES[at];
    if (!points) throw new Error(`There is no drive of ${point_count} positions`);
    const { paths } = storedLines({ ...points, time: new Float64Array(points.length) });
    const outline = packOutline(outlineOf(points));
    await trips().updateOne({ _id }, { $set: { paths, outline } });
  }
  await trips().updateMany({}, { $unset: { 'paths.meter_1.gaps': 1, 'paths.meters_5.gaps': 1 } });
}

test('trips with gaps get the lines that this program would have stored, others keep theirs', async () => {
  await storeTrips();
  const today = await written();
  await makeOld();
  const [first] = await written();
  expect(await tripGaps.pending(db())).toBe(3);
  await runMigrations(db());
  const now = await written();
  expect(now.slice(1)).toEqual(today.slice(1));
  expect(now[0]).toEqual(first);
  expect(now.at(-1)?.paths.meter_1.gaps).toHaveLength(1000);
});

test('a trip whose positions are not all there has no paths afterwards', async () => {
  await storeTrips();
  await makeOld();
  await db().collection('trip_points').deleteMany({});
  await runMigrations(db());
  const lines = (await written()).map(({ paths }) => paths);
  expect(lines[0]).not.toBeNull();
  expect(lines.slice(1)).toEqual([null, null, null]);
});

test('a run that is killed behind any of its commands goes on where it was', async () => {
  await storeTrips();
  const today = await written();
  await makeOld();
  const whole = dyingDatabase(db(), Infinity);
  await tripGaps.run({ db: whole.db, count: ignoreCount });
  expect(whole.sent()).toBeGreaterThanOrEqual(3);
  for (let deadline = 1; deadline < whole.sent(); deadline++) {
    await makeOld();
    await expect(tripGaps.run({ db: dyingDatabase(db(), deadline).db, count: ignoreCount })).rejects.toThrow('dead');
    await tripGaps.run({ db: db(), count: ignoreCount });
    expect((await written()).slice(1)).toEqual(today.slice(1));
  }
});
