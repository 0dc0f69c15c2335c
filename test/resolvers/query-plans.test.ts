import type { GraphQLSchema } from 'graphql';
import mongoose from 'mongoose';
import { beforeAll, expect, test } from 'vitest';

import type { Caller } from '../../auth/caller.ts';
import { emptyTripPoints } from '../../models/trips/trip-points.ts';
import { storedDegrees } from '../../models/trips/trip-points-codec.ts';
import { createPrivacyZone } from '../../resolvers/vehicles/privacy-zone-resolver.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import { newKey } from '../../models/key.ts';
import { AccountStore } from '../../models/account/account.ts';
import { TagStore } from '../../models/account/tag.ts';
import { purgeExpired } from '../../tracking/retention/purge-expired.ts';
import { accountAccessScope, vehicleAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { account, device, group, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { needsQueryPlanner } from '../services/query-planner.ts';
import { askSchema } from '../fixtures/ask-schema.ts';
import { storeTrip } from '../fixtures/stored-trip.ts';
import { embedOf, ownerOf } from '../fixtures/trip-query.ts';

useDatabase();
needsQueryPlanner();

const DAY = 86_400_000;
const START = Date.UTC(2024, 2, 1);
const DAYS = 6;
const TRIPS_A_DAY = 8;

let schema: GraphQLSchema;
let accountKey: string;
let vehicleKey: string;
let groupKey: string;
let deviceKey: string;
let tripKeys: string[];
const tagKey = newKey();

/** Trips of a working day, three minutes each, and one over two days; other vehicles have trips at the same times. */
beforeAll(async () => {
  schema = await gatewaySchema();
  accountKey = (await account()).key;
  const north = await group(accountKey, 'North');
  groupKey = north.key;
  const others: string[] = [];
  for (let i = 0; i < 20; i++) {
    const key = await vehicle(accountKey, i % 2 ? [north] : []);
    await device(accountKey, { vehicle_key: key, groups: i % 2 ? [north] : [] });
    if (i < 1) others.push(key);
  }
  vehicleKey = await vehicle(accountKey, [north]);
  deviceKey = (await device(accountKey, { vehicle_key: vehicleKey, groups: [north], serial: 'SN-7' })).key;
  const stranger = (await account()).key;
  others.push(await vehicle(stranger));
  tripKeys = await drive(accountKey, vehicleKey);
  const tag = { value: 'Delivery', value_folded: 'delivery', type: 'Trip' as const, created: new Date(START) };
  await TagStore.create(unrestricted(testService), { ...tag, key: tagKey, account_key: accountKey });
  for (const [i, key] of others.entries()) await drive(i < 1 ? accountKey : stranger, key);
  const second = others[0] ?? '';
  for (const key of [vehicleKey, second]) {
    const marked = { user_key: 'driver', tag_keys: [tagKey] };
    const accessScope = vehicleAccessScope(accountAccessScope(testService, accountKey), { key });
    const day = { 'start_point.timestamp': { $gte: new Date(START + DAY), $lt: new Date(START + 2 * DAY) } };
    await TripStore.updateMany(accessScope, day, { $set: marked });
  }
  await stay(vehicleKey, 5);
  await stay(second, 40);
  await createPrivacyZone(accountAccessScope(testService, accountKey), { lat: 50.0001, lon: 8, radius_meters: 20 });
});

async function drive(account_key: string, vehicle_key: string): Promise<string[]> {
  const keys: string[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (let hour = 0; hour < TRIPS_A_DAY; hour++) {
      const points = emptyTripPoints(20);
      for (let i = 0; i < points.length; i++) {
        points.time[i] = START + day * DAY + (8 + hour) * 3_600_000 + i * 10_000;
        points.lat[i] = storedDegrees(50 + i / 1000);
        points.lon[i] = 8;
      }
      keys.push(await storeTrip({ account_key, vehicle_key, points }));
    }
  }
  const long = emptyTripPoints(3);
  long.time.set([START + 2.5 * DAY, START + 3 * DAY, START + 4.5 * DAY]);
  long.lat.set([50, 51, 52]);
  keys.push(await storeTrip({ account_key, vehicle_key, points: long }));
  return keys;
}

/** Stores visits of a vehicle, one an hour. */
async function stay(vehicle_key: string, count: number): Promise<void> {
  const point = { lat: 50, lon: 8 };
  const visits = Array.from({ length: count }, (_, hour) => {
    const [entry_timestamp, until] = [new Date(START + hour * 3_600_000), new Date(START + (hour + 1) * 3_600_000)];
    const facts = { entry_timestamp, exit_timestamp: until, until, entry_point: point, exit_point: point };
    const of = { account_key: accountKey, vehicle_key, device_key: deviceKey, place_key: newKey(), driver_key: null };
    return { ...facts, ...of, key: newKey(), staged: false, epoch: 0 };
  });
  await VisitStore.insertMany(unrestricted(testService), visits, { lean: true });
}

const apps = (group_keys: readonly string[] | null): Caller => ({
  kind: 'app',
  role: 'administrator',
  account_key: accountKey,
  user_key: 'u',
  client_id: 'c',
  grant_hash: 'g',
  scopes: new Set(['account.read', 'account_activity.read', 'places.read', 'vehicles.read', 'trippoints.read']),
  group_keys,
});

interface Explained {
  readonly collection: string;
  readonly filter: object;
  readonly stages: readonly string[];
  readonly examined: number;
  readonly returned: number;
}

/** Asks a query and explains every find that it took, as the database was told it. */
function explained(caller: Caller, source: string): Promise<Explained[]> {
  return explainedDuring(async () => {
    const { errors } = await askSchema(schema, caller, source);
    expect(errors).toBeUndefined();
  });
}

/** A stage of a pipeline, as far as it joins the first documents of each vehicle. */
interface Stage {
  readonly from?: string;
  readonly foreignField?: string;
  readonly pipeline?: readonly [{ $match: object }?, { $sort: object }?, { $limit: number }?];
}

/** The finds that a pipeline does for each document which it joins with the first ones of another collection. */
function joinedFinds(stages: readonly Readonly<Record<string, Stage>>[]) {
  return stages.flatMap(({ $lookup }) => {
    const [match, sort, limit] = $lookup?.pipeline ?? [];
    if (!match || !sort || !limit || $lookup?.from === undefined) return [];
    const filter = { ...match.$match, [$lookup.foreignField ?? '']: vehicleKey };
    return [{ collection: $lookup.from, filter, options: { sort: sort.$sort, limit: limit.$limit } }];
  });
}

/** Does some work and explains every find that it took. */
async function explainedDuring(work: () => Promise<unknown>): Promise<Explained[]> {
  const finds: { collection: string; filter: object; options: Record<string, unknown> }[] = [];
  mongoose.set('debug', (collection: string, method: string, filter: object, options: Record<string, unknown>) => {
    if (method.startsWith('find'))
      finds.push({ collection, filter, options: { ...options, ...(method === 'findOne' && { limit: 1 }) } });
    if (method === 'aggregate') finds.push(...joinedFinds(filter as readonly Readonly<Record<string, Stage>>[]));
  });
  await work();
  mongoose.set('debug', false);
  return Promise.all(
    finds.map(async ({ collection, filter, options: { sort, limit } }) => {
      const find = {
        find: collection,
        filter,
        ...(sort !== undefined && { sort }),
        ...(limit !== undefined && { limit }),
      };
      const plan = await testService.connection.db?.command({ explain: find, verbosity: 'executionStats' });
      const { executionStats: stats } = plan as { executionStats: { totalDocsExamined: number; nReturned: number } };
      const stages = [...JSON.stringify(plan).matchAll(/"stage":"(\w+)"/g)].map((match) => match[1] ?? '');
      return { collection, filter, stages, examined: stats.totalDocsExamined, returned: stats.nReturned };
    }),
  );
}

const CALLERS: readonly (readonly [string, () => Caller])[] = [
  ['an owner', () => ownerOf(accountKey)],
  ['an app', () => apps(null)],
  ['an app of a restricted user', () => apps([groupKey])],
  ['a trip map', () => embedOf(accountKey, vehicleKey)],
  [
    'a trip map with a window that cuts a trip',
    () => embedOf(accountKey, vehicleKey, { gte: START + DAY + 8 * 3_600_000 + 65_000, lt: START + 5 * DAY }),
  ],
];

const TRIP_QUERIES: readonly (readonly [string, () => string])[] = [
  [
    'trips',
    () => `{ trips(vehicle_key: "${vehicleKey}", first: 10) { nodes { key path(tolerance_meters: 5) { points } } } }`,
  ],
  [
    'trips of a day',
    () => `{ trips(vehicle_key: "${vehicleKey}", started_after: "2024-03-03") { nodes { key encoded_polyline } } }`,
  ],
  [
    'trips before',
    () => `{ trips(vehicle_key: "${vehicleKey}", started_before: "2024-03-03T12:00:00Z") { nodes { key } } }`,
  ],
  [
    'a later page',
    () => `{ trips(vehicle_key: "${vehicleKey}", first: 5, after: "${tripKeys[20]}") { nodes { key } } }`,
  ],
  [
    'a trip of a vehicle',
    () => `{ trips(vehicle_key: "${vehicleKey}", trip_key: "${tripKeys[20]}") { nodes { key } } }`,
  ],
  ['a trip', () => `{ trip(key: "${tripKeys[20]}") { key encoded_polyline } }`],
];

const FLEET_QUERIES: readonly (readonly [string, () => string])[] = [
  ['trips of all vehicles', () => '{ trips(first: 5) { nodes { key vehicle { nickname } } } }'],
  [
    'the newest trips',
    () => '{ trips(first: 5, newest_first: true) { nodes { key path(tolerance_meters: 5) { points } } } }',
  ],
  [
    'the newest trips of some days',
    () =>
      '{ trips(first: 5, newest_first: true, started_after: "2024-03-03", started_before: "2024-03-05") { nodes { key } } }',
  ],
  [
    'a later page of the newest trips',
    () => `{ trips(first: 5, newest_first: true, after: "${tripKeys[20]}") { nodes { key } } }`,
  ],
  ['the trips of a driver', () => '{ trips(first: 5, newest_first: true, user_key: "driver") { nodes { key } } }'],
  ['stays', () => `{ stays(vehicle_key: "${vehicleKey}", first: 5) { nodes { key } } }`],
  ['all stays', () => `{ stays(vehicle_key: "${vehicleKey}", first: 100) { nodes { key } } }`],
  [
    'earlier stays',
    () => `{ stays(vehicle_key: "${vehicleKey}", first: 5, started_before: "2024-03-05") { nodes { key } } }`,
  ],
  ['the first stays', () => `{ stays(vehicle_key: "${vehicleKey}", last: 5) { nodes { key } } }`],
  [
    'the first stays of some days',
    () => `{ stays(vehicle_key: "${vehicleKey}", last: 5, started_after: "2024-03-03") { nodes { key } } }`,
  ],
  ['the first visits', () => '{ visits(last: 5) { nodes { key } } }'],
  [
    'the first visits of each vehicle in a window',
    () => '{ vehicles { nodes { visits(last: 5, entry_after: "2024-03-01T12:00:00Z") { nodes { key } } } } }',
  ],
  ['the first events', () => '{ events(last: 5) { nodes { key } } }'],
  [
    'the first events of each vehicle in a window',
    () => '{ vehicles { nodes { events(last: 5, happened_after: "2024-03-05") { nodes { key } } } } }',
  ],
  ['events', () => '{ events(first: 5) { nodes { key } } }'],
  ['events of a vehicle', () => `{ events(first: 5, vehicle_key: "${vehicleKey}") { nodes { key } } }`],
  [
    'earlier events of a vehicle',
    () => `{ events(first: 5, vehicle_key: "${vehicleKey}", happened_before: "2024-03-05") { nodes { key } } }`,
  ],
  ['events of each vehicle', () => '{ vehicles { nodes { events(first: 5) { nodes { key } } } } }'],
  [
    'earlier events of each vehicle',
    () => '{ vehicles { nodes { events(first: 5, happened_before: "2024-03-05") { nodes { key } } } } }',
  ],
  ['the trips with a tag', () => `{ trips(first: 5, newest_first: true, tag_keys: ["${tagKey}"]) { nodes { key } } }`],
];

const OTHER_QUERIES: readonly (readonly [string, () => string])[] = [
  ['trip points', () => `{ tripPoints(trip_key: "${tripKeys[20]}") { nodes { timestamp } } }`],
  ['vehicles', () => '{ vehicles(first: 5) { nodes { key device_keys group_keys } page_info { end_cursor } } }'],
  ['a later page of vehicles', () => `{ vehicles(first: 5, after: "${vehicleKey}") { nodes { key } } }`],
  ['a vehicle', () => `{ vehicle(key: "${vehicleKey}") { key device_keys } }`],
  ['devices', () => '{ devices(first: 5) { nodes { key } } }'],
  ['a later page of devices', () => `{ devices(first: 5, after: "${deviceKey}") { nodes { key } } }`],
  ['devices by a gram of their serials', () => '{ devices(q: "n-7", first: 5) { nodes { key } } }'],
  ['devices by a part of their serials', () => '{ devices(q: "SN-7", first: 5) { nodes { key } } }'],
  ['a device', () => `{ device(key: "${deviceKey}") { key } }`],
];

const CASES = CALLERS.flatMap(([who, caller]) =>
  [...TRIP_QUERIES, ...(who.startsWith('a trip map') ? [] : [...FLEET_QUERIES, ...OTHER_QUERIES])].map(
    ([what, source]) => [what, who, source, caller] as const,
  ),
);

test.each(CASES)(
  '%s, asked by %s: every query has an index and looks at what it returns',
  async (_, __, source, caller) => {
    const queries = await explained(caller(), source());
    expect(queries.length).toBeGreaterThan(0);
    for (const { collection, filter, stages, examined, returned } of queries) {
      expect(stages, collection).not.toContain('COLLSCAN');
      expect(stages, collection).toContain('IXSCAN');
      expect([collection, JSON.stringify(filter), examined <= 2 * returned, examined, returned]).toEqual([
        collection,
        JSON.stringify(filter),
        true,
        examined,
        returned,
      ]);
    }
  },
);

test('trips, stays and visits that are too old are found by an index among those that are not', async () => {
  const accessScope = accountAccessScope(testService, accountKey);
  await AccountStore.updateOne(accessScope, {}, { retention: { positions_days: 1, trips: 'remove' } });
  const queries = await explainedDuring(() => purgeExpired(testService, undefined, 0));
  await AccountStore.updateOne(accessScope, {}, { retention: { positions_days: 1, trips: 'keep_facts' } });
  queries.push(...(await explainedDuring(() => purgeExpired(testService, undefined, 0))));
  await AccountStore.updateOne(accessScope, {}, { retention: null });
  const expiring = ['trips', 'visits', 'device_minutes'];
  const found = queries.filter(({ collection }) => expiring.includes(collection));
  expect(new Set(found.map(({ collection }) => collection))).toEqual(new Set(expiring));
  // Of trips, whatever the number of vehicles: expired, incomplete, and begun before.
  expect(found.filter(({ collection }) => collection === 'trips')).toHaveLength(6);
  for (const { filter, stages, examined } of found)
    expect([JSON.stringify(filter), stages.includes('IXSCAN'), examined]).toEqual([JSON.stringify(filter), true, 0]);
});

test('a query without an index would be found', async () => {
  const plan = await testService.connection.db?.command({
    explain: { find: 'trips', filter: { gps_distance: { $gt: 1 } } },
    verbosity: 'executionStats',
  });
  expect(JSON.stringify(plan)).toContain('COLLSCAN');
  expect(plan?.executionStats.totalDocsExamined).toBeGreaterThan(DAYS * TRIPS_A_DAY);
});
