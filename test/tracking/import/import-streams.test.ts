import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newKey } from '../../../models/key.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import type { ImportTarget } from '../../../tracking/import/import-file.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import type { ReadOptions } from '../../../tracking/import/rows/read-options.ts';
import { purgeStaleTrips } from '../../../tracking/import/show-trips.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-import-'));
});
afterAll(() => rm(folder, { recursive: true }));

const NOON = Date.UTC(2026, 2, 1, 12);
const BY_CAR: ReadOptions = { columns: { vehicle: 'car' } };

/** Writes positions, one a line: a car, the seconds since noon, and the place. */
async function ndjson(name: string, rows: readonly (readonly [car: string, seconds: number, lat: number])[], end = '') {
  const file = join(folder, name);
  const lines = rows.map(([car, seconds, lat]) =>
    JSON.stringify({ car, time: new Date(NOON + seconds * 1000).toISOString(), lat, lon: 20 }),
  );
  await writeFile(file, `${lines.join('\n')}\n${end}`);
  return file;
}

const TWO_CARS = [
  ['Van', 0, 10],
  ['Bus', 1, 30],
  ['Van', 5, 10.001],
  ['Bus', 6, 30.001],
  ['Van', 400, 10.002],
  ['Van', 405, 10.003],
] as const;

async function fleet(createsVehicles = true): Promise<{ account_key: string; createsVehicles: boolean }> {
  return { account_key: (await account()).key, createsVehicles };
}

/** Counts what is stored of an account: trips and buckets of positions. */
async function stored(account_key: string) {
  const [visible, staged, buckets] = await Promise.all([
    TripStore.countDocuments(unrestricted(testService), { account_key, staged: false }),
    TripStore.countDocuments(unrestricted(testService), { account_key, staged: true }),
    TripPointsBucketStore.countDocuments(unrestricted(testService), { account_key }),
  ]);
  return { visible, staged, buckets };
}

