import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accessOf } from '../../../auth/access.ts';
import { type Caller, isPermitted } from '../../../auth/caller.ts';
import { SCOPES, type Scope } from '../../../auth/scopes/scope.ts';
import { restSchema } from '../../../resolvers/gateway-schema.ts';
import { newKey } from '../../../models/key.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { UserStore } from '../../../models/account/user.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import type { AccountRole } from '../../../schema/account/user.ts';
import { AccountClient, type Headers } from '../../clients/account-client.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';

useDatabase();

const DAY = 86_400_000;
const START = Date.UTC(2024, 1, 27, 12);

let app: FastifyInstance;
let client: AccountClient;
let owner: Awaited<ReturnType<typeof account>>;
let north: Awaited<ReturnType<typeof group>>;
let van: string;
let car: string;
let driver: string;
/** Keys of trips by their days, of the van on even ones and of the car on odd ones. */
let keys: string[];

beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
  client = await AccountClient.of(app);
  owner = await account();
  north = await group(owner.key, 'North');
  van = await vehicle(owner.key, [north]);
  car = await vehicle(owner.key);
  driver = await user(owner.key);
  await change(UserStore, driver, { first_name: 'Ada', last_name: 'Byron', account_role: 'driver' });
  keys = [];
  for (let day = 0; day < 8; day++) keys.push(await drive(owner.key, day % 2 === 0 ? van : car, day));
  for (const day of [1, 2]) await change(TripStore, keyOf(day), { user_key: driver });
});
afterAll(() => app.close());

/** Stores a trip that starts some days after {@link START}. */
async function drive(account_key: string, vehicle_key: string, day: number): Promise<string> {
  const points = drivenPoints(60, day + 1);
  const shift = START + day * DAY - (points.time[0] ?? 0);
  return storeTrip({ account_key, vehicle_key, points: { ...points, time: points.time.map((time) => time + shift) } });
}

const keyOf = (day: number) => keys[day] ?? '';
const keysOf = (...days: number[]) => days.map(keyOf);

async function change(
  model: Pick<typeof TripStore | typeof UserStore | typeof VehicleStore, 'driver'>,
  key: string,
  fields: object,
): Promise<void> {
  await model.driver(testService).updateOne({ key }, { $set: fields });
}

/** The headers of an app with some scopes, for a user of a role in some groups. */
async function appWith(scopes: readonly Scope[], role: AccountRole = 'administrator', groups = [] as (typeof north)[]) {
  const key = await user(owner.key, groups);
  await change(UserStore, key, { account_role: role });
  return (await appFor(key, scopes)).headers;
}

async function listed(query: string, headers: Headers = owner.headers) {
  const response = await client.get(`/trips${query}`, headers);
  const { trips } = response.body === '' ? {} : response.json();
  return { status: response.statusCode, keys: trips?.map(({ key }: { key: string }) => key) };
}

