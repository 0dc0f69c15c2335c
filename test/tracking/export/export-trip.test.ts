import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accountAccessScope, vehicleAccessScope } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { emptyTripPoints, type TripPoints } from '../../../models/trips/trip-points.ts';
import { loadTripPoints, unpackTrip } from '../../../models/trips/trip-points-bucket.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../../models/trips/trip-points-codec.ts';
import { type ExportFormat, exportTrip } from '../../../tracking/export/export-trip.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { account, appFor, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';

useDatabase();

const FORMATS: readonly ExportFormat[] = ['gpx', 'geojson'];

let app: FastifyInstance;
let folder: string;
let owner: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'waybridge-export-'));
  owner = await account();
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** Text that XML can hold, and that our readers take as one event. */
const event = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').trim())
  .filter((text) => text !== '');

const position = fc.record({
  step: fc.integer({ min: 0, max: 100_000 }),
  lat: fc.double({ min: -90, max: 90, noNaN: true }).map(storedDegrees),
  lon: fc.double({ min: -180, max: 180, noNaN: true }).map(storedDegrees),
  speed: fc.option(fc.double({ min: 0, max: 400, noNaN: true }).map(storedSpeed)),
  heading: fc.option(fc.double({ min: 0, max: 359.94, noNaN: true }).map(storedHeading)),
  events: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(event, { minLength: 1, maxLength: 3 })),
});

const recording = fc
  .tuple(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.array(position, { minLength: 1, maxLength: 40 }))
  .map(([start, positions]): TripPoints => {
    const points = emptyTripPoints(positions.length);
    const events = new Map<number, readonly string[]>();
    let time = start;
    for (const [i, { step, lat, lon, speed, heading, events: there }] of positions.entries()) {
      time += step;
      points.time[i] = time;
      points.lat[i] = lat;
      points.lon[i] = lon;
      points.speed[i] = speed ?? Number.NaN;
      points.heading[i] = heading ?? Number.NaN;
      if (there.length > 0) events.set(i, there);
    }
    return { ...points, events };
  });

async function pointsOf(vehicleKey: string, tripKey: string): Promise<TripPoints> {
  const accessScope = vehicleAccessScope(accountAccessScope(testService, owner.key), { key: vehicleKey });
  return unpackTrip((await loadTripPoints(accessScope, [{ key: tripKey, pack: null }])).get(tripKey) ?? []);
}

async function textOf(key: string, format: ExportFormat): Promise<string> {
  let text = '';
  for await (const piece of await exportTrip(testService, owner.key, key, format)) text += piece;
  return text;
}

describe.each(FORMATS)('A trip as %s', (format) => {
  test('comes back by an import as it was: positions, times, speeds, headings and events', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(recording, async (points) => {
        const [from, to] = [await vehicle(owner.key), await vehicle(owner.key)];
        const key = await storeTrip({ account_key: owner.key, vehicle_key: from, points });
        const file = join(folder, `${run++}.${format}`);
        await writeFile(file, await textOf(key, format));
        const { trips, failures } = await importTrips(testService, {
          files: [file],
          vehicle: { key: to, account_key: owner.key },
        });
        expect(failures).toEqual([]);
        expect(trips).toHaveLength(1);
        expect(await pointsOf(to, trips[0]?.key ?? '')).toEqual(points);
      }),
      { numRuns: 12 },
    );
  });

  test('has all positions of many buckets', async () => {
    const vehicleKey = await vehicle(owner.key);
    const points = emptyTripPoints(4500);
    for (let i = 0; i < points.length; i++) {
      points.time[i] = 1.7e12 + i * 1000;
      points.lat[i] = storedDegrees(50 + i / 1e5);
      points.lon[i] = storedDegrees(8 - i / 1e5);
    }
    const key = await storeTrip({ account_key: owner.key, vehicle_key: vehicleKey, points });
    const text = await textOf(key, format);
    const count = format === 'gpx' ? text.split('<trkpt ').length - 1 : JSON.parse(text).geometry.coordinates.length;
    expect(count).toBe(4500);
  });
});

