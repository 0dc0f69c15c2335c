import { beforeAll, expect, test, vi } from 'vitest';

import { approveApp } from '../../resolvers/apps/app-resolver.ts';
import { createAccount } from '../../resolvers/account/create-account.ts';
import { createGrant, issueAccessToken } from '../../auth/grants.ts';
import { SCOPES } from '../../auth/scopes/scope.ts';
import { newKey } from '../../models/key.ts';
import { HTTP_STATUS } from '../../schema/service-error.ts';
import { AccountClient } from '../clients/account-client.ts';
import { useDatabase, testService } from '../services/database.ts';
import { at, ingestHost } from '../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
  // Visits are made from positions after the creation of their place.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T11:59:00Z') });
  return async () => {
    vi.useRealTimers();
    await host.app.close();
  };
});

type Caller = Readonly<Record<string, string>>;

/** A client of one interface. Each request is written in the words of both; the client sends its own. */
interface Client {
  /** Changes or reads a record. `row` is of REST, as `POST /groups`; `field` is the root field, with what it selects. */
  readonly ask: (row: string, field: string, body?: object, caller?: Caller) => Promise<Record<string, string>>;
  /** The records of a list. */
  readonly list: (row: string, field: string, caller?: Caller) => Promise<Record<string, string>[]>;
  /** Code of the error with which a list is rejected. */
  readonly rejection: (row: string, field: string, caller: Caller) => Promise<number>;
}

function restClient(owner: Caller): Client {
  const send = (row: string, body: object | undefined, caller: Caller) => {
    const [method = '', path = ''] = row.split(' ');
    if (method === 'GET') return client.get(path, caller);
    return method === 'DELETE' ? client.delete(path, caller) : client.post(path, body ?? {}, caller);
  };
  const ask: Client['ask'] = async (row, _field, body, caller = owner) => {
    const answer = await send(row, body, caller);
    expect([row, answer.statusCode < 300]).toEqual([row, true]);
    return answer.json();
  };
  return {
    ask,
    list: async (row, _field, caller = owner) => {
      const { cursor: _, ...answer } = await ask(`GET ${row}`, '', undefined, caller);
      return Object.values(answer)[0] as unknown as Record<string, string>[];
    },
    rejection: async (row, _field, caller) => (await client.get(row, caller)).statusCode,
  };
}

function graphqlClient(owner: Caller): Client {
  const ask: Client['ask'] = async (row, field, body, caller = owner) => {
    const kind = row.startsWith('GET ') ? 'query' : 'mutation';
    const input =
      body &&
      JSON.stringify(body)
        .replace(/"(\w+)":/g, '$1:')
        .replace(/"(Trip|driver)"/g, '$1');
    const { data, errors } = await host.graphql(`${kind} { answer: ${field.replace('$', input ?? '')} }`, caller);
    expect([field, errors]).toEqual([field, undefined]);
    return data.answer as Record<string, string>;
  };
  return {
    ask,
    list: async (row, field, caller = owner) => {
      const { nodes } = await ask(`GET ${row}`, field, undefined, caller);
      return nodes as unknown as Record<string, string>[];
    },
    rejection: async (_row, field, caller) => {
      const { errors } = await host.graphql(`{ ${field} }`, caller);
      const [{ extensions }] = errors as unknown as [{ extensions: { code: keyof typeof HTTP_STATUS } }];
      return HTTP_STATUS[extensions.code];
    },
  };
}

