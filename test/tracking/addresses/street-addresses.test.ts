import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { Service } from '../../../models/store/service.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { ChangeStore } from '../../../models/changes/change.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import type { Address } from '../../../schema/trips/trip-end.ts';
import { lookUpStreets } from '../../../tracking/addresses/look-up-streets.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, ownerOf } from '../../fixtures/trip-query.ts';
import { fakeGeocoder } from '../../hosts/fake-geocoder.ts';
import { account, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

const geocoder = await fakeGeocoder();
useDatabase({ geocoderUrl: geocoder.nominatimUrl, geocoderRate: 1000 });
const gpx = useGpxFiles();
afterAll(() => geocoder.close());

const CITY = { city: 'Bremen', state: 'Bremen', country: 'Germany' };
const MARKTPLATZ = { street: 'Marktplatz 1', zipcode: '28195', ...CITY };

beforeEach(() => {
  geocoder.asked.length = 0;
  geocoder.answer(() => ({ street: 'Marktplatz', housenumber: '1', postcode: '28195' }));
});

interface Van {
  readonly key: string;
  readonly account_key: string;
}

async function vehicle(): Promise<Van> {
  const { key: account_key } = await account();
  return { key: await newVehicle(account_key), account_key };
}

/** Latitude in Bremen of the next trip: each begins elsewhere, so that no test knows the places of others. */
const next = { lat: 53.06, time: Date.UTC(2026, 2, 1) };

/** Imports a trip from a place in Bremen to another, 100 m north; returns the latitude of its start. */
async function drive(van: Van, start?: number): Promise<number> {
  next.lat += 0.001;
  next.time += 3_600_000;
  const lat = start ?? next.lat;
  const positions = [0, 1].map((i) => ({
    time: next.time + i * 10_000,
    lat: lat + i * 0.0009,
    lon: 8.8072,
  }));
  const files = [await gpx.write(`${van.key}-${lat}.gpx`, [positions])];
  expect(await importTrips(testService, { files, vehicle: van })).toMatchObject({ created_count: 1 });
  return lat;
}

async function endsSeen({ key, account_key }: Van) {
  interface Seen {
    readonly trips: { readonly nodes: readonly { readonly [end: string]: { readonly address: Address | null } }[] };
  }
  const fields = 'address { street zipcode city state country }';
  const source = `query ($vehicle: String!) { trips(vehicle_key: $vehicle) { nodes { start_point { ${fields} } end_point { ${fields} } } } }`;
  const { data } = await ask<Seen>(ownerOf(account_key), source, { vehicle: key });
  return data.trips.nodes.map(({ start_point, end_point }) => [start_point?.address, end_point?.address]);
}

const lookUp = (service = testService) => lookUpStreets(service, new AbortController().signal);
const withoutStreet = { street: null, zipcode: null, ...CITY };

test('A trip has its cities at once, and its streets when the geocoder has been asked for them, one at a time', async () => {
  const van = await vehicle();
  const lat = await drive(van);
  expect(await endsSeen(van)).toEqual([[withoutStreet, withoutStreet]]);
  expect(geocoder.asked).toEqual([]);
  await lookUp();
  expect(await endsSeen(van)).toEqual([[MARKTPLATZ, MARKTPLATZ]]);
  expect(geocoder.asked.map((place) => place.lat.toFixed(4))).toEqual([lat.toFixed(4), (lat + 0.0009).toFixed(4)]);
  expect(geocoder.asked[0]).toMatchObject({ lon: 8.8072, language: 'en' });
  expect(geocoder.maxOpen()).toBe(1);
});

test('Streets are no change that the log tells: old trips would be news to new webhooks', async () => {
  const van = await vehicle();
  await drive(van);
  const logged = async () => {
    await numberChanges(testService);
    return ChangeStore.countDocuments(unrestricted(testService), { account_key: van.account_key });
  };
  const before = await logged();
  await lookUp();
  expect(await endsSeen(van)).toEqual([[MARKTPLATZ, MARKTPLATZ]]);
  expect(await logged()).toBe(before);
  expect(before).toBeGreaterThan(0);
});

test('A place is asked for once, rounded to 11 m', async () => {
  const [van, other] = [await vehicle(), await vehicle()];
  const lat = await drive(van);
  await lookUp();
  geocoder.asked.length = 0;
  await drive(other, lat + 0.00001);
  await lookUp();
  expect(await endsSeen(other)).toEqual([[MARKTPLATZ, MARKTPLATZ]]);
  expect(geocoder.asked).toEqual([]);
});

describe('The answer of', () => {
  const city = { city: 'Stuhr', state: 'Niedersachsen', country: 'Deutschland' };
  test.each<[string, 'nominatimUrl' | 'photonUrl', object, Partial<Address>]>([
    ['Nominatim', 'nominatimUrl', { street: 'Am Wall', ...city }, { street: 'Am Wall', zipcode: null, ...city }],
    [
      'Photon',
      'photonUrl',
      { street: 'Am Wall', housenumber: '7', postcode: '28203' },
      { street: 'Am Wall 7', zipcode: '28203', ...CITY },
    ],
    [
      'Nominatim, a street',
      'nominatimUrl',
      { type: 'street', name: 'Am Wall' },
      { ...withoutStreet, street: 'Am Wall' },
    ],
    ['Photon, a shop', 'photonUrl', { type: 'house', name: 'Bakery' }, withoutStreet],
    ['Nominatim, nothing', 'nominatimUrl', {}, withoutStreet],
    ['Photon, nothing', 'photonUrl', {}, withoutStreet],
    ['something else', 'photonUrl', { street: 7, city: ['x'], postcode: '' }, withoutStreet],
  ])('%s is read', async (_name, url, properties, expected) => {
    const van = await vehicle();
    await drive(van);
    geocoder.answer(() => properties);
    const settings = { ...testService.settings, geocoderUrl: geocoder[url] };
    await lookUp(new Service({ ...testService, settings }));
    expect(await endsSeen(van)).toEqual([[expected, expected]]);
  });
});

test('A position inside a privacy zone is never sent, nor one that rounding moves into it', async () => {
  const van = await vehicle();
  const lat = next.lat + 0.5;
  const accessScope = accountAccessScope(testService, van.account_key);
  await createPrivacyZone(accessScope, { lat, lon: 8.8072, radius_meters: 45, trips: 'cut' });
  // 49 m, rounded 44 m, and 67 m.
  for (const away of [0, 0.00044, 0.0006]) await drive(van, lat + away);
  geocoder.asked.length = 0;
  await lookUp();
  const sent = geocoder.asked.map((place) => Math.round((place.lat - lat) * 10_000));
  expect(sent.toSorted((one, other) => one - other)).toEqual([6, 9, 13, 15]);
});

test('A failing geocoder costs a trip nothing but its streets, and is asked no more meanwhile', async () => {
  const [van, waiting] = [await vehicle(), await vehicle()];
  await drive(waiting);
  await drive(van);
  geocoder.answer(() => 503);
  const failing = new Service({ ...testService });
  await expect(lookUp(failing)).rejects.toThrow('The geocoder answered 503; check GEOCODER_URL');
  expect(await endsSeen(van)).toEqual([[withoutStreet, withoutStreet]]);
  expect(geocoder.asked).toHaveLength(1);
  const stopping = new AbortController();
  const resumed = lookUpStreets(failing, stopping.signal);
  stopping.abort();
  await resumed;
  expect(geocoder.asked).toHaveLength(1);
  // The trip that waited still does.
  geocoder.answer(() => ({ street: 'Marktplatz', housenumber: '1', postcode: '28195' }));
  await lookUp();
  expect(await endsSeen(waiting)).toEqual([[MARKTPLATZ, MARKTPLATZ]]);
});
