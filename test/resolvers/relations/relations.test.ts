import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { signTripToken } from '../../../auth/trip-token.ts';
import { newKey } from '../../../models/key.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { accountAccessScope, vehicleAccessScope } from '../../../models/store/tenancy.ts';
import { OPEN_END, TripStore } from '../../../models/trips/trip.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { insertVehicleEvents } from '../../../models/vehicles/vehicle-event.ts';
import { ACCOUNT_LISTS } from '../../../resolvers/relations/relations.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { type AskGraphql, graphqlClient, ORIGIN } from '../../clients/graphql-client.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { isRelation } from '../../fixtures/select-all-fields.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, appFor, device, group, subscription, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

const PAGE = '{ nodes { key } page_info { end_cursor } }';

/** Every relation: a query of it, and one of the root field that answers the same. Names after `$` are keys of the world. */
const RELATIONS: readonly [relation: string, query: string, root: string][] = [
  ...ACCOUNT_LISTS.filter((list) => list !== 'groups').map((list): [string, string, string] => {
    const name = list.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const page = list === 'apps' ? PAGE.replace('key', 'client_id') : PAGE;
    return [
      `Account.${name}`,
      `{ account { related: ${name}(first: 1) ${page} } }`,
      `{ related: ${list}(first: 1) ${page} }`,
    ];
  }),
  ['Account.groups', '{ account { related: groups { key } } }', '{ related: groups { key } }'],
  [
    'Device.vehicle',
    '{ device(key: "$device") { related: vehicle { key nickname device_keys groups { name } } } }',
    '{ related: vehicle(key: "$vehicle") { key nickname device_keys groups { name } } }',
  ],
  [
    'Group.parent',
    '{ group(group_key: "$below") { related: parent { key name children { key } member_counts { car user } } } }',
    '{ related: group(group_key: "$group") { key name children { key } member_counts { car user } } }',
  ],
  [
    'Group.users',
    `{ group(group_key: "$group") { related: users(first: 1) ${PAGE} } }`,
    `{ related: users(group_keys: ["$group"], first: 1) ${PAGE} }`,
  ],
  [
    'Group.vehicles',
    `{ group(group_key: "$group") { related: vehicles(first: 1) ${PAGE} } }`,
    `{ related: vehicles(group_keys: ["$group"], first: 1) ${PAGE} }`,
  ],
  [
    'Place.visits',
    `{ place(key: "$place") { related: visits(first: 1) ${PAGE} } }`,
    `{ related: visits(place_key: "$place", first: 1) ${PAGE} }`,
  ],
  [
    'Trip.device',
    '{ trip(key: "$trip") { related: device { key serial is_connected } } }',
    '{ related: device(key: "$device") { key serial is_connected } }',
  ],
  [
    'Trip.points',
    '{ trip(key: "$trip") { related: points(first: 2) { nodes { timestamp } page_info { end_cursor } } } }',
    '{ related: tripPoints(trip_key: "$trip", first: 2) { nodes { timestamp } page_info { end_cursor } } }',
  ],
  [
    'User.trips',
    `{ user(key: "$user") { related: trips(first: 1) ${PAGE} } }`,
    `{ related: trips(user_key: "$user", first: 1) ${PAGE} }`,
  ],
  [
    'User.visits',
    `{ user(key: "$user") { related: visits(first: 1) ${PAGE} } }`,
    `{ related: visits(driver_key: "$user", first: 1) ${PAGE} }`,
  ],
  ...['trips', 'visits', 'events'].map((name): [string, string, string] => [
    `Vehicle.${name}`,
    `{ vehicle(key: "$vehicle") { related: ${name}(first: 1) ${PAGE} } }`,
    `{ related: ${name}(vehicle_key: "$vehicle", first: 1) ${PAGE} }`,
  ]),
  [
    'Trip.user',
    '{ trip(key: "$trip") { related: user { key email groups { name } } } }',
    '{ related: user(key: "$user") { key email groups { name } } }',
  ],
  [
    'Trip.vehicle',
    '{ trip(key: "$trip") { related: vehicle { key nickname device_keys groups { name } driver { email } } } }',
    '{ related: vehicle(key: "$vehicle") { key nickname device_keys groups { name } driver { email } } }',
  ],
  [
    'Vehicle.driver',
    '{ vehicle(key: "$vehicle") { related: driver { key account_role } } }',
    '{ related: user(key: "$user") { key account_role } }',
  ],
  ...[
    ['device', 'key serial is_connected', 'trip_end'],
    ['place', 'key name radius', 'vehicle_geofence_arrival'],
    ['trip', 'key duration_seconds path { points }', 'trip_end'],
    ['vehicle', 'key vin odometer', 'trip_end'],
  ].map(([name, fields, event]): [string, string, string] => [
    `EventContext.${name}`,
    `{ events(vehicle_key: "$vehicle", event: ${event}, first: 1) { nodes { context { related: ${name} { ${fields} } } } } }`,
    `{ related: ${name}(key: "$${name}") { ${fields} } }`,
  ]),
  [
    'Visit.place',
    '{ visits(vehicle_key: "$vehicle", first: 1) { nodes { related: place { key name } } } }',
    '{ related: place(key: "$place") { key name } }',
  ],
  [
    'Visit.vehicle',
    '{ visits(vehicle_key: "$vehicle", first: 1) { nodes { related: vehicle { key nickname } } } }',
    '{ related: vehicle(key: "$vehicle") { key nickname } }',
  ],
];

