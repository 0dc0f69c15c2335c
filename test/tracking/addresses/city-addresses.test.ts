import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Caller } from '../../../auth/caller.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import type { Address } from '../../../schema/trips/trip-end.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, embedOf, ownerOf } from '../../fixtures/trip-query.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { account, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();
const gpx = useGpxFiles();

const RECORDINGS = new URL('../../../../shared/data/trips/', import.meta.url);
const NOON = Date.UTC(2026, 2, 1, 12);
const BREMEN = { city: 'Bremen', state: 'Bremen', country: 'Germany' };

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type Place = readonly [lat: number, lon: number];
type Ends = readonly [start: Partial<Address> | null, end: Partial<Address> | null];

async function vehicle(): Promise<{ key: string; account_key: string }> {
  const { key: account_key } = await account();
  return { key: await newVehicle(account_key), account_key };
}

/** Imports a trip with a position each ten seconds. */
async function drive(van: { key: string; account_key: string }, ...places: readonly Place[]): Promise<void> {
  const positions = places.map(([lat, lon], i) => ({ time: NOON + i * 10_000, lat, lon }));
  const files = [await gpx.write(`${van.key}.gpx`, [positions])];
  expect(await importTrips(testService, { files, vehicle: van })).toMatchObject({ created_count: 1, failures: [] });
}

const CITY = 'address { city state country }';

/** The addresses at both ends of the trips of a vehicle, as a caller sees them. */
async function endsSeen(caller: Caller, vehicle_key: string, fields = CITY): Promise<Ends[]> {
  interface Seen {
    readonly trips: { readonly nodes: readonly { readonly [end: string]: { readonly address: Address | null } }[] };
  }
  const source = `query ($vehicle: String!) { trips(vehicle_key: $vehicle) { nodes { start_point { ${fields} } end_point { ${fields} } } } }`;
  const { data } = await ask<Seen>(caller, source, { vehicle: vehicle_key });
  return data.trips.nodes.map(({ start_point, end_point }) => [
    start_point?.address ?? null,
    end_point?.address ?? null,
  ]);
}

describe('The ends of a trip are named after the city that they lie in, or else the nearest', () => {
  test.each<[string, Place, Partial<Address> | null]>([
    ['the center of a city', [53.0758, 8.8072], BREMEN],
    ['a district of a large city', [52.4987, 13.4], { city: 'Berlin', state: 'State of Berlin', country: 'Germany' }],
    [
      'a small town beside a large city',
      [52.405, 13.22],
      { city: 'Kleinmachnow', state: 'Brandenburg', country: 'Germany' },
    ],
    ['a town across the border', [47.645, 9.178], { city: 'Kreuzlingen', state: 'Thurgau', country: 'Switzerland' }],
    ['a road between towns', [48.7, 11.5], { city: 'Manching', state: 'Bavaria', country: 'Germany' }],
    ['the southern and western hemisphere', [-10.92, -37.06], { city: 'Aracaju', state: 'Sergipe', country: 'Brazil' }],
    ['the desert, more than 20 km from any city', [23, 5], null],
    ['the sea', [30, -40], null],
    ['the pole', [90, 0], null],
  ])('%s', async (_name, place, expected) => {
    const van = await vehicle();
    await drive(van, place, [place[0] - 0.001, place[1]]);
    expect(await endsSeen(ownerOf(van.account_key), van.key)).toEqual([[expected, expected]]);
  });
});

test('A trip of a device has the address of its start while it is open, and both once it has ended, by REST as well', async () => {
  const device = await recordingDevice();
  const { headers, key } = device.owner;
  await host.post(device.secret, { points: [at(0, 'engine_start'), at(10)] });
  await leasedWorkEnded(testService);
  expect(await endsSeen(ownerOf(key), device.vehicle_key)).toEqual([[BREMEN, null]]);
  await host.post(device.secret, { points: [at(20, 'engine_stop')] });
  await leasedWorkEnded(testService);
  const answer = await host.app.inject({ url: '/api/v2/trips', headers: { host: 'localhost', ...headers } });
  const address = { street: null, ...BREMEN, zipcode: null };
  expect(answer.json().trips).toMatchObject([{ start_point: { address }, end_point: { address } }]);
});

test('Trips that are over when their positions arrive have addresses', async () => {
  const device = await recordingDevice();
  const points = [at(0, 'engine_start'), at(10), at(20, 'engine_stop')];
  await host.post(device.secret, { points: [...points, at(4000, 'engine_start'), at(4010, 'engine_stop')] });
  await leasedWorkEnded(testService);
  const ends = await endsSeen(ownerOf(device.owner.key), device.vehicle_key);
  // At 4,010 seconds it is 27 km further east.
  expect(ends).toEqual(
    expect.arrayContaining([
      [BREMEN, BREMEN],
      [expect.objectContaining({ state: 'Lower Saxony' }), expect.anything()],
    ]),
  );
});

test('An end that the window of a trip map cuts off has no address, the other keeps its own', async () => {
  const van = await vehicle();
  await drive(van, [53.0758, 8.8072], [53.0768, 8.8072], [53.0778, 8.8072]);
  const map = embedOf(van.account_key, van.key, { gte: NOON, lt: NOON + 15_000 });
  expect(await endsSeen(map, van.key)).toEqual([[BREMEN, null]]);
});

test('If an account has privacy zones, only its owner sees addresses', async () => {
  const van = await vehicle();
  await drive(van, [53.0758, 8.8072], [53.0768, 8.8072], [53.0858, 8.8072]);
  const accessScope = accountAccessScope(testService, van.account_key);
  await createPrivacyZone(accessScope, { lat: 53.0758, lon: 8.8072, radius_meters: 50, trips: 'cut' });
  expect(await endsSeen(embedOf(van.account_key, van.key), van.key)).toEqual([[null, null]]);
  expect(await endsSeen(ownerOf(van.account_key), van.key)).toEqual([[BREMEN, BREMEN]]);
});

describe.skipIf(!existsSync(RECORDINGS))(
  'Recordings of real trips (skipped where ../shared/data/trips is absent)',
  () => {
    test.each([
      ['01-munich-city-motorway-1s.gpx', 'Munich', 'Gräfelfing', 'Germany'],
      ['02-bremen-motorway-5s.gpx', 'Sottrum', 'Bremen', 'Germany'],
      ['06-porto-taxi-15s.gpx', 'Porto', 'Porto', 'Portugal'],
    ])('%s begins and ends where it did', async (name, start, end, country) => {
      const van = await vehicle();
      await importTrips(testService, { files: [new URL(name, RECORDINGS).pathname], vehicle: van });
      const seen = (city: string) => expect.objectContaining({ city, country });
      expect(await endsSeen(ownerOf(van.account_key), van.key)).toEqual([[seen(start), seen(end)]]);
    });
  },
);
