import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Scope } from '../../../auth/scopes/scope.ts';
import { TagStore } from '../../../models/account/tag.ts';
import { UserStore } from '../../../models/account/user.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import type { AccountRole } from '../../../schema/account/user.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { AccountClient, type Headers } from '../../clients/account-client.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

let app: FastifyInstance;
let client: AccountClient;
let owner: Awaited<ReturnType<typeof account>>;
let north: Awaited<ReturnType<typeof group>>;
let van: string;
let car: string;
let vanTrip: string;
let carTrip: string;

beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
  client = await AccountClient.of(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await account();
  north = await group(owner.key, 'North');
  van = await vehicle(owner.key, [north]);
  car = await vehicle(owner.key);
  vanTrip = await storeTrip({ account_key: owner.key, vehicle_key: van, points: drivenPoints(20, 1) });
  carTrip = await storeTrip({ account_key: owner.key, vehicle_key: car, points: drivenPoints(20, 2) });
});

async function appWith(scopes: readonly Scope[], role: AccountRole = 'administrator', groups = [] as (typeof north)[]) {
  const key = await user(owner.key, groups);
  await UserStore.updateOne(unrestricted(testService), { key }, { account_role: role });
  return (await appFor(key, scopes)).headers;
}

async function post(path: string, body: unknown, headers: Headers = owner.headers) {
  const response = await client.post(path, body, headers);
  return { status: response.statusCode, body: response.body === '' ? null : response.json() };
}

async function makeTag(value: string, type = 'Trip', color: string | null = null): Promise<string> {
  const { status, body } = await post('/tags', { value, type, color });
  expect(status).toBe(201);
  return body.key;
}

async function tripsWith(...tags: string[]): Promise<string[]> {
  const query = tags.map((tag) => `tag_keys=${tag}`).join('&');
  const response = await client.get(`/trips?${query}`, owner.headers);
  return response.json().trips.map(({ key }: { key: string }) => key);
}

async function tagsOf(trip: string) {
  return (await client.get(`/trip/${trip}`, owner.headers)).json().tags;
}

describe('A tag', () => {
  test('is made, listed, read and changed', async () => {
    const made = await post('/tags', { value: ' Delivery ', type: 'Trip', color: '#2F6F4F' });
    const record = {
      key: expect.stringMatching(/^[\w-]{22}$/),
      value: 'Delivery',
      type: 'Trip',
      color: '#2f6f4f',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated: null,
    };
    expect(made).toEqual({ status: 201, body: record });
    const { key } = made.body;
    const car = await makeTag('Delivery', 'Car');
    const list = (await client.get('/tags', owner.headers)).json();
    expect(list.tags.map((tag: { key: string }) => tag.key)).toEqual([key, car]);
    expect((await client.get('/tags?type=Car', owner.headers)).json().tags).toHaveLength(1);
    expect((await client.get('/tags?size=1', owner.headers)).json()).toEqual({
      tags: [made.body],
      cursor: expect.any(String),
    });
    expect((await client.get(`/tags?cursor=${car}`, owner.headers)).json().tags).toMatchObject([{ key: car }]);
    const changed = await post(`/tag/${key}`, { color: null, value: 'Parcel' });
    expect(changed.body).toEqual({ ...record, value: 'Parcel', color: null, updated: expect.any(String) });
    expect((await client.get(`/tag/${key}`, owner.headers)).json()).toEqual(changed.body);
    expect((await post(`/tag/${key}`, {})).body).toEqual(changed.body);
  });

  test.each<[string, object, string]>([
    ['without a value', { type: 'Trip' }, 'value is required'],
    ['without a type', { value: 'x' }, 'type is required'],
    ['of an unknown type', { value: 'x', type: 'Bus' }, 'type must be one of Car, Trip, User'],
    ['with an empty value', { value: ' ', type: 'Trip' }, 'value must have 1 to 255 characters'],
    ['with a long value', { value: 'x'.repeat(256), type: 'Trip' }, 'value must have 1 to 255 characters'],
    ['with the name of a color', { value: 'x', type: 'Trip', color: 'red' }, 'color must be of the form #rrggbb'],
    [
      'with the value of another of its type',
      { value: 'uRGENT', type: 'Trip' },
      'value is taken by another tag of this type',
    ],
  ])('is not made %s', async (_, input, errors) => {
    await makeTag('Urgent');
    expect(await post('/tags', input)).toEqual({ status: 400, body: { errors } });
  });

  test('does not take the value of another by a change', async () => {
    await makeTag('Urgent');
    const key = await makeTag('Late');
    expect((await post(`/tag/${key}`, { value: 'URGENT' })).status).toBe(400);
    expect((await post(`/tag/${key}`, { value: 'LATE' })).status).toBe(200);
    expect((await post(`/tag/${key}`, { value: null })).status).toBe(400);
  });

  test('of one account is unknown to others', async () => {
    const key = await makeTag('Urgent');
    const { headers } = await account();
    expect((await client.get(`/tag/${key}`, headers)).statusCode).toBe(404);
    expect((await post(`/tag/${key}`, { value: 'Mine' }, headers)).status).toBe(404);
    expect((await post(`/tag/${key}/apply`, { entity_keys: [] }, headers)).status).toBe(404);
    expect((await client.delete(`/tag/${key}`, headers)).statusCode).toBe(404);
    expect((await post('/tags', { value: 'Urgent', type: 'Trip' }, headers)).status).toBe(201);
  });
});