/** Relations like others, whose records this world does not have. */
const ALIKE = ['EventContext.rule', 'NearbyVehicle.driver', 'VehicleMovement.vehicle'];

type World = Awaited<ReturnType<typeof world>>;

let ask: AskGraphql;
let own: World;
beforeAll(async () => {
  ask = await graphqlClient();
  own = await world();
  await world();
});

/** An account with two records of every kind, which refer to each other. */
async function world() {
  const made = await account();
  const north = await group(made.key, 'North');
  await subscription(made.key);
  const create = async (mutation: string) => {
    const { data } = await ask(`mutation { made: ${mutation} { key } }`, made.headers);
    return (data?.made as { key: string } | undefined)?.key ?? '';
  };
  await create('createTag(input: { value: "Electric", type: Car })');
  const records = async () => {
    const driver = await user(made.key, [north]);
    const car = await vehicle(made.key, [north]);
    const { key: box } = await device(made.key, { vehicle_key: car, groups: [north] });
    const points = drivenPoints(5, 1);
    const trip = await storeTrip({ account_key: made.key, vehicle_key: car, points });
    const accessScope = vehicleAccessScope(accountAccessScope(testService, made.key), { key: car });
    await TripStore.updateOne(accessScope, { key: trip }, { user_key: driver, device_key: box });
    await VehicleStore.updateOne(accountAccessScope(testService, made.key), { key: car }, { driver_key: driver });
    const place = await create('createPlace(input: { name: "Depot", point: { lat: 53, lon: 8 }, radius: 100 })');
    await VisitStore.create(accessScope, {
      ...{
        key: newKey(),
        account_key: made.key,
        place_key: place,
        vehicle_key: car,
        driver_key: driver,
        device_key: box,
      },
      ...{ entry_timestamp: new Date('2026-03-01T12:00:00Z'), entry_point: { lat: 53, lon: 8 } },
      ...{ exit_timestamp: null, exit_point: null, until: OPEN_END, staged: false, epoch: 0 },
    });
    const [start, middle, last] = [0, 2, 4].map((at) => new Date(points.time[at] ?? 0));
    const parked = new Date((last?.getTime() ?? 0) + 3_600_000);
    await insertVehicleEvents(
      testService,
      [start, middle, last, parked].map((timestamp) => ({
        ...{ event: 'trip_hard_brake', timestamp: timestamp ?? parked, point: { lat: 53, lon: 8 } },
        ...{ account_key: made.key, vehicle_key: car, device_key: box },
      })),
    );
    return { user: driver, vehicle: car, device: box, trip, place };
  };
  const keys = { group: north.key, below: (await group(made.key, 'Harbour', north)).key, ...(await records()) };
  await records();
  return { ...made, north, keys };
}

function naming(query: string, keys: Readonly<Record<string, string>>): string {
  return query.replace(/\$(\w+)/g, (_, name: string) => keys[name] ?? '');
}

/** The value of the field that a query calls `related`. */
function related(data: unknown): unknown {
  const found = JSON.stringify(data).includes('"related"');
  if (!found) return undefined;
  const object = data as Record<string, unknown>;
  if ('related' in object) return object.related;
  const [inner] = Object.values(object);
  return related(Array.isArray(inner) ? inner[0] : inner);
}

test('every relation of the schema is asked for here', async () => {
  const types = Object.values((await gatewaySchema()).getTypeMap()).filter(isObjectType);
  const inSchema = types.flatMap((type) =>
    Object.values(type.getFields())
      .filter(isRelation)
      .map(({ name }) => `${type.name}.${name}`),
  );
  expect([...RELATIONS.map(([name]) => name), ...ALIKE].toSorted()).toEqual(inSchema.toSorted());
});

describe.each(RELATIONS)('%s', (_, query, root) => {
  test('answers what its root field answers', async () => {
    const [one, other] = await Promise.all([query, root].map((text) => ask(naming(text, own.keys), own.headers)));
    expect(one?.errors).toBeUndefined();
    const answer = related(one?.data);
    expect(JSON.stringify(answer)).toMatch(/key|timestamp|"nodes":\[/);
    expect(answer).toEqual(related(other?.data));
  });
});

test('the example of docs/graphql.md is answered', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/graphql.md'), 'utf8');
  const [, example = ''] = /Records lead to others.*?```graphql\n(.*?)```/s.exec(page) ?? [];
  const { data, errors } = await ask(example, own.headers);
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    vehicles: { nodes: [{ trips: { nodes: [{ device: { serial: expect.any(String) } }] } }, expect.anything()] },
  });
});