describe('A file of many vehicles', () => {
  test('makes them and gives each its trips', async () => {
    const target = await fleet();
    const file = await ndjson('fleet.ndjson', TWO_CARS);
    const summary = await importTrips(testService, { ...target, files: [file], read: BY_CAR });
    expect(summary).toMatchObject({ trip_count: 3, created_count: 3, point_count: 6, vehicle_count: 2, failures: [] });
    const vehicles = await VehicleStore.find(accountAccessScope(testService, target.account_key), {}, 'key nickname');
    const byKey = new Map(vehicles.map(({ key, nickname }) => [key, nickname]));
    const trips = summary.trips.map(({ vehicle_key, points }) => [byKey.get(vehicle_key), points]);
    expect(trips.toSorted()).toEqual([
      ['Bus', 2],
      ['Van', 2],
      ['Van', 2],
    ]);
    expect(await stored(target.account_key)).toEqual({ visible: 3, staged: 0, buckets: 3 });
  });

  test('again makes nothing twice, whatever its vehicles are called by then', async () => {
    const target = await fleet();
    const file = await ndjson('fleet.ndjson', TWO_CARS);
    const first = await importTrips(testService, { ...target, files: [file], read: BY_CAR });
    const accessScope = accountAccessScope(testService, target.account_key);
    await VehicleStore.updateOne(accessScope, { nickname: 'Van' }, { nickname: 'Old van' });
    const again = await importTrips(testService, { ...target, createsVehicles: false, files: [file], read: BY_CAR });
    expect(again).toMatchObject({ trip_count: 3, created_count: 0, failures: [] });
    expect(again.trips.map(({ key }) => key)).toEqual(first.trips.map(({ key }) => key));
    expect(await VehicleStore.countDocuments(accessScope)).toBe(2);
    expect(await stored(target.account_key)).toEqual({ visible: 3, staged: 0, buckets: 3 });
  });

  test('by two processes simultaneously makes each vehicle and each trip once', async () => {
    const target = await fleet();
    const file = await ndjson('fleet.ndjson', TWO_CARS);
    const both = await Promise.all(
      [1, 2].map(() => importTrips(testService, { ...target, files: [file], read: BY_CAR })),
    );
    expect(both.reduce((sum, { created_count }) => sum + created_count, 0)).toBe(3);
    expect(await VehicleStore.countDocuments(accountAccessScope(testService, target.account_key))).toBe(2);
    expect(await stored(target.account_key)).toEqual({ visible: 3, staged: 0, buckets: 3 });
  });

  test('without leave to make them names those that are missing, and imports nothing', async () => {
    const target = await fleet(false);
    const file = await ndjson('fleet.ndjson', TWO_CARS);
    const { failures } = await importTrips(testService, { ...target, files: [file], read: BY_CAR });
    expect(failures.map(({ message }) => message)).toEqual([
      `${file}: the account has no vehicle Van, Bus; --create-vehicles creates them`,
    ]);
    expect(await stored(target.account_key)).toEqual({ visible: 0, staged: 0, buckets: 0 });
  });

  test('names what cannot be the name of a vehicle', async () => {
    const target = await fleet(true);
    const file = await ndjson('fleet.ndjson', [
      ['Van\u202egpj', 0, 10],
      ['Van\u202egpj', 5, 10.001],
    ]);
    const { failures } = await importTrips(testService, { ...target, files: [file], read: BY_CAR });
    expect(failures.map(({ message }) => message)).toEqual([
      `${file}: a vehicle cannot be called "Van\u202egpj": names must not have control characters or line breaks`,
    ]);
  });

  test('finds them by key and by nickname, in its own account only', async () => {
    const target = await fleet(false);
    const [own, foreign] = [await vehicle(target.account_key), await vehicle((await account()).key)];
    const read = async (car: string): Promise<unknown> => {
      const files = [
        await ndjson('one.ndjson', [
          [car, 0, 10],
          [car, 5, 10.001],
        ]),
      ];
      const { trips, failures } = await importTrips(testService, { ...target, files, read: BY_CAR });
      return trips[0]?.vehicle_key ?? failures[0]?.reason;
    };
    expect(await read(own)).toBe(own);
    expect(await read('Van')).toBe(own);
    expect(await read(foreign)).toMatch(/^the account has no vehicle/);
    await vehicle(target.account_key);
    expect(await read('Van')).toBe('the account has several vehicles called Van; name them by their keys');
  });

  test('that breaks off leaves no trip and no vehicle', async () => {
    const target = await fleet();
    const file = await ndjson('broken.ndjson', TWO_CARS, '{"car":');
    const { failures } = await importTrips(testService, { ...target, files: [file], read: BY_CAR });
    expect(failures).toMatchObject([{ file, line: 7 }]);
    expect(await stored(target.account_key)).toEqual({ visible: 0, staged: 0, buckets: 0 });
    expect(await VehicleStore.countDocuments(accountAccessScope(testService, target.account_key))).toBe(0);
  });

  test('becomes visible in one step', async () => {
    const target = await fleet();
    const rows = Array.from({ length: 600 }, (_, i) => [`Car ${i >> 1}`, (i % 2) * 5, i / 1e4] as const);
    const file = await ndjson('many.ndjson', rows);
    const seen = new Set<number>();
    let isRunning = true;
    const watching = (async () => {
      while (isRunning) seen.add((await stored(target.account_key)).visible);
    })();
    await importTrips(testService, { ...target, files: [file], read: BY_CAR });
    isRunning = false;
    await watching;
    seen.add((await stored(target.account_key)).visible);
    expect([...seen].sort()).toEqual([0, 300]);
  });
});

