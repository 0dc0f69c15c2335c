import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { vehicleAccessScope, accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import type { FileOptions } from '../../../tracking/import/file-formats.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { loadOpenTripPoints } from '../../../tracking/trips/open-trip-points.ts';
import { tripFacts } from '../../../tracking/geometry/trip-facts.ts';
import { ingestHost, recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { account, SHORT_TRIPS, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();

let folder: string;
let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-recorded-'));
  host = await ingestHost();
});
afterAll(async () => {
  await host.app.close();
  await rm(folder, { recursive: true });
});

const START = Date.UTC(2026, 2, 1, 12);

/** Behavior of a vehicle for some time: it drives, stands, or sends nothing; the engine may be reported at the beginning. */
const leg = fc.record({
  does: fc.constantFrom('drives', 'drives', 'stands', 'pauses'),
  positions: fc.integer({ min: 1, max: 12 }),
  each: fc.constantFrom(10, 30, 60),
  events: fc.constantFrom([], [], [], ['engine_start'], ['engine_stop'], ['harsh_brake']),
});

const recording: fc.Arbitrary<SentPoint[]> = fc.array(leg, { minLength: 2, maxLength: 8 }).map((legs) => {
  let [seconds, lat] = [0, 53];
  return legs.flatMap(({ does, positions, each, events }) => {
    if (does === 'pauses') seconds += positions * 200;
    return Array.from({ length: does === 'pauses' ? 1 : positions }, (_, at) => {
      seconds += each;
      if (does === 'drives') lat = Number((lat + each * 1e-4).toFixed(6));
      const timestamp = new Date(START + seconds * 1000).toISOString();
      return { point: { lat, lon: 8.6 }, timestamp, ...(at === 0 && events.length > 0 && { events }) };
    });
  });
});

const csv = (points: readonly SentPoint[]) =>
  `time,lat,lon,events\n${points.map(({ point: { lat, lon }, timestamp, events = [] }) => `${timestamp},${lat},${lon},${events.join(' ')}\n`).join('')}`;

const gpx = (points: readonly SentPoint[]) => {
  const track = points.map(({ point: { lat, lon }, timestamp, events = [] }) => {
    const happened = events.map((event) => `<w:event>${event}</w:event>`).join('');
    return `<trkpt lat="${lat}" lon="${lon}"><time>${timestamp}</time><extensions>${happened}</extensions></trkpt>\n`;
  });
  return `<gpx xmlns:w="urn:waybridge:gpx:1"><trk><trkseg>${track.join('')}</trkseg></trk></gpx>`;
};

/** Start, end, distance and number of positions of a vehicle's trips, so far. */
async function tripsOf(account_key: string, vehicle_key: string) {
  const trips = await TripStore.find(unrestricted(testService), { vehicle_key, staged: false });
  const accessScope = vehicleAccessScope(accountAccessScope(testService, account_key), { key: vehicle_key });
  const open = await loadOpenTripPoints(accessScope, trips);
  const facts = trips.map((trip) => {
    const points = open.get(trip.key);
    return points ? tripFacts(points) : trip;
  });
  return facts
    .map(({ start_point, end_point, distance_meters, point_count }) => [
      start_point.timestamp.toISOString(),
      end_point.timestamp.toISOString(),
      Math.round(distance_meters),
      point_count,
    ])
    .toSorted();
}

test.each<[string, string, object | null, FileOptions]>([
  ['CSV', 'short trips', SHORT_TRIPS, { format: 'csv' }],
  ['CSV', 'trips as they are without settings', null, { format: 'csv' }],
  ['newest first', 'trips as they are without settings', null, { format: 'csv' }],
  ['GPX', 'short trips', SHORT_TRIPS, { format: 'gpx' }],
])(
  'Positions in a file (%s) are cut into the trips that they would be if a device had sent them: %s',
  async (form, _, settings, read) => {
    const owner = await account({ trip_settings: settings as typeof SHORT_TRIPS | null });
    await fc.assert(
      fc.asyncProperty(recording, async (points) => {
        const device = await recordingDevice(owner);
        expect((await host.post(device.secret, { points })).body).toMatchObject({ accepted: points.length });
        const file = join(folder, `${device.device_key}.${read.format}`);
        await writeFile(
          file,
          form === 'GPX' ? gpx(points) : csv(form === 'newest first' ? points.toReversed() : points),
        );
        const vehicle = { key: await newVehicle(owner.key), account_key: owner.key };
        const { failures } = await importTrips(testService, { files: [file], vehicle, read });
        expect(failures).toEqual([]);
        expect(await tripsOf(owner.key, vehicle.key)).toEqual(await tripsOf(owner.key, device.vehicle_key));
      }),
      { numRuns: runSize(8, 100) },
    );
  },
);

test('A short walk is a trip if a track has it, since someone has recorded it, and is left out of a stream', async () => {
  const { key: account_key } = await account({ trip_settings: null });
  const walk = [0, 20, 40].map((seconds) => ({
    point: { lat: 53 + seconds * 2e-5, lon: 8.6 },
    timestamp: new Date(START + seconds * 1000).toISOString(),
  }));
  const add = async (name: string, content: string) => {
    const file = join(folder, name);
    await writeFile(file, content);
    const vehicle = { key: await newVehicle(account_key), account_key };
    const { trips, fault_totals } = await importTrips(testService, { files: [file], vehicle });
    return [trips.map(({ points }) => points), Object.keys(fault_totals)];
  };
  expect(await add('walk.gpx', gpx(walk))).toEqual([[3], ['short_track']]);
  expect(await add('walk.csv', csv(walk))).toEqual([[], ['short_drive', 'no_drive']]);
  const parked = walk.map((position) => ({ ...position, point: { lat: 53, lon: 8.6 } }));
  expect(await add('parked.gpx', gpx(parked))).toEqual([[], ['standing', 'no_drive']]);
});