describe('A tag that is applied', () => {
  test('is on the trips, which it finds, and shows its new name and color on all of them', async () => {
    const [urgent, late] = [await makeTag('Urgent', 'Trip', '#ff0000'), await makeTag('Late')];
    for (let times = 0; times < 2; times++) {
      const applied = await post(`/tag/${urgent}/apply`, { entity_keys: [vanTrip, carTrip, vanTrip] });
      expect(applied).toMatchObject({ status: 200, body: { key: urgent } });
    }
    await post(`/tag/${late}/apply`, { entity_keys: [carTrip] });
    expect(await tagsOf(vanTrip)).toEqual([{ key: urgent, color: '#ff0000', value: 'Urgent' }]);
    expect(new Set(await tripsWith(urgent))).toEqual(new Set([vanTrip, carTrip]));
    expect(await tripsWith(late)).toEqual([carTrip]);
    expect((await tripsWith(late, urgent)).toSorted()).toEqual([vanTrip, carTrip].toSorted());
    expect(await tripsWith(late, 'unknown')).toEqual([carTrip]);
    await post(`/tag/${urgent}`, { value: 'Very urgent', color: '#00ff00' });
    expect(await tagsOf(vanTrip)).toEqual([{ key: urgent, color: '#00ff00', value: 'Very urgent' }]);
    expect((await tagsOf(carTrip)).map(({ value }: { value: string }) => value)).toEqual(['Very urgent', 'Late']);
  });

  test('is taken off again', async () => {
    const urgent = await makeTag('Urgent');
    await post(`/tag/${urgent}/apply`, { entity_keys: [vanTrip, carTrip] });
    for (let times = 0; times < 2; times++) {
      await post(`/tag/${urgent}/apply?action=remove`, { entity_keys: [vanTrip] });
      expect(await tripsWith(urgent)).toEqual([carTrip]);
    }
    expect((await post(`/tag/${urgent}/apply?action=replace`, { entity_keys: [] })).status).toBe(400);
  });

  test('goes with all that it was on when it is deleted', async () => {
    const [urgent, late] = [await makeTag('Urgent'), await makeTag('Late')];
    await post(`/trip/${vanTrip}`, { tags: [late, urgent, late] });
    expect((await tagsOf(vanTrip)).map(({ key }: { key: string }) => key)).toEqual([late, urgent]);
    const deleted = await client.delete(`/tag/${urgent}`, owner.headers);
    expect([deleted.statusCode, deleted.json()]).toEqual([200, { key: urgent, deleted: true }]);
    expect((await tagsOf(vanTrip)).map(({ key }: { key: string }) => key)).toEqual([late]);
    expect(await tripsWith(urgent)).toEqual([]);
    const stored = await TripStore.findOne(unrestricted(testService), { key: vanTrip }, 'tag_keys');
    expect(stored?.tag_keys).toEqual([late]);
    expect((await client.delete(`/tag/${urgent}`, owner.headers)).statusCode).toBe(404);
    await post(`/trip/${vanTrip}`, { tags: [] });
    expect(await tagsOf(vanTrip)).toEqual([]);
  });

  test('whose deletion was interrupted is on nothing that is shown', async () => {
    const urgent = await makeTag('Urgent');
    await post(`/tag/${urgent}/apply`, { entity_keys: [vanTrip] });
    await TagStore.deleteOne(unrestricted(testService), { key: urgent });
    expect([await tagsOf(vanTrip), await tripsWith(urgent)]).toEqual([[], []]);
  });

  test.each(['Car', 'User'] as const)('to a record of the type %s is stored with it', async (type) => {
    const tag = await makeTag('Urgent', type);
    const record = type === 'Car' ? van : await user(owner.key);
    const stored = async () =>
      type === 'Car'
        ? VehicleStore.findOne(unrestricted(testService), { key: record }, 'tag_keys')
        : UserStore.findOne(unrestricted(testService), { key: record }, 'tag_keys');
    expect((await post(`/tag/${tag}/apply`, { entity_keys: [record] })).status).toBe(200);
    expect((await stored())?.tag_keys).toEqual([tag]);
    await client.delete(`/tag/${tag}`, owner.headers);
    expect((await stored())?.tag_keys).toEqual([]);
  });

  test.each<[string, string, () => string | Promise<string>]>([
    ['a trip by a tag of vehicles', 'Car', () => vanTrip],
    ['a vehicle by a tag of trips', 'Trip', () => van],
    ['a vehicle by a tag of users', 'User', () => van],
    ['a trip that there is not', 'Trip', () => 'nothing'],
    ['a vehicle of another account', 'Car', async () => vehicle((await account()).key)],
    ['a user of another account', 'User', async () => user((await account()).key)],
  ])('marks nothing where one is %s', async (_, type, unknown) => {
    const tag = await makeTag('Urgent', type);
    const known = { Car: van, Trip: vanTrip, User: await user(owner.key) }[type];
    const { status, body } = await post(`/tag/${tag}/apply`, { entity_keys: [known, await unknown()] });
    expect([status, body.errors]).toEqual([400, expect.stringMatching(/^entity_keys must be the key of a /)]);
    for (const model of [VehicleStore, UserStore, TripStore] as const) {
      expect(await (model as typeof VehicleStore).countDocuments(unrestricted(testService), { tag_keys: tag })).toBe(0);
    }
  });

  test('marks at most 200 records', async () => {
    const tag = await makeTag('Urgent');
    const entity_keys = Array.from({ length: 201 }, (_, at) => `trip-${at}`);
    const { status, body } = await post(`/tag/${tag}/apply`, { entity_keys });
    expect([status, body]).toEqual([400, { errors: 'entity_keys must have at most 200 keys' }]);
  });

  test('does not tell an app of a trip that a privacy zone hides', async () => {
    const tag = await makeTag('Urgent');
    const { lat, lon } = drivenPoints(20, 1);
    const at = { lat: lat[0] ?? 0, lon: lon[0] ?? 0 };
    await createPrivacyZone(accountAccessScope(testService, owner.key), { ...at, radius_meters: 50, trips: 'hide' });
    const headers = await appWith(['account.manage', 'account_activity.manage']);
    const hidden = await post(`/tag/${tag}/apply`, { entity_keys: [vanTrip] }, headers);
    const unknown = await post(`/tag/${tag}/apply`, { entity_keys: ['nothing'] }, headers);
    expect(hidden.body.errors.replace(vanTrip, 'nothing')).toEqual(unknown.body.errors);
    expect((await post(`/trip/${vanTrip}`, { tags: [tag] }, headers)).status).toBe(404);
    expect(await tagsOf(vanTrip)).toEqual([]);
  });
});

