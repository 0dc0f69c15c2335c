import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';

import { unrestricted, accountAccessScope, vehicleAccessScope } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { bytesOf } from '../../../models/trips/trip-points-bytes.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { tripFacts } from '../../../tracking/geometry/trip-facts.ts';
import { type ImportProgress, importTrips } from '../../../tracking/import/import-trips.ts';
import { recordedTrips } from './recorded-trips.ts';
import { stageTrip } from '../../../tracking/trips/stage-trip.ts';
import { account, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, ownerOf } from '../../fixtures/trip-query.ts';

useDatabase();
const gpx = useGpxFiles();

const OVER_MIDNIGHT = new URL('../../data/over-midnight.gpx', import.meta.url).pathname;
const RECORDINGS = new URL('../../../../shared/data/trips/', import.meta.url);

async function vehicle(): Promise<{ key: string; account_key: string }> {
  const { key: account_key } = await account();
  return { key: await newVehicle(account_key), account_key };
}

interface Listed {
  readonly trips: { readonly nodes: readonly { readonly key: string; readonly point_count: number }[] };
}

async function listed(of: { key: string; account_key: string }): Promise<Listed['trips']['nodes']> {
  const source = 'query ($vehicle: String!) { trips(vehicle_key: $vehicle) { nodes { key point_count } } }';
  return (await ask<Listed>(ownerOf(of.account_key), source, { vehicle: of.key })).data.trips.nodes;
}

/** Stages the trips of a file as an import does that is killed before it shows them. */
async function stageAll(of: { key: string; account_key: string }, file: string): Promise<string[]> {
  const accessScope = vehicleAccessScope(accountAccessScope(testService, of.account_key), of);
  const staged: string[] = [];
  for await (const recorded of recordedTrips(file)) {
    const points = recorded.finish();
    if (!points) throw new Error('No positions');
    const owner = { account_key: of.account_key, vehicle_key: of.key };
    staged.push((await stageTrip(accessScope, { ...owner, points, facts: tripFacts(points) })).key);
  }
  return staged;
}

/** Counts the stored trips and buckets of positions of a vehicle, listed or not. */
async function stored({ key: vehicle_key }: { key: string }): Promise<readonly [trips: number, buckets: number]> {
  return Promise.all([
    TripStore.countDocuments(unrestricted(testService), { vehicle_key }),
    TripPointsBucketStore.countDocuments(unrestricted(testService), { vehicle_key }),
  ]);
}

const straight = (start: number, count: number, lat = 10) =>
  Array.from({ length: count }, (_, i) => ({ time: start + i * 1000, lat: lat + i * 0.0001, lon: 20 }));