describe('GET /trips', () => {
  test('lists the trips of all vehicles, the latest first, ten on a page unless asked for more', async () => {
    expect((await listed('')).keys).toEqual(keys.toReversed());
    const { headers, key } = await account();
    const own = await vehicle(key);
    const all: string[] = [];
    for (let day = 0; day < 11; day++) all.push(await drive(key, own, day));
    const first = (await client.get('/trips', headers)).json();
    expect(first.trips.map((trip: { key: string }) => trip.key)).toEqual(all.toReversed().slice(0, 10));
    for (const cursor of [first.cursor, all[0]]) {
      expect((await listed(`?cursor=${cursor}`, headers)).keys).toEqual([all[0]]);
    }
    expect((await listed('?size=200', headers)).keys).toHaveLength(11);
  });

  test('comes in pages, each trip once', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const response = await client.get(`/trips?size=3${cursor && `&cursor=${cursor}`}`, owner.headers);
      const page: { trips: { key: string }[]; cursor?: string } = response.json();
      seen.push(...page.trips.map((trip) => trip.key));
      cursor = page.cursor;
    }
    expect(seen).toEqual(keys.toReversed());
  });

  test.each<[string, () => string, number[]]>([
    ['of a vehicle', () => `?vehicle_key=${van}`, [6, 4, 2, 0]],
    ['that a user drove', () => `?user_key=${driver}`, [2, 1]],
    ['of a vehicle that a user drove', () => `?user_key=${driver}&vehicle_key=${car}`, [1]],
    ['that somebody unknown drove', () => '?user_key=nobody', []],
    ['of a key', () => `?trip_key=${keyOf(3)}`, [3]],
    ['that started at a time or later', () => `?started_after=${time(5)}`, [7, 6, 5]],
    ['that started before a time', () => `?started_before=${time(2)}`, [1, 0]],
    ['of some days', () => `?started_after=${time(2)}&started_before=${time(5)}`, [4, 3, 2]],
    [
      'of some days of a vehicle',
      () => `?vehicle_key=${van}&started_after=${time(1)}&started_before=${time(5)}`,
      [4, 2],
    ],
    ['of no time at all', () => `?started_after=${time(5)}&started_before=${time(5)}`, []],
    ['with a tag that is none', () => '?tag_keys=unknown', []],
  ])('lists those %s', async (_, query, days) => {
    expect(await listed(query())).toEqual({ status: 200, keys: keysOf(...days) });
  });

  test.each<[string, () => string, number, string]>([
    ['a vehicle that there is not', () => '?vehicle_key=unknown', 404, ''],
    ['a trip that there is not', () => '?trip_key=unknown', 404, ''],
    ['a trip of another vehicle', () => `?vehicle_key=${car}&trip_key=${keyOf(0)}`, 404, ''],
    ['an invalid time', () => '?started_after=today', 400, 'started_after is not an ISO 8601 date-time'],
    ['an unknown cursor', () => '?cursor=unknown', 400, 'cursor was not returned by this list for the same parameters'],
    [
      'a cursor outside the window',
      () => `?cursor=${keyOf(0)}&started_after=${time(1)}`,
      400,
      'cursor was not returned by this list for the same parameters',
    ],
    ['a relation that there is not', () => '?expand=device', 400, 'expand must be one or more of user, vehicle, tags'],
  ])('rejects %s', async (_, query, status, errors) => {
    const response = await client.get(`/trips${query()}`, owner.headers);
    expect([response.statusCode, response.body]).toEqual([status, errors && JSON.stringify({ errors })]);
  });

  test('answers the record of the fleet API, with its relations unless a request names some', async () => {
    const page = (await client.get(`/trips?trip_key=${keyOf(1)}`, owner.headers)).json();
    const record = page.trips[0];
    expect(Object.keys(record).toSorted()).toEqual(
      `account_key device_key duration_seconds encoded_polyline end_point gps_distance hard_brakes idle_time key max_speed
      rapid_accels start_point tags user user_key vehicle vehicle_key`.split(/\s+/),
    );
    expect(record).toMatchObject({
      account_key: owner.key,
      user_key: driver,
      user: { key: driver, first_name: 'Ada', last_name: 'Byron' },
      vehicle: { key: car, nickname: 'Van' },
      tags: [],
      start_point: { timestamp: '2024-02-28T12:00:00+00:00', odometer: null, fuel_level: null, place: null },
    });
    const some = (await client.get(`/trips?trip_key=${keyOf(1)}&expand=vehicle`, owner.headers)).json().trips[0];
    expect([some.vehicle, some.user, some.tags]).toEqual([record.vehicle, undefined, undefined]);
    const single = await client.get(`/trip/${keyOf(1)}`, owner.headers);
    expect(single.json()).toEqual(record);
  });

  test('does not list the trips of a vehicle that was deleted', async () => {
    const { headers, key } = await account();
    const [first, second] = [await vehicle(key), await vehicle(key)];
    const left = await drive(key, first, 1);
    await drive(key, second, 2);
    await VehicleStore.deleteOne(unrestricted(testService), { key: second });
    expect((await listed('', headers)).keys).toEqual([left]);
    expect((await listed('?size=1', headers)).keys).toEqual([left]);
  });
});

const time = (day: number) => new Date(START + day * DAY).toISOString();