describe('A relation that the caller may not use is null, with the error of its root field:', () => {
  test('for an app without its scope', async () => {
    const { headers } = await appFor(own.keys.user, ['account.read']);
    const { data, errors } = await ask(
      naming(
        '{ device(key: "$device") { key vehicle { key } } group(group_key: "$group") { vehicles { nodes { key } } } }',
        own.keys,
      ),
      headers,
    );
    expect(data).toEqual({ device: { key: own.keys.device, vehicle: null }, group: { vehicles: null } });
    expect(errors).toMatchObject([
      { path: ['device', 'vehicle'], extensions: { code: 'FORBIDDEN' } },
      { path: ['group', 'vehicles'], extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  test('for a trip map', async () => {
    const { client_id, grant } = await appFor(own.keys.user, ['account_activity.read', 'trippoints.read']);
    const claims = { sub: `vehicle:${own.keys.vehicle}`, aud: 'https://fleet.example', scope: 'loc-past', client_id };
    const token = await signTripToken(testService, ORIGIN, { ...claims, grant: grant.grant_hash });
    const headers = { authorization: `Bearer ${token}`, origin: claims.aud };
    const query = `{ trips(vehicle_key: "${own.keys.vehicle}") { nodes { key device { serial } points(first: 1) { nodes { speed } } } } }`;
    const { data, errors } = await ask(query, headers);
    expect(data).toEqual({ trips: { nodes: [{ key: own.keys.trip, device: null, points: null }] } });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });
});

describe('What a trip refers to shows', () => {
  const query = (fields: string) => naming(`{ trip(key: "$trip") { vehicle { ${fields} } user { key } } }`, own.keys);

  test('its key and name to all who see the trip, and further fields to those who may read the record', async () => {
    const { headers } = await appFor(own.keys.user, ['account_activity.read']);
    const named = { key: own.keys.vehicle, nickname: 'Van' };
    const trip = { vehicle: named, user: { key: own.keys.user } };
    expect(await ask(query('key nickname'), headers)).toEqual({ data: { trip } });
    const asBefore = 'id __typename ... on TripVehicle { key }';
    expect(await ask(query(asBefore), headers)).toEqual({
      data: { trip: { ...trip, vehicle: { key: named.key, id: expect.any(String), __typename: 'Vehicle' } } },
    });
    const { data, errors } = await ask(query('key odometer'), headers);
    expect(data).toEqual({ trip: { ...trip, vehicle: null } });
    expect(errors).toMatchObject([{ path: ['trip', 'vehicle'], extensions: { code: 'FORBIDDEN' } }]);
  });

  test('nothing to a trip map', async () => {
    const { client_id, grant } = await appFor(own.keys.user, ['account_activity.read', 'vehicles.read']);
    const claims = { sub: `vehicle:${own.keys.vehicle}`, aud: 'https://fleet.example', scope: 'loc-past', client_id };
    const token = await signTripToken(testService, ORIGIN, { ...claims, grant: grant.grant_hash });
    const headers = { authorization: `Bearer ${token}`, origin: claims.aud };
    for (const fields of ['key nickname', 'key odometer']) {
      expect(await ask(query(fields), headers)).toEqual({ data: { trip: { vehicle: null, user: null } } });
    }
  });

  test('no vehicle outside the groups of the caller', async () => {
    const south = await group(own.key, 'South');
    const stranger = await appFor(await user(own.key, [south]), ['account_activity.read', 'vehicles.read']);
    expect((await ask(query('key odometer'), stranger.headers)).data).toEqual({ trip: null });
  });
});

test('a restricted user sees through a relation only what the groups of the user allow', async () => {
  const south = await group(own.key, 'South');
  const hidden = await vehicle(own.key, [south]);
  const { key } = await device(own.key, { vehicle_key: hidden, groups: [own.north] });
  const restricted = await appFor(await user(own.key, [own.north]), ['account.read', 'vehicles.read']);
  const query = `{ device(key: "${key}") { vehicle_key vehicle { key } } account { vehicles { nodes { key } } } }`;
  const { data, errors } = await ask(query, restricted.headers);
  expect(errors).toBeUndefined();
  expect(data?.device).toMatchObject({ vehicle: null });
  expect(JSON.stringify(data?.account)).not.toContain(hidden);
});

test.each([
  ['the vehicles of devices', 'devices', 'devices { nodes { vehicle { key } } }', 1],
  ['the devices of trips', 'trips', 'trips { nodes { device { key } } }', 1],
  ['the vehicles and places of visits', 'visits', 'visits { nodes { vehicle { key } place { key } } }', 2],
])('%s take as many queries for many as for one', async (_, name, query, more) => {
  const queriesOf = async (selection: string) => {
    const sent = await queriesDuring(async () => {
      expect((await ask(`{ ${selection} }`, own.headers)).errors).toBeUndefined();
    });
    return sent.map(({ collection, method }) => `${collection}.${method}`);
  };
  const without = await queriesOf(`${name} { nodes { key } }`);
  const many = await queriesOf(query);
  expect(many).toHaveLength(without.length + more);
  expect(await queriesOf(query.replace(name, `${name}(first: 1)`))).toEqual(many);
});

describe('A further record of a list costs at most one query for', () => {
  test.each([
    ['its page of trips', 'vehicles', 'trips(first: 1) { nodes { key } }', 0],
    ['its latest trip', 'vehicles', 'last_trip { key }', 0],
    ['its page of visits', 'vehicles', 'visits(first: 1) { nodes { key } }', 0],
    ['the trips of its events', 'vehicles', 'events(first: 20) { nodes { key context { trip { key } } } }', 1],
    ['its positions', 'trips', 'points(first: 2) { nodes { timestamp } }', 1],
    ['its outline', 'trips', 'path(tolerance_meters: 3) { points }', 1],
    ['its line', 'trips', 'encoded_polyline', 1],
  ])('%s, for the owner and an app', async (_, list, relation, more) => {
    const scopes = ['vehicles.read', 'account_activity.read', 'places.read', 'trippoints.read'];
    const app = await appFor(own.keys.user, scopes);
    // No time slice of a request is over, after which others of the list would be read apart.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    for (const { headers } of [own, app]) {
      const [one = 0, two = 0] = await mapInOrder([1, 2], async (first) => {
        const sent = await queriesDuring(async () => {
          const query = `{ ${list}(first: ${first}) { nodes { ${relation} } } }`;
          const { data, errors } = await ask(query, headers);
          expect(errors).toBeUndefined();
          expect(data).toMatchObject({ [list]: { nodes: Array.from({ length: first }, () => expect.anything()) } });
        });
        return sent.length;
      });
      expect(two - one).toBe(more);
    }
  });
});

/** The cursor behind the newest event of the account. */
async function newestEvent(): Promise<string> {
  const { data } = await ask('{ events(first: 1) { page_info { end_cursor } } }', own.headers);
  return String((data?.events as { page_info: { end_cursor: string } } | undefined)?.page_info.end_cursor);
}

test('events of each vehicle of a list are those that it has by itself, with the same trips and pages', async () => {
  const fields = '{ nodes { key event timestamp context { trip { key } place { key } } } page_info { end_cursor } }';
  const { data: listed } = await ask('{ vehicles { nodes { key } } }', own.headers);
  const keys = nodesOf<{ readonly key: string }>(listed?.vehicles).map(({ key }) => key);
  for (const args of ['first: 20', 'first: 2', `first: 3, after: "${await newestEvent()}"`, 'event: trip_end']) {
    const { data } = await ask(`{ vehicles { nodes { key events(${args}) ${fields} } } }`, own.headers);
    for (const key of keys) {
      const alone = await ask(`{ events(vehicle_key: "${key}", ${args}) ${fields} }`, own.headers);
      expect(alone.errors).toBeUndefined();
      expect(nodesOf(data?.vehicles)).toContainEqual({ key, ...alone.data });
    }
  }
  const { data } = await ask(`{ events(vehicle_key: "${own.keys.vehicle}", first: 20) ${fields} }`, own.headers);
  const events = nodesOf<{ readonly event: string; readonly context: { readonly trip: unknown } }>(data?.events);
  const braking = events.filter(({ event }) => event === 'trip_hard_brake');
  const trip = { key: own.keys.trip };
  expect(braking.map(({ context }) => context.trip)).toEqual([null, trip, trip, trip]);
});

/** The records of a page. */
function nodesOf<Node>(page: unknown): readonly Node[] {
  return (page as { readonly nodes: readonly Node[] } | undefined)?.nodes ?? [];
}

/** Does work for one item after the other: queries are counted of one at a time. */
async function mapInOrder<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

test.each([
  ['{ vehicles(first: 1000) { nodes { trips(first: 1) { nodes { key } } } } }', 'Vehicle.trips alone costs 10000'],
  ['{ account { trips { nodes { points { nodes { speed } } } } } }', 'Trip.points alone costs 50500'],
])('%s costs too much: %s', async (query, message) => {
  const { errors } = await ask(query, own.headers);
  expect(errors?.map((error) => error.message)).toEqual([
    expect.stringContaining(`at most 3000 is allowed; ${message}`),
  ]);
});