describe('Who may do what with tags:', () => {
  test.each<[string, readonly Scope[], AccountRole, readonly [number, number, number, number, number]]>([
    ['account.read', ['account.read'], 'administrator', [200, 403, 403, 403, 403]],
    ['account.manage', ['account.manage'], 'administrator', [403, 201, 200, 200, 200]],
    [
      'other scopes',
      ['account_activity.manage', 'vehicles.manage', 'user.manage'],
      'administrator',
      [403, 403, 403, 403, 403],
    ],
    ['a viewer', ['account.read', 'account.manage'], 'viewer', [200, 403, 403, 403, 403]],
    ['a driver', ['account.read', 'account.manage'], 'driver', [403, 403, 403, 403, 403]],
  ])('%s', async (_, scopes, role, expected) => {
    const key = await makeTag('Urgent');
    const headers = await appWith(scopes, role);
    const statuses = [
      (await client.get('/tags', headers)).statusCode,
      (await post('/tags', { value: 'Mine', type: 'Car' }, headers)).status,
      (await post(`/tag/${key}`, { value: 'Other' }, headers)).status,
      (await post(`/tag/${key}/apply`, { entity_keys: [vanTrip] }, headers)).status,
      (await client.delete(`/tag/${key}`, headers)).statusCode,
    ];
    expect(statuses).toEqual(expected);
    expect((await client.get(`/tag/${key}`, headers)).statusCode).toBe(expected[0] === 200 ? 200 : 403);
  });

  test('a user restricted to groups tags what is in sight, and changes or deletes no tag', async () => {
    const [trips, cars] = [await makeTag('Urgent'), await makeTag('Urgent', 'Car')];
    const headers = await appWith(['account.read', 'account.manage'], 'administrator', [north]);
    expect((await client.get('/tags', headers)).json().tags).toHaveLength(2);
    expect((await post(`/tag/${trips}/apply`, { entity_keys: [vanTrip] }, headers)).status).toBe(200);
    expect((await post(`/tag/${trips}/apply`, { entity_keys: [carTrip] }, headers)).status).toBe(400);
    expect((await post(`/tag/${cars}/apply`, { entity_keys: [van] }, headers)).status).toBe(200);
    expect((await post(`/tag/${cars}/apply`, { entity_keys: [van, car] }, headers)).status).toBe(400);
    expect((await post(`/tag/${trips}`, { value: 'Other' }, headers)).status).toBe(403);
    expect((await client.delete(`/tag/${trips}`, headers)).statusCode).toBe(403);
    expect(await tripsWith(trips)).toEqual([vanTrip]);
  });
});

test('Drivers, vehicles and tags of a page of trips take one query each, however many trips there are', async () => {
  const tag = await makeTag('Urgent');
  const driver = await user(owner.key);
  await post(`/tag/${tag}/apply`, { entity_keys: [vanTrip, carTrip] });
  for (const trip of [vanTrip, carTrip]) await post(`/trip/${trip}`, { user_key: driver });
  const queries = await queriesDuring(async () => {
    await client.get('/trips', owner.headers);
  });
  const count = (collection: string) => queries.filter((query) => query.collection === collection).length;
  expect([count('users'), count('tags')]).toEqual([1, 1]);
});