describe('Who sees which trips:', () => {
  test.each<[string, readonly Scope[], number]>([
    ['an app with account_activity.read', ['account_activity.read'], 200],
    ['an app with other scopes', ['account.read', 'vehicles.read', 'trippoints.read', 'account_activity.manage'], 403],
  ])('%s', async (_, scopes, status) => {
    const headers = await appWith(scopes);
    expect((await listed('', headers)).status).toBe(status);
    expect((await client.get(`/trip/${keyOf(0)}`, headers)).statusCode).toBe(status);
  });

  test('nobody without credentials', async () => {
    expect((await listed('', {})).status).toBe(401);
    expect((await client.get(`/trip/${keyOf(0)}`)).statusCode).toBe(401);
  });

  test('the owner of another account sees none', async () => {
    const { headers } = await account();
    expect((await listed('', headers)).keys).toEqual([]);
    expect((await client.get(`/trip/${keyOf(0)}`, headers)).statusCode).toBe(404);
    expect((await client.get(`/trip/${keyOf(0)}/points`, headers)).statusCode).toBe(404);
  });

  test.each([1, 30])('a user restricted to groups sees those of their vehicles, of %i', async (count) => {
    const south = await group(owner.key, 'South');
    const vehicles = [van];
    for (let at = 1; at < count; at++) vehicles.push(await vehicle(owner.key, [south]));
    const headers = await appWith(['account_activity.read'], 'administrator', [north, south]);
    expect((await listed('', headers)).keys).toEqual(keysOf(6, 4, 2, 0));
    expect((await listed('?size=1', headers)).keys).toEqual(keysOf(6));
    expect((await listed(`?size=2&cursor=${keyOf(4)}`, headers)).keys).toEqual(keysOf(4, 2));
    expect((await listed(`?user_key=${driver}`, headers)).keys).toEqual(keysOf(2));
    expect((await listed(`?cursor=${keyOf(5)}`, headers)).status).toBe(400);
    expect((await listed(`?vehicle_key=${car}`, headers)).status).toBe(404);
    expect((await client.get(`/trip/${keyOf(1)}`, headers)).statusCode).toBe(404);
    await VehicleStore.deleteMany(unrestricted(testService), { group_keys: south.key });
  });

  test('a viewer sees all and changes none', async () => {
    const headers = await appWith(['account_activity.read', 'account_activity.manage'], 'viewer');
    expect((await listed('', headers)).keys).toHaveLength(8);
    expect((await client.post(`/trip/${keyOf(0)}`, { user_key: null }, headers)).statusCode).toBe(403);
  });
});

describe('A driver', () => {
  const scopes = ['account_activity.read', 'trippoints.read', 'account.read', 'vehicles.read'] as const;
  let headers: Headers;
  beforeAll(async () => {
    headers = (await appFor(driver, scopes)).headers;
  });

  test('sees the trips that it drove, and no others', async () => {
    expect((await listed('', headers)).keys).toEqual(keysOf(2, 1));
    expect((await listed('?size=1', headers)).keys).toEqual(keysOf(2));
    expect((await listed(`?vehicle_key=${van}`, headers)).keys).toEqual(keysOf(2));
    expect((await listed('?user_key=somebody', headers)).keys).toEqual([]);
    for (const [day, status] of [
      [1, 200],
      [2, 200],
      [0, 404],
      [3, 404],
    ] as const) {
      expect((await listed(`?trip_key=${keyOf(day)}`, headers)).status).toBe(status);
      expect((await client.get(`/trip/${keyOf(day)}`, headers)).statusCode).toBe(status);
      expect((await client.get(`/trip/${keyOf(day)}/points`, headers)).statusCode).toBe(status);
      expect((await listed(`?cursor=${keyOf(day)}`, headers)).status).toBe(status === 404 ? 400 : 200);
    }
  });

  test('sees all of these trips: driver, vehicle, account', async () => {
    const trip = (await client.get(`/trip/${keyOf(1)}`, headers)).json();
    expect(trip).toEqual((await client.get(`/trip/${keyOf(1)}`, owner.headers)).json());
  });

  test('exports the trips that it drove, and changes none', async () => {
    const manager = (await appFor(driver, ['account_activity.manage', 'account_activity.read'])).headers;
    expect((await client.post(`/trip/${keyOf(1)}`, { user_key: null }, manager)).statusCode).toBe(403);
    const sent = { host: 'localhost', ...headers };
    for (const format of ['gpx', 'geojson']) {
      const get = (day: number) => app.inject({ url: `/api/v2/trip/${keyOf(day)}.${format}`, headers: sent });
      expect([(await get(1)).statusCode, (await get(0)).statusCode]).toEqual([200, 404]);
    }
  });

  test('sees no trip of a vehicle that is out of its groups', async () => {
    const key = await user(owner.key, [north]);
    await change(UserStore, key, { account_role: 'driver' });
    for (const day of [4, 5]) await change(TripStore, keyOf(day), { user_key: key });
    const { headers: restricted } = await appFor(key, scopes);
    expect((await listed('', restricted)).keys).toEqual(keysOf(4));
    expect((await client.get(`/trip/${keyOf(5)}`, restricted)).statusCode).toBe(404);
    for (const day of [4, 5]) await change(TripStore, keyOf(day), { user_key: null });
  });

  test('may use no other root field than trips, stays, visits, itself and the changes of these, whatever the scopes', async () => {
    const schema = await restSchema();
    const caller: Caller = {
      kind: 'app',
      role: 'driver',
      account_key: owner.key,
      user_key: driver,
      client_id: 'c',
      grant_hash: 'g',
      scopes: new Set(Object.keys(SCOPES)),
      group_keys: null,
    };
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
      Object.values(root?.getFields() ?? {}),
    );
    const open = fields.filter((field) => isPermitted(caller, accessOf(field) ?? []));
    expect(open.map(({ name }) => name).toSorted()).toEqual([
      ...['changes', 'exportTripAsGeoJson', 'exportTripAsGpx'],
      ...['me', 'stays', 'trip', 'tripPoints', 'trips', 'visit', 'visits'],
    ]);
  });
});

