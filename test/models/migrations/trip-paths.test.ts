import { expect, test } from 'vitest';

import { tripPaths } from '../../../models/migrations/versions/0005-trip-paths.ts';
import { MIGRATIONS } from '../../../models/migrations/versions/all-migrations.ts';
import { dataVersions } from '../../../models/migrations/data-version.ts';
import { runMigrations } from '../../../models/migrations/run-migrations.ts';
import { emptyTripPoints } from '../../../models/trips/trip-points.ts';
import { outlineOf, packOutline } from '../../../tracking/geometry/outline.ts';
import { storedLines } from '../../../tracking/geometry/stored-lines.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { drivenPoints, pacificCrossing, TRIPS_WITH_PATHS } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { ask, embedOf } from '../../fixtures/trip-query.ts';
import { dyingDatabase } from './dying-database.ts';
import { db, useOldDatabase } from './old-database.ts';

useOldDatabase();

/** The migrations up to this one. */
const migrations = MIGRATIONS.slice(0, 5);
const ignoreCount = async () => undefined;
const trips = () => db().collection('trips');
const WITHOUT_ID = { projection: { _id: 0 } } as const;

/** Stores trips of a vehicle, and one that is open. */
async function storeTrips() {
  const account_key = (await account()).key;
  const vehicle_key = await vehicle(account_key);
  const drives = [drivenPoints(200, 1), drivenPoints(1, 2), pacificCrossing(50)];
  for (const [day, points] of drives.entries()) {
    const time = points.time.map((instant) => instant + day * 86_400_000);
    await storeTrip({ account_key, vehicle_key, points: { ...points, time } });
  }
  const packed = storedLines(drivenPoints(80, 4), 7);
  const [first] = await trips().find({}, WITHOUT_ID).toArray();
  const copy = (key: string, fields: object) => ({ ...first, key, fingerprint: key, ...fields });
  const outline = packOutline(outlineOf(emptyTripPoints(0)));
  await trips().insertOne(copy('packed', { pack: 7, ...packed, staged: true }));
  await trips().insertOne(copy('open', { outline, paths: null, staged: true }));
  // Later programs store gaps beside them.
  const gaps = { 'paths.meter_1.gaps': 1, 'paths.meters_5.gaps': 1 };
  await trips().updateMany({ paths: { $ne: null } }, { $unset: gaps });
  return { account_key, vehicle_key };
}

const written = () =>
  trips()
    .find({}, { projection: { _id: 0, key: 1, paths: 1 } })
    .sort({ key: 1 })
    .toArray();
const makeOld = () => trips().updateMany({}, { $unset: { paths: 1 } });

test('trips of an older program get the paths that this one would have stored, and are shown alike before', async () => {
  const { account_key, vehicle_key } = await storeTrips();
  const today = await written();
  const show = async () =>
    (await ask(embedOf(account_key, vehicle_key), TRIPS_WITH_PATHS, { vehicle: vehicle_key })).data;
  const shown = await show();
  await makeOld();
  expect(await show()).toEqual(shown);
  expect(await tripPaths.pending(db())).toBe(5);
  await runMigrations(db(), { migrations });
  expect(await written()).toEqual(today);
  expect(await show()).toEqual(shown);
  expect(await dataVersions(db()).findOne()).toMatchObject({ version: 5 });
});

test('paths are not used beside another pack, such as one that an older program has packed since', async () => {
  const { account_key, vehicle_key } = await storeTrips();
  const show = async () =>
    (await ask(embedOf(account_key, vehicle_key), TRIPS_WITH_PATHS, { vehicle: vehicle_key })).data;
  const shown = await show();
  await trips().updateMany(
    { paths: { $ne: null } },
    { $set: { 'paths.meter_1.points': '??', 'paths.meters_5.points': '??', 'paths.pack': 3 } },
  );
  expect(await show()).toEqual(shown);
});

test('a second run changes nothing', async () => {
  await storeTrips();
  await makeOld();
  await runMigrations(db(), { migrations });
  const changed: number[] = [];
  await tripPaths.run({ db: db(), count: async (more) => void changed.push(more) });
  expect(changed).toEqual([]);
});

test('a run that is killed behind any of its commands goes on where it was', async () => {
  await storeTrips();
  const [first] = await trips().find({ key: 'packed' }, WITHOUT_ID).toArray();
  // More than a batch, so that a run can end between two.
  const more = Array.from({ length: 50 }, (_, at) => ({ ...first, key: `${at}`, fingerprint: `${at}` }));
  for (const trip of more) await trips().insertOne(trip);
  const today = await written();
  await makeOld();
  const whole = dyingDatabase(db(), Infinity);
  await tripPaths.run({ db: whole.db, count: ignoreCount });
  expect(whole.sent()).toBe(5);
  for (let deadline = 1; deadline < whole.sent(); deadline++) {
    await makeOld();
    await expect(tripPaths.run({ db: dyingDatabase(db(), deadline).db, count: ignoreCount })).rejects.toThrow('dead');
    await tripPaths.run({ db: db(), count: ignoreCount });
    expect(await written()).toEqual(today);
  }
});