describe('Importing', () => {
  test('a recording makes its trip visible and tells what it is', async () => {
    const van = await vehicle();
    const { trips, faults, failures } = await importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: van });
    expect({ faults, failures }).toEqual({
      faults: [
        { file: OVER_MIDNIGHT, trip: 1, kind: 'repeated_position', count: 6, line: 28 },
        { file: OVER_MIDNIGHT, trip: 1, kind: 'gap', count: 1, line: 43 },
      ],
      failures: [],
    });
    expect(trips).toEqual([
      {
        key: expect.stringMatching(/^[\w-]{22}$/),
        file: OVER_MIDNIGHT,
        vehicle_key: van.key,
        points: 48,
        started: '2024-02-29T23:58:00+00:00',
        ended: '2024-03-01T00:02:55+00:00',
        distance_meters: expect.closeTo(2504.4, 0),
        created: true,
      },
    ]);
    expect(await listed(van)).toEqual([{ key: trips[0]?.key, point_count: 48 }]);
  });

  test('the same file again finds the same trip', async () => {
    const van = await vehicle();
    const first = await importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: van });
    const second = await importTrips(testService, { files: [OVER_MIDNIGHT, OVER_MIDNIGHT], vehicle: van });
    expect(second.trips.map(({ key, created }) => ({ key, created }))).toEqual(
      [1, 2].map(() => ({ key: first.trips[0]?.key, created: false })),
    );
    expect(await listed(van)).toHaveLength(1);
  });

  test('the same file for another vehicle makes another trip', async () => {
    const { account_key } = await vehicle();
    const [one, other] = [await newVehicle(account_key), await newVehicle(account_key)];
    const keys: string[] = [];
    for (const key of [one, other]) {
      const { trips } = await importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: { key, account_key } });
      keys.push(...trips.filter(({ created }) => created).map((trip) => trip.key));
    }
    expect(new Set(keys).size).toBe(2);
  });

  test('the same files by many processes simultaneously makes each trip once, and one of them creates it', async () => {
    const van = await vehicle();
    const file = await gpx.write('many.gpx', [straight(0, 5), straight(3_600_000, 5), straight(7_200_000, 5)]);
    const summaries = await Promise.all(
      [1, 2, 3, 4].map(() => importTrips(testService, { files: [file], vehicle: van })),
    );
    const trips = summaries.flatMap((summary) => summary.trips);
    expect(new Set(trips.map(({ key }) => key)).size).toBe(3);
    expect(trips.filter(({ created }) => created)).toHaveLength(3);
    expect(await listed(van)).toHaveLength(3);
    expect(await TripPointsBucketStore.countDocuments(unrestricted(testService), { vehicle_key: van.key })).toBe(3);
  });

  test('a file that holds a trip twice makes it once', async () => {
    const van = await vehicle();
    const file = await gpx.write('twice.gpx', [straight(0, 5), straight(0, 5)]);
    const { trips } = await importTrips(testService, { files: [file], vehicle: van });
    expect(trips.map(({ created }) => created)).toEqual([true, false]);
    expect(await listed(van)).toHaveLength(1);
  });

  test('a file that breaks off shows nothing of it, while the other files are imported', async () => {
    const van = await vehicle();
    const broken = await gpx.write('broken.gpx', [straight(0, 5)], '<trk>');
    const whole = await gpx.write('whole.gpx', [straight(60_000, 6)]);
    const { trips, failures } = await importTrips(testService, { files: [broken, whole], vehicle: van });
    expect(trips.map(({ file }) => file)).toEqual([whole]);
    expect(failures.map(({ message }) => message)).toEqual([
      `${broken}:9:5: unclosed tag: trk; --salvage imports what is whole before it`,
    ]);
    expect((await listed(van)).map(({ point_count }) => point_count)).toEqual([6]);
  });

  test('a position with an invalid timestamp is left out and reported, and the others are imported', async () => {
    const van = await vehicle();
    const position = (time: string, lat = 10) => `<trkpt lat="${lat}" lon="20"><time>${time}</time></trkpt>\n`;
    const track = ['2026-03-01T12:00:00Z', 'noon', '2026-03-01T12:00:05Z'].map((time, i) =>
      position(time, 10 + i / 1e4),
    );
    const file = await gpx.write('noon.gpx', [], `<trk><trkseg>\n${track.join('')}</trkseg></trk></gpx>`);
    const { faults, failures, trip_count } = await importTrips(testService, { files: [file], vehicle: van });
    expect({ faults, failures, trip_count }).toEqual({
      faults: [{ file, trip: 1, kind: 'bad_time', count: 1, line: 4 }],
      failures: [],
      trip_count: 1,
    });
    expect(await listed(van)).toMatchObject([{ point_count: 2 }]);
    const lost = await gpx.write('lost.gpx', [], `<trk><trkseg>\n${position('noon')}</trkseg></trk></gpx>`);
    expect(
      (await importTrips(testService, { files: [lost], vehicle: van })).failures.map(({ message }) => message),
    ).toEqual([
      `${lost}:3:1: the line has a time that cannot be read, and was skipped, like every other line; GPX writes times as 2026-03-01T12:00:00Z; describe others with --time-format`,
    ]);
  });

  test('a file without a trip is reported', async () => {
    const file = await gpx.write('none.gpx', [], '<wpt lat="1" lon="2"/></gpx>');
    const { faults, failures } = await importTrips(testService, { files: [file], vehicle: await vehicle() });
    expect({ faults, failures }).toEqual({
      faults: [{ file, trip: null, kind: 'no_trip', count: 1, line: 1 }],
      failures: [],
    });
  });

  test('a file that breaks off leaves nothing behind, and what was there before stays', async () => {
    const van = await vehicle();
    const whole = await gpx.write('before.gpx', [straight(0, 5)]);
    await importTrips(testService, { files: [whole], vehicle: van });
    const broken = await gpx.write('after.gpx', [straight(0, 5), straight(60_000, 6)], '<trk>');
    expect((await importTrips(testService, { files: [broken], vehicle: van })).failures).toHaveLength(1);
    expect(await stored(van)).toEqual([1, 1]);
    expect(await listed(van)).toHaveLength(1);
  });

  test('a file that breaks off takes nothing from another import under way', async () => {
    const van = await vehicle();
    const whole = await gpx.write('under-way.gpx', [straight(0, 5), straight(60_000, 6)]);
    const staged = await stageAll(van, whole);
    const broken = await gpx.write('breaks.gpx', [straight(0, 5), straight(60_000, 6), straight(90_000, 6)], '<trk>');
    expect((await importTrips(testService, { files: [broken], vehicle: van })).failures).toHaveLength(1);
    expect(await stored(van)).toEqual([2, 2]);
    const { trips } = await importTrips(testService, { files: [whole], vehicle: van });
    expect(trips.map(({ key }) => key)).toEqual(staged);
    expect(await listed(van)).toHaveLength(2);
  });

  test('goes on where a killed import has left off, before or after its positions were stored', async () => {
    const van = await vehicle();
    const accessScope = vehicleAccessScope(accountAccessScope(testService, van.account_key), van);
    const file = await gpx.write('killed.gpx', [straight(0, 5), straight(3_600_000, 7)]);
    const staged = await stageAll(van, file);
    await TripPointsBucketStore.deleteMany(accessScope, { trip_key: staged[0] ?? '' });
    expect(await listed(van)).toEqual([]);

    const { trips } = await importTrips(testService, { files: [file], vehicle: van });
    expect(trips.map(({ key, created }) => ({ key, created }))).toEqual(staged.map((key) => ({ key, created: true })));
    expect(await TripPointsBucketStore.countDocuments(unrestricted(testService), { vehicle_key: van.key })).toBe(2);
  });

  test('says that trips have changed where a killed import has shown them and said nothing', async () => {
    const van = await vehicle();
    const revision = async () =>
      (await VehicleStore.findOne(unrestricted(testService), { key: van.key }, 'trips_revision'))?.trips_revision;
    const killed = vi.spyOn(VehicleStore, 'updateMany').mockImplementationOnce(() => {
      throw new Error('killed');
    });
    await expect(importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: van })).rejects.toThrow('killed');
    killed.mockRestore();
    expect([await revision(), (await listed(van)).length]).toEqual([0, 1]);
    expect(await importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: van })).toMatchObject({
      created_count: 0,
    });
    expect(await revision()).toBe(1);
  });

  test('reports its progress to the last byte', async () => {
    const van = await vehicle();
    const progress: ImportProgress[] = [];
    await importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: van, onProgress: (step) => progress.push(step) });
    const size = readFileSync(OVER_MIDNIGHT).length;
    expect(progress.at(-1)).toEqual({ file: OVER_MIDNIGHT, bytes_read: size, bytes_total: size, trips: 1 });
  });

  test('stores what is staged where nobody lists it', async () => {
    const van = await vehicle();
    const file = await gpx.write('staged.gpx', [straight(0, 5)]);
    await stageAll(van, file);
    const stored = await TripStore.find(unrestricted(testService), { vehicle_key: van.key }, 'key staged');
    expect(stored.map(({ staged }) => staged)).toEqual([true]);
    const source = 'query ($key: String!) { trip(key: $key) { key } }';
    const { codes } = await ask(ownerOf(van.account_key), source, { key: stored[0]?.key });
    expect(codes).toEqual(['NOT_FOUND']);
  });
});

