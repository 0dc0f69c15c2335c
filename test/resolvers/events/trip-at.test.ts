import { beforeAll, expect, test } from 'vitest';

import { newKey } from '../../../models/key.ts';
import { accountAccessScope, vehicleAccessScope } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { tripAt } from '../../../resolvers/events/trip-at.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { ownerOf } from '../../fixtures/trip-query.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

const TRIPS = 30;
const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 1);

let accountKey: string;
let vehicleKey: string;
const devices = [newKey(), newKey()];
/** Keys of the trips of each device, in their order: one begins each minute and takes four seconds. */
const trips: string[][] = [];

beforeAll(async () => {
  accountKey = (await account()).key;
  vehicleKey = await vehicle(accountKey);
  const accessScope = vehicleAccessScope(accountAccessScope(testService, accountKey), { key: vehicleKey });
  for (const [number, device_key] of devices.entries()) {
    const keys: string[] = [];
    for (let at = 0; at < TRIPS; at++) {
      const points = drivenPoints(5, at + number * TRIPS);
      for (const place of points.time.keys()) points.time[place] = START + at * MINUTE + place * 1000;
      const key = await storeTrip({ account_key: accountKey, vehicle_key: vehicleKey, points });
      await TripStore.updateOne(accessScope, { key }, { device_key });
      keys.push(key);
    }
    trips.push(keys);
  }
});

/** Asks side by side for the trips at some times of devices; answers the trips and how many queries that took. */
async function tripsAt(asked: readonly (readonly [device: number, seconds: number])[]) {
  const context = { service: testService, caller: ownerOf(accountKey) };
  const accessScope = vehicleAccessScope(accountAccessScope(testService, accountKey), { key: vehicleKey });
  let found: (string | null)[] = [];
  const queries = await queriesDuring(async () => {
    const happenings = asked.map(([device, seconds]) => {
      const timestamp = new Date(START + seconds * 1000);
      return { accessScope, vehicle_key: vehicleKey, device_key: devices[device] ?? null, timestamp };
    });
    found = await Promise.all(happenings.map((happening) => tripAt(context, happening)));
  });
  return { found, queries: queries.length };
}

const trip = (device: number, number: number) => trips[device]?.[number];

test('what happened is in the trip of its device, from the first to the last position; between trips it is in none', async () => {
  const { found, queries } = await tripsAt([
    ...([
      [0, -1],
      [0, 0],
      [0, 4],
      [0, 4.5],
      [0, 60],
    ] as const),
    ...([
      [1, 60],
      [1, 59.9],
      [1, 29 * 60 + 4],
      [1, 1e6],
    ] as const),
  ]);
  expect(found).toEqual([null, trip(0, 0), trip(0, 0), null, trip(0, 1), trip(1, 1), null, trip(1, 29), null]);
  expect(queries).toBe(2);
});

test('what happened to one device within some trips is found by one query, of two devices by two', async () => {
  const times = [29, 3, 17, 17, 8].map((minute) => minute * 60 + 2);
  const one = await tripsAt(times.map((time) => [0, time]));
  expect(one).toEqual({ found: [29, 3, 17, 17, 8].map((number) => trip(0, number)), queries: 1 });
  const two = await tripsAt(times.flatMap((time) => [[0, time] as const, [1, time] as const]));
  expect(two.queries).toBe(2);
  expect(two.found).toEqual([29, 3, 17, 17, 8].flatMap((number) => [trip(0, number), trip(1, number)]));
});

test('what happened far apart is found by one query each at most', async () => {
  expect(
    await tripsAt([
      [0, 2],
      [0, 29 * 60 + 2],
    ]),
  ).toEqual({ found: [trip(0, 0), trip(0, 29)], queries: 2 });
  expect(await tripsAt([[1, 62]])).toEqual({ found: [trip(1, 1)], queries: 1 });
});