describe('Faults of a stream are reported, and the trip is imported:', () => {
  const row = (seconds: number, lat: number, more = '') =>
    `{"time":"${new Date(NOON + seconds * 1000).toISOString()}","lat":${lat},"lon":20${more}}`;
  const start = row(0, 10);

  test.each<[string, string[], Record<string, unknown>, number]>([
    ['repeated times', [start, row(0, 10.0001)], { repeated_time: { count: 1, line: 2 } }, 2],
    [
      'repeated positions',
      [row(-5, 9.9999), start, row(5, 10), row(10, 10.0001)],
      { repeated_position: { count: 1, line: 3 } },
      4,
    ],
    [
      'time running backwards',
      [start, row(5, 10.0001), row(2, 10.0002), row(9, 10.0003)],
      { time_backwards: { count: 1, line: 3 } },
      4,
    ],
    [
      'a clock set back so far that the trip is cut',
      [start, row(5, 10.0001), row(-600, 10.0002), row(-595, 10.0003)],
      { time_backwards: { count: 1, trips: 1, line: 3 } },
      4,
    ],
    [
      'a speed and a heading that cannot be, but not those that are said to be unknown',
      [row(0, 10, ',"v":-1,"heading":-1'), row(5, 10.0001, ',"v":"fast"'), row(10, 10.0002, ',"v":1,"heading":400')],
      { bad_motion: { count: 2, line: 2 } },
      3,
    ],
    ['a jump', [start, row(1, 10.001)], { jump: { count: 1, line: 2 } }, 2],
    ['a gap', [start, row(60, 10.0001)], { gap: { count: 1, line: 2 } }, 2],
    [
      'a receiver that freezes, then jumps',
      [row(-5, 9.9999), start, row(5, 10), row(10, 10), row(11, 10.001)],
      { repeated_position: { count: 2 }, frozen_fix: { count: 1, line: 3 }, jump: { count: 1, line: 5 } },
      5,
    ],
    [
      'a receiver that freezes at speed',
      [
        row(-5, 9.9999, ',"v":10'),
        row(0, 10, ',"v":10'),
        row(5, 10, ',"v":10'),
        row(10, 10, ',"v":9'),
        row(15, 10.0001, ',"v":9'),
      ],
      { repeated_position: { count: 2 }, frozen_fix: { count: 1, line: 3 } },
      5,
    ],
    [
      'a zone that is missing',
      ['{"time":"2026-03-01 12:00:00","lat":10,"lon":20}', row(5, 10.0001)],
      { no_zone: { count: 1, line: 1 } },
      2,
    ],
    [
      'a time that is missing',
      [start, '{"lat":10.0001,"lon":20}', row(5, 10.0002)],
      { no_time: { count: 1, line: 2 } },
      3,
    ],
    ['a line without a position', [start, '{"lat":null}', row(5, 10.0001)], { no_position: { count: 1, line: 2 } }, 2],
    [
      'a line with a broken time',
      [start, '{"time":"?","lat":1,"lon":1}', row(5, 10.0001)],
      { bad_time: { line: 2 } },
      2,
    ],
  ])('%s', async (_, lines, totals, points) => {
    const file = join(folder, 'faults.ndjson');
    await writeFile(file, lines.join('\n'));
    const { key: account_key } = await account();
    const target: ImportTarget = { vehicle: { key: await vehicle(account_key), account_key } };
    const read: ReadOptions = { columns: { speed: 'v', engine: 'on' }, speedUnit: 'm/s' };
    const summary = await importTrips(testService, { ...target, files: [file], read });
    expect(summary.fault_totals).toMatchObject(totals);
    expect(Object.keys(summary.fault_totals).sort()).toEqual(Object.keys(totals).sort());
    expect(summary).toMatchObject({ point_count: points, failures: [] });
  });

  test('a file of which no line can be read is refused, since its columns are others', async () => {
    const file = join(folder, 'others.ndjson');
    await writeFile(file, '{"when":1,"y":1,"x":2}\n{"when":2,"y":1,"x":2}\n');
    const { failures } = await importTrips(testService, { ...(await fleet()), files: [file], read: BY_CAR });
    expect(failures[0]?.message).toMatch(/others\.ndjson:1:1: the line has no position.*--map/);
  });
});

test('The odometer of a vehicle is the newest that was imported, also if the account has privacy zones', async () => {
  const { key: account_key } = await account();
  const key = await vehicle(account_key);
  const accessScope = accountAccessScope(testService, account_key);
  const odometerAfter = async (second: number, odometer: number) => {
    const file = join(folder, 'odometer.ndjson');
    const rows = [0, 1].map((i) => ({
      time: new Date(NOON + (second + i) * 1000).toISOString(),
      lat: 10 + i / 1e4,
      lon: 20,
    }));
    await writeFile(file, rows.map((row) => JSON.stringify({ ...row, odometer })).join('\n'));
    const read: ReadOptions = { columns: { odometer: 'odometer' }, odometerUnit: 'mi' };
    await importTrips(testService, { vehicle: { key, account_key }, files: [file], read });
    return (await VehicleStore.findOne(accessScope, { key }, 'odometer'))?.odometer;
  };
  expect(await odometerAfter(0, 500)).toBe(500);
  expect(await odometerAfter(-600, 600)).toBe(500);
  expect(await odometerAfter(600, 400)).toBe(400);
  await createPrivacyZone(accessScope, { lat: 50, lon: 8, radius_meters: 300 });
  expect(await odometerAfter(1200, 600)).toBe(600);
});

describe('What a killed import has staged', () => {
  test('is taken back a week later by another import, and no earlier', async () => {
    const target = await fleet();
    const file = await ndjson('killed.ndjson', TWO_CARS);
    await importTrips(testService, { ...target, files: [file], read: BY_CAR });
    // As the kill had left it: staged by a run that is no more.
    await TripStore.updateMany(
      unrestricted(testService),
      { account_key: target.account_key },
      { staged: true, staged_by: [newKey()], staged_at: new Date() },
    );
    await purgeStaleTrips(testService, target.account_key, Date.now() + 6 * 24 * 3_600_000);
    expect(await stored(target.account_key)).toEqual({ visible: 0, staged: 3, buckets: 3 });
    await purgeStaleTrips(testService, target.account_key, Date.now() + 8 * 24 * 3_600_000);
    expect(await stored(target.account_key)).toEqual({ visible: 0, staged: 0, buckets: 0 });
  });
});
