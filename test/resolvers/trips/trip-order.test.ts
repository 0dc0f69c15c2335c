import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';

import type { Caller } from '../../../auth/caller.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { emptyTripPoints } from '../../../models/trips/trip-points.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { ask, ownerOf } from '../../fixtures/trip-query.ts';
import { account, group, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();

const HOUR = 3_600_000;
const START = Date.UTC(2024, 1, 27);
/** Inside the zone of {@link beforeAll}, and far away from it. */
const HIDDEN = { lat: 50, lon: 8 };
const SEEN = { lat: 51, lon: 9 };

let accountKey: string;
let vehicles: string[];
let groupKey: string;

beforeAll(async () => {
  accountKey = (await account()).key;
  const north = await group(accountKey, 'North');
  groupKey = north.key;
  vehicles = [await vehicle(accountKey, [north]), await vehicle(accountKey), await vehicle(accountKey, [north])];
  await createPrivacyZone(accountAccessScope(testService, accountKey), { ...HIDDEN, radius_meters: 500 });
});
beforeEach(() => TripStore.deleteMany(unrestricted(testService), {}));

/** A trip: in whole hours, when it starts, how long nothing of it is seen, and how long it is seen then. */
const trip = fc.record({
  vehicle: fc.nat(2),
  start: fc.nat(60),
  hidden: fc.constantFrom(0, 0, 1, 3, 30),
  seen: fc.constantFrom(0, 1, 4, 40),
});

function callerOf(group_keys: readonly string[] | null): Caller {
  const grant = { user_key: 'u', client_id: 'c', grant_hash: 'g' };
  const scopes = new Set(['account_activity.read']);
  return { kind: 'app', role: 'administrator', account_key: accountKey, scopes, group_keys, ...grant };
}

async function store({ vehicle, start, hidden, seen }: typeof trip extends fc.Arbitrary<infer T> ? T : never) {
  const positions = [
    ...(hidden > 0 ? [{ ...HIDDEN, at: start }] : []),
    ...(seen > 0 ? [start + hidden, start + hidden + seen].map((at) => ({ ...SEEN, at })) : []),
  ];
  if (positions.length === 0) return;
  const points = emptyTripPoints(positions.length);
  for (const [at, { lat, lon, at: hour }] of positions.entries()) {
    points.time[at] = START + hour * HOUR;
    points.lat[at] = lat;
    points.lon[at] = lon;
  }
  await storeTrip({ account_key: accountKey, vehicle_key: vehicles[vehicle] ?? '', points });
}

interface Listed {
  readonly trips: {
    readonly nodes: readonly {
      readonly key: string;
      readonly vehicle_key: string;
      readonly start_point: { timestamp: string };
    }[];
    readonly page_info: { readonly end_cursor: string | null };
  };
}

async function list(caller: Caller, args: string) {
  const nodes: Listed['trips']['nodes'][number][] = [];
  let after: string | null = null;
  do {
    const source: string = `{ trips(${args}${after === null ? '' : `, after: "${after}"`}) {
      nodes { key vehicle_key start_point { timestamp } } page_info { end_cursor } } }`;
    const { data, messages }: { data: Listed; messages: readonly string[] } = await ask<Listed>(caller, source);
    expect(messages).toEqual([]);
    nodes.push(...data.trips.nodes);
    after = data.trips.page_info.end_cursor;
  } while (after !== null);
  return nodes.map(({ key, vehicle_key, start_point }) => ({
    key,
    vehicle_key,
    at: Date.parse(start_point.timestamp),
  }));
}

const WINDOWS = [
  '',
  `, started_after: "${new Date(START + 20 * HOUR).toISOString()}"`,
  `, started_before: "${new Date(START + 40 * HOUR).toISOString()}"`,
  `, started_after: "${new Date(START + 5 * HOUR).toISOString()}", started_before: "${new Date(START + 50 * HOUR).toISOString()}"`,
];

test('Trips of all vehicles come in the order in which their visible parts start, in pages of any size, both ways', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(trip, { maxLength: 12 }),
      fc.constantFrom(...WINDOWS),
      fc.integer({ min: 1, max: 5 }),
      async (trips, window, first) => {
        await TripStore.deleteMany(unrestricted(testService), {});
        for (const one of trips) await store(one);
        for (const caller of [ownerOf(accountKey), callerOf(null), callerOf([groupKey])]) {
          const own = 'group_keys' in caller && caller.group_keys ? [0, 2] : [0, 1, 2];
          const ofEach = own.map((at) => list(caller, `vehicle_key: "${vehicles[at]}"${window}`));
          const expected = (await Promise.all(ofEach)).flat();
          expected.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
          expect(await list(caller, `first: ${first}${window}`)).toEqual(expected);
          expect(await list(caller, `newest_first: true, first: ${first}${window}`)).toEqual(expected.toReversed());
        }
      },
    ),
    { numRuns: Number(runSize('8', '100')), seed: 1 },
  );
});