describe.skipIf(!existsSync(RECORDINGS))(
  'Recordings of real trips (skipped where ../shared/data/trips is absent)',
  () => {
    test('are stored in at most 12 bytes a position and come out with the facts worked out elsewhere', async () => {
      const facts = JSON.parse(readFileSync(new URL('facts.json', RECORDINGS), 'utf8')) as Record<
        string,
        { points: number; duration_s: number; distance_m_haversine: number; first_time: string; last_time: string }
      >;
      const van = await vehicle();
      const files = Object.keys(facts).map((name) => new URL(name, RECORDINGS).pathname);
      const { trips, failures } = await importTrips(testService, { files, vehicle: van });
      expect(failures).toEqual([]);
      expect(trips.map(({ points, created }) => ({ points, created }))).toEqual(
        Object.values(facts).map(({ points }) => ({ points, created: true })),
      );
      for (const known of Object.values(facts)) {
        const trip = trips.find(({ points }) => points === known.points);
        expect(Date.parse(trip?.started ?? '')).toBe(Date.parse(known.first_time));
        expect(Date.parse(trip?.ended ?? '')).toBe(Date.parse(known.last_time));
        expect(Math.abs((trip?.distance_meters ?? 0) / known.distance_m_haversine - 1)).toBeLessThan(0.005);
      }
      const buckets = await TripPointsBucketStore.find(unrestricted(testService), { vehicle_key: van.key }, 'packed');
      const bytes = buckets.reduce((sum, { packed }) => sum + bytesOf(packed).length, 0);
      expect(bytes / trips.reduce((sum, { points }) => sum + points, 0)).toBeLessThan(12);
    });
  },
);

test('One impossible speed, odometer and place of a file are not believed', async () => {
  const of = await vehicle();
  const rows = Array.from({ length: 20 }, (_, at) => {
    const time = new Date(Date.UTC(2026, 2, 1, 12, at)).toISOString();
    const lat = at === 12 ? 10 : 53 + at / 111.195;
    return [time, lat, 8.6, at === 8 ? 650 : 60, at === 5 ? 2_312_261 : 1000 + at].join(',');
  });
  const file = await gpx.writeText('spikes.csv', ['time,lat,lon,speed,odometer', ...rows, ''].join('\n'));
  const columns = { speed: 'speed', odometer: 'odometer' };
  const read = { columns, speedUnit: 'km/h', odometerUnit: 'km' } as const;
  const { trips } = await importTrips(testService, { files: [file], vehicle: of, read });
  expect(trips).toMatchObject([{ points: 19, distance_meters: expect.closeTo(19_000, -1) }]);
  const trip = await TripStore.findOne(unrestricted(testService), { key: trips[0]?.key ?? '' });
  expect(trip).toMatchObject({ start_point: { odometer: 621.371 }, end_point: { odometer: 633.177 } });
  expect(trip?.max_speed).toBeCloseTo(37.3, 0);
});