describe('GET /trip/{key}/points', () => {
  test('answers the positions in order, 200 on a page', async () => {
    const points = drivenPoints(250, 3);
    const key = await storeTrip({ account_key: owner.key, vehicle_key: await vehicle(owner.key), points });
    const first = (await client.get(`/trip/${key}/points`, owner.headers)).json();
    expect(first.trip_points).toHaveLength(200);
    expect(first.trip_points[0]).toMatchObject({ point: { lat: points.lat[0], lon: points.lon[0] }, events: [] });
    const second = (await client.get(`/trip/${key}/points?cursor=${first.cursor}`, owner.headers)).json();
    expect(second.trip_points).toHaveLength(50);
    expect(second).not.toHaveProperty('cursor');
    await TripStore.deleteOne(unrestricted(testService), { key });
  });

  test.each<[readonly Scope[], number]>([
    [['trippoints.read'], 200],
    [['account_activity.read', 'account_activity.manage'], 403],
  ])('is for apps with trippoints.read: %j', async (scopes, status) => {
    expect((await client.get(`/trip/${keyOf(0)}/points`, await appWith(scopes))).statusCode).toBe(status);
  });
});

describe('POST /trip/{key}', () => {
  test('says who drove, and that nobody is known to have', async () => {
    const set = await client.post(`/trip/${keyOf(7)}`, { user_key: driver }, owner.headers);
    expect(set.json()).toMatchObject({ user_key: driver, user: { key: driver, first_name: 'Ada' } });
    expect((await listed(`?user_key=${driver}`)).keys).toEqual(keysOf(7, 2, 1));
    expect((await client.post(`/trip/${keyOf(7)}`, {}, owner.headers)).json()).toEqual(set.json());
    const unset = await client.post(`/trip/${keyOf(7)}`, { user_key: null }, owner.headers);
    expect(unset.json()).toMatchObject({ user_key: null, user: null });
    expect((await listed(`?user_key=${driver}`)).keys).toEqual(keysOf(2, 1));
  });

  test.each<[string, object, string]>([
    [
      'a user that there is not',
      { user_key: 'x' },
      'user_key must be the key of a user of the account; "x" does not exist',
    ],
    ['a tag that there is not', { tags: ['x'] }, 'tags must be the key of a tag of the type Trip; "x" does not exist'],
    ['null for tags', { tags: null }, 'tags must be a list'],
    ['a text for tags', { tags: 'x' }, 'tags must be a list'],
    ['a number for a user', { user_key: 5 }, 'user_key must be a string'],
  ])('rejects %s', async (_, body, errors) => {
    const response = await client.post(`/trip/${keyOf(0)}`, body, owner.headers);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });

  test('does not know users of other accounts', async () => {
    const stranger = await user((await account()).key);
    expect((await client.post(`/trip/${keyOf(0)}`, { user_key: stranger }, owner.headers)).statusCode).toBe(400);
  });

  test.each<[readonly Scope[], number]>([
    [['account_activity.manage', 'account_activity.read'], 200],
    [['account_activity.read', 'account.manage', 'vehicles.manage'], 403],
  ])('is for apps with account_activity.manage: %j', async (scopes, status) => {
    expect((await client.post(`/trip/${keyOf(0)}`, {}, await appWith(scopes))).statusCode).toBe(status);
  });

  test('changes no trip that is out of sight', async () => {
    const headers = await appWith(['account_activity.manage'], 'administrator', [north]);
    expect((await client.post(`/trip/${keyOf(1)}`, { user_key: null }, headers)).statusCode).toBe(404);
    expect((await client.post(`/trip/${newKey()}`, { user_key: null }, headers)).statusCode).toBe(404);
    expect((await listed(`?user_key=${driver}`)).keys).toEqual(keysOf(2, 1));
  });
});