describe('GET {base_url}/trip/{key}', () => {
  let key: string;
  beforeAll(async () => {
    const points = { ...emptyTripPoints(2), events: new Map([[0, ['engine_start']]]) };
    points.time.set([1.7e12, 1.7e12 + 1000]);
    points.lat.set([50, 50.0001]);
    points.lon.set([8, 8.0001]);
    points.speed[1] = 12.34;
    key = await storeTrip({ account_key: owner.key, vehicle_key: await vehicle(owner.key), points });
  });

  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    app.inject({ method: 'GET', url: `/api/v2/trip/${path}`, headers: { host: 'localhost', ...headers } });

  test.each([
    ['gpx', 'application/gpx+xml', '<waybridge:event>engine_start</waybridge:event>'],
    ['geojson', 'application/geo+json', '"speeds":[null,12.34]'],
  ])('%s is the file', async (format, type, part) => {
    const response = await get(`${key}.${format}`, owner.headers);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain(type);
    expect(response.headers['content-disposition']).toBe(`attachment; filename="${key}.${format}"`);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toContain(part);
  });

  test.each(FORMATS)('%s is for the owner of the account', async (format) => {
    const apps = await appFor(await user(owner.key), ['account_activity.read', 'trippoints.read']);
    const refused = [
      await get(`${key}.${format}`, {}),
      await get(`${key}.${format}`, apps.headers),
      await get(`${key}.${format}`, (await account()).headers),
      await get(`unknown.${format}`, owner.headers),
    ];
    expect(refused.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [401, ''],
      [403, ''],
      [404, ''],
      [404, ''],
    ]);
  });

  test.each(FORMATS)('%s is for the driver of the trip, outside the privacy zones', async (format) => {
    const holder = await account();
    const vehicle_key = await vehicle(holder.key);
    const driver = await user(holder.key, [], { account_role: 'driver' });
    const points = emptyTripPoints(3);
    points.time.set([1.7e12, 1.7e12 + 1000, 1.7e12 + 2000]);
    points.lat.set([50, 50.001, 50.002]);
    const store = (shift: number) => {
      const moved = { ...points, time: points.time.map((time) => time + shift) };
      return storeTrip({ account_key: holder.key, vehicle_key, points: moved });
    };
    const [own, other] = [await store(0), await store(86_400_000)];
    await TripStore.driver(testService).updateOne({ key: own }, { $set: { user_key: driver } });
    const { headers } = await appFor(driver, ['trippoints.read']);
    expect((await get(`${own}.${format}`, headers)).body).toBe((await get(`${own}.${format}`, holder.headers)).body);
    expect((await get(`${other}.${format}`, headers)).statusCode).toBe(404);
    const poor = await appFor(driver, ['account_activity.read']);
    expect((await get(`${own}.${format}`, poor.headers)).statusCode).toBe(403);
    await createPrivacyZone(accountAccessScope(testService, holder.key), { lat: 50, lon: 0, radius_meters: 30 });
    const clipped = (await get(`${own}.${format}`, headers)).body;
    expect(clipped).toContain('50.001');
    expect(clipped.replaceAll('50.001', '').replaceAll('50.002', '')).not.toMatch(/lat="50"|,50\]/);
  });

  test('takes no other method, and no other format', async () => {
    const url = `/api/v2/trip/${key}`;
    const posted = await app.inject({
      method: 'POST',
      url: `${url}.gpx`,
      headers: { host: 'localhost', ...owner.headers },
    });
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, expect.stringContaining('GET')]);
    expect((await get(`${key}.kml`, owner.headers)).statusCode).toBe(404);
  });

  test('a trip that is still staged is not there', async () => {
    const points = emptyTripPoints(1);
    const hidden = await storeTrip(
      { account_key: owner.key, vehicle_key: await vehicle(owner.key), points },
      { isStaged: true },
    );
    expect((await get(`${hidden}.gpx`, owner.headers)).statusCode).toBe(404);
  });
});