test.each([
  ['REST', restClient],
  ['GraphQL', graphqlClient],
])('an account runs itself by %s alone, from its first vehicle to the deletion of everything', async (_, open) => {
  vi.setSystemTime(new Date('2026-03-01T11:59:00Z'));
  // The operator makes the account and approves the app; all else is done by the API.
  const { api_key } = await createAccount(testService, { nickname: 'Bakery' });
  const owner = { 'service-api-key': api_key };
  const { ask, list, rejection } = open(owner);

  const app = { name: 'Route planner', redirect_uris: ['https://app.example/back'] };
  const { client_id = '' } = await ask('POST /apps', 'registerApp(input: $) { client_id }', app);
  await approveApp(testService, client_id, Object.keys(SCOPES));

  const north = await ask('POST /groups', 'createGroup(name: "North") { key }', { name: 'North' });
  const south = await ask('POST /groups', 'createGroup(name: "South") { key }', { name: 'South' });
  const ada = { first_name: 'Ada', email: `ada@${newKey()}.example`, account_role: 'driver' };
  const driver = await ask('POST /users', 'createUser(input: $) { key invitation_url }', ada);
  expect(driver.invitation_url).toContain('/');
  const van = { nickname: 'Van 3', group_keys: [north.key], driver_key: driver.key };
  const vehicle = await ask('POST /vehicles', 'createVehicle(input: $) { key }', van);
  const device = await ask('POST /devices', `createDevice(serial: "WB-0042", vehicle_key: "${vehicle.key}") { key }`, {
    serial: 'WB-0042',
    vehicle_key: vehicle.key,
  });
  const depot = { name: 'Depot', point: at(10).point, radius: 40 };
  const place = await ask('POST /places', 'createPlace(input: $) { key }', depot);
  const key = await ask(
    `POST /device/${device.key}/keys`,
    `issueDeviceKey(device_key: "${device.key}") { key secret }`,
  );
  const points = [at(0, 'engine_start'), at(10), at(20), at(30, 'engine_stop')];
  vi.setSystemTime(new Date('2026-03-01T12:01:00Z'));
  expect((await host.post(key.secret ?? '', { points })).body).toMatchObject({ accepted: 4 });

  const TRIPS = 'trips { nodes { key duration_seconds vehicle { nickname } tags { key } user { first_name } } }';
  const trips = await list('/trips', TRIPS);
  expect(trips).toMatchObject([
    { vehicle: { nickname: 'Van 3' }, duration_seconds: 30, tags: [], user: { first_name: 'Ada' } },
  ]);
  const trip = trips[0]?.key;
  const label = { type: 'Trip', value: 'Deliveries', color: '#00aa00' };
  const tag = await ask('POST /tags', 'createTag(input: $) { key }', label);
  const changed = `updateTrip(key: "${trip}", input: $) { tags { value } user { first_name } }`;
  const tagged = await ask(`POST /trip/${trip}`, changed, { tags: [tag.key], user_key: driver.key });
  expect(tagged).toMatchObject({ tags: [{ value: 'Deliveries' }], user: { first_name: 'Ada' } });
  const visits = await list('/places/visits', 'visits { nodes { place_key vehicle_key } }');
  expect(visits).toMatchObject([{ place_key: place.key, vehicle_key: vehicle.key }]);
  expect(await list(`/trip/${trip}/points`, `tripPoints(trip_key: "${trip}") { nodes { timestamp } }`)).toHaveLength(4);

  const grant = await createGrant(testService, { user_key: driver.key ?? '', client_id, scopes: Object.keys(SCOPES) });
  const asDriver = { authorization: `Bearer ${await issueAccessToken(testService, grant)}` };
  expect(await list('/trips', TRIPS, asDriver)).toMatchObject([{ key: trip }]);
  expect((await ask('GET /user', 'me { key }', undefined, asDriver)).key).toBe(driver.key);
  expect(await rejection('/vehicles', 'vehicles { nodes { key } }', asDriver)).toBe(403);

  const moved = { group_keys: [south.key] };
  await ask(`POST /vehicle/${vehicle.key}`, `updateVehicle(key: "${vehicle.key}", input: $) { key }`, moved);
  const inSouth = `vehicles(group_keys: ["${south.key}"]) { nodes { key group_keys } }`;
  expect(await list(`/vehicles?group_keys=${south.key}`, inSouth)).toMatchObject([
    { key: vehicle.key, group_keys: [south.key] },
  ]);

  for (const [path, mutation] of [
    [`/device_key/${key.key}`, 'deleteDeviceKey'],
    [`/place/${place.key}`, 'deletePlace'],
    [`/tag/${tag.key}`, 'deleteTag'],
    [`/device/${device.key}`, 'deleteDevice'],
    [`/vehicle/${vehicle.key}`, 'deleteVehicle'],
    [`/user/${driver.key}`, 'deleteUser'],
    [`/group/${north.key}`, 'deactivateGroup'],
  ] as const) {
    const [, , id] = path.split('/');
    const argument = mutation === 'deactivateGroup' ? 'group_key' : 'key';
    const deleted = await ask(`DELETE ${path}`, `${mutation}(${argument}: "${id}") { key deleted }`);
    expect(deleted).toEqual({ key: id, deleted: true });
  }
  expect((await host.post(key.secret ?? '', { points: [at(40)] })).status).toBe(401);
  expect(await rejection('/trips', TRIPS, asDriver)).toBe(401);
  expect(await list('/trips', TRIPS)).toEqual([]);
  expect(await list('/vehicles', 'vehicles { nodes { key } }')).toEqual([]);
  expect(await list('/devices', 'devices { nodes { key } }')).toEqual([]);
  expect(await list('/places/visits', 'visits { nodes { key } }')).toEqual([]);
});
