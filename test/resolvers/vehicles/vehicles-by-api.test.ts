import { beforeAll, describe, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { deletedVehicleKeys } from '../../../tracking/retention/delete-record.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { account, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
  return () => host.app.close();
});

const FACTS = {
  nickname: 'Van 3',
  vin: '1m8gdm9axkp042788',
  plate_number: 'HB-WB 42',
  year: 2024,
  make: 'Volkswagen',
  model: 'Crafter',
  odometer: 1200.5,
};

describe('POST /vehicles', () => {
  test('makes a vehicle with all its facts, which GET /vehicle/{key} shows', async () => {
    const { headers } = await account();
    const made = await client.post('/vehicles', FACTS, headers);
    expect(made.statusCode).toBe(201);
    expect(made.json()).toMatchObject({ ...FACTS, vin: '1M8GDM9AXKP042788', device_keys: [], driver: null });
    expect((await client.get(`/vehicle/${made.json().key}`, headers)).json()).toEqual(made.json());
  });

  test('makes a vehicle of which nothing is known', async () => {
    const { headers } = await account();
    expect((await client.post('/vehicles', {}, headers)).json()).toMatchObject({
      nickname: null,
      vin: null,
      year: null,
    });
  });

  test.each([
    ['a VIN of 16 characters', { vin: '1M8GDM9AXKP04278' }, 'vin must have 17 letters and digits, without I, O and Q'],
    ['a VIN with an O', { vin: '1M8GDM9AXKPO42788' }, 'vin must have 17 letters and digits, without I, O and Q'],
    ['a blank nickname', { nickname: ' ' }, 'nickname must have 1 to 255 characters'],
    ['a year before motor cars', { year: 1885 }, 'year must be 1886 to 2100'],
    ['half a year', { year: 2024.5 }, 'year must be an integer'],
    ['a negative odometer', { odometer: -1 }, 'odometer must be 0 to 10000000'],
    ['a text as odometer', { odometer: '12' }, 'odometer must be a number'],
    ['null as groups', { group_keys: null }, 'group_keys must be a list'],
    ['no list of groups', { group_keys: 'all' }, 'group_keys must be a list'],
    [
      'a group that is none',
      { group_keys: ['nothing'] },
      'group_keys must be the key of a group of the account; "nothing" does not exist',
    ],
    [
      'a driver who is none',
      { driver_key: 'nobody' },
      'driver_key must be the key of a user of the account; "nobody" does not exist',
    ],
  ])('rejects %s', async (_, body, errors) => {
    const { headers } = await account();
    const answer = await client.post('/vehicles', body, headers);
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors }]);
    expect((await client.get('/vehicles', headers)).json()).toEqual({ vehicles: [] });
  });

  test('takes no group, and no driver, of another account', async () => {
    const { headers } = await account();
    const other = await account();
    const theirs = await group(other.key, 'South');
    expect((await client.post('/vehicles', { group_keys: [theirs.key] }, headers)).statusCode).toBe(400);
    expect((await client.post('/vehicles', { driver_key: await user(other.key) }, headers)).statusCode).toBe(400);
  });

  test('lets a restricted user make vehicles in these groups only', async () => {
    const { key, headers } = await account();
    const north = await group(key, 'North');
    const south = await group(key, 'South');
    const app = await appFor(await user(key, [north]), ['vehicles.read', 'vehicles.manage']);
    expect((await client.post('/vehicles', {}, app.headers)).statusCode).toBe(403);
    expect((await client.post('/vehicles', { group_keys: [south.key] }, app.headers)).statusCode).toBe(400);
    const made = await client.post('/vehicles', { group_keys: [north.key] }, app.headers);
    expect(made.json()).toMatchObject({ group_keys: [north.key] });
    expect((await client.get('/vehicles', headers)).json().vehicles).toHaveLength(1);
  });
});

describe('POST /vehicle/{key}', () => {
  test('changes what is named, and leaves the rest', async () => {
    const { key, headers } = await account();
    const { key: vehicleKey } = (await client.post('/vehicles', FACTS, headers)).json();
    const driver_key = await user(key);
    const changed = await client.post(`/vehicle/${vehicleKey}`, { nickname: 'Van 4', vin: null, driver_key }, headers);
    const driver = { key: driver_key, first_name: null, last_name: null };
    expect(changed.json()).toMatchObject({ ...FACTS, nickname: 'Van 4', vin: null, driver });
  });

  test('brings no vehicle back into a group that another request takes it out of meanwhile', async () => {
    const { key, headers } = await account();
    const [north, harbour, south] = [await group(key, 'North'), await group(key, 'Harbour'), await group(key, 'South')];
    const app = await appFor(await user(key, [north, harbour]), ['vehicles.read', 'vehicles.manage']);
    for (let round = 0; round < 5; round++) {
      const path = `/vehicle/${await vehicle(key, [north, south])}`;
      await Promise.all([
        client.post(path, { group_keys: [harbour.key] }, app.headers),
        client.post(path, { group_keys: [north.key] }, headers),
      ]);
      expect((await client.get(path, headers)).json().group_keys).not.toContain(south.key);
    }
  });

  test('keeps a vehicle in groups that the caller does not see', async () => {
    const { key, headers } = await account();
    const [north, south, east] = [await group(key, 'North'), await group(key, 'South'), await group(key, 'East')];
    const vehicleKey = await vehicle(key, [north, south]);
    const app = await appFor(await user(key, [north, east]), ['vehicles.read', 'vehicles.manage']);
    const moved = await client.post(`/vehicle/${vehicleKey}`, { group_keys: [east.key] }, app.headers);
    expect(moved.json().group_keys).toEqual([east.key]);
    const whole = (await client.get(`/vehicle/${vehicleKey}`, headers)).json();
    expect(whole.group_keys.toSorted()).toEqual([east.key, south.key].toSorted());
    expect((await client.post(`/vehicle/${vehicleKey}`, { group_keys: [] }, app.headers)).statusCode).toBe(403);
  });

  test("is 404 for another account's vehicle, and changes nothing", async () => {
    const { headers } = await account();
    const other = await account();
    const theirs = await vehicle(other.key);
    expect((await client.post(`/vehicle/${theirs}`, { nickname: 'Mine' }, headers)).statusCode).toBe(404);
    expect((await client.get(`/vehicle/${theirs}`, other.headers)).json().nickname).toBe('Van');
  });
});

describe('GET /vehicles', () => {
  test('finds vehicles by any part of the nickname or the whole VIN, whatever the case', async () => {
    const { headers } = await account();
    for (const [nickname, vin] of [
      ['Delivery van', '1M8GDM9AXKP042788'],
      ['Crane', null],
      ['Van of Zoë', null],
    ] as const) {
      await client.post('/vehicles', { nickname, vin }, headers);
    }
    const found = async (q: string) => {
      const { vehicles } = (await client.get(`/vehicles?q=${encodeURIComponent(q)}`, headers)).json();
      return vehicles.map(({ nickname }: { nickname: string }) => nickname);
    };
    expect(await found('VAN')).toEqual(['Delivery van', 'Van of Zoë']);
    expect(await found('zoë')).toEqual(['Van of Zoë']);
    expect(await found('1m8gdm9axkp042788')).toEqual(['Delivery van']);
    expect(await found('1m8gdm9')).toEqual([]);
    expect(await found('.*')).toEqual([]);
    expect(await found('')).toHaveLength(3);
  });

  test('lists vehicles of groups and those below them', async () => {
    const { key, headers } = await account();
    const north = await group(key, 'North');
    const harbour = await group(key, 'Harbour', north);
    const below = await vehicle(key, [harbour]);
    await vehicle(key);
    const { vehicles } = (await client.get(`/vehicles?group_keys=${north.key}`, headers)).json();
    expect(vehicles.map((one: { key: string }) => one.key)).toEqual([below]);
  });

  test('goes on where the cursor leads, with the same search', async () => {
    const { headers } = await account();
    for (const number of [1, 2, 3]) await client.post('/vehicles', { nickname: `Van ${number}` }, headers);
    const first = (await client.get('/vehicles?q=van&size=2', headers)).json();
    const second = (await client.get(`/vehicles?q=van&size=2&cursor=${first.cursor}`, headers)).json();
    const names = [...first.vehicles, ...second.vehicles].map(({ nickname }: { nickname: string }) => nickname);
    expect([names, second.cursor]).toEqual([['Van 1', 'Van 2', 'Van 3'], undefined]);
  });

  test('answers tags, groups and the last trip of each where `expand` names them', async () => {
    const owner = await account();
    const north = await group(owner.key, 'North');
    const vehicle_key = await vehicle(owner.key, [north]);
    const { key: device_key } = await device(owner.key, { vehicle_key });
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key });
    await host.post(secret, { points: [at(0, 'engine_start'), at(10), at(20, 'engine_stop')] });
    await host.post(secret, { points: [at(400, 'engine_start'), at(410)] });
    const { key: tag } = (await client.post('/tags', { type: 'Car', value: 'Electric' }, owner.headers)).json();
    await client.post(`/tag/${tag}/apply`, { entity_keys: [vehicle_key] }, owner.headers);
    const shown = (await client.get(`/vehicle/${vehicle_key}?expand=tags,groups,last_trip`, owner.headers)).json();
    expect(shown).toMatchObject({
      tags: [{ key: tag, value: 'Electric', color: null }],
      groups: [{ key: north.key, name: 'North' }],
      last_trip: { start_point: { timestamp: '2026-03-01T12:06:40+00:00' }, duration_seconds: 10 },
    });
    expect(shown).not.toHaveProperty('devices');
    await vehicle(owner.key);
    const found = (await client.get(`/vehicles?tag_keys=${tag}`, owner.headers)).json().vehicles;
    expect(found.map(({ key }: { key: string }) => key)).toEqual([vehicle_key]);
    const without = await appFor(await user(owner.key), ['vehicles.read']);
    const { last_trip } = (await client.get(`/vehicle/${vehicle_key}?expand=last_trip`, without.headers)).json();
    expect(last_trip).toBeNull();
  });

  test('answers the devices of each with `expand=devices`, and rejects other words', async () => {
    const { key, headers } = await account();
    const vehicle_key = await vehicle(key);
    const inside = await device(key, { vehicle_key });
    const { vehicles } = (await client.get('/vehicles?expand=devices', headers)).json();
    expect(vehicles).toMatchObject([
      { device_keys: [inside.key], devices: [{ key: inside.key, serial: inside.serial }] },
    ]);
    expect((await client.get('/vehicles', headers)).json().vehicles[0]).not.toHaveProperty('devices');
    expect((await client.get('/vehicles?expand=secrets', headers)).json()).toEqual({
      errors: 'expand must be one or more of tags, groups, devices, last_trip',
    });
  });
});

describe('DELETE /vehicle/{key}', () => {
  /** A vehicle with a trip that its device has sent. */
  async function drivenVehicle() {
    const owner = await account();
    const vehicle_key = await vehicle(owner.key);
    const { key: device_key } = await device(owner.key, { vehicle_key });
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key });
    await host.post(secret, { points: [at(0, 'engine_start'), at(10), at(20)] });
    const trips = async () => {
      const { data } = await host.graphql(
        `{ trips(vehicle_key: "${vehicle_key}") { nodes { point_count } } }`,
        owner.headers,
      );
      return data?.trips;
    };
    return { ...owner, vehicle_key, device_key, secret, trips };
  }

  test('takes it out of everything, its trips included, and its devices out of it', async () => {
    const { headers, vehicle_key, device_key, secret, trips } = await drivenVehicle();
    expect((await client.delete(`/vehicle/${vehicle_key}`, headers)).json()).toEqual({
      key: vehicle_key,
      deleted: true,
    });
    expect((await client.get(`/vehicle/${vehicle_key}`, headers)).statusCode).toBe(404);
    expect((await client.get('/vehicles', headers)).json()).toEqual({ vehicles: [] });
    expect(await trips()).toBeUndefined();
    const left = (await client.get(`/device/${device_key}`, headers)).json();
    expect(left).toMatchObject({ vehicle_key: null, status: 'pending' });
    expect((await host.post(secret, { points: [at(30)] })).status).toBe(400);
    expect((await client.delete(`/vehicle/${vehicle_key}`, headers)).statusCode).toBe(404);
  });

  test('can be taken back for 30 days, with trips and devices', async () => {
    const { headers, key, vehicle_key, device_key, trips } = await drivenVehicle();
    const before = (await client.get(`/vehicle/${vehicle_key}`, headers)).json();
    await client.delete(`/vehicle/${vehicle_key}`, headers);
    expect(await deletedVehicleKeys(accountAccessScope(testService, key))).toEqual([vehicle_key]);
    const restored = (await client.post(`/vehicle/${vehicle_key}/restore`, {}, headers)).json();
    expect(before.vehicle_location).not.toBeNull();
    expect(restored).toEqual(before);
    expect(await trips()).toEqual({ nodes: [{ point_count: 3 }] });
    expect((await client.get(`/device/${device_key}`, headers)).json()).toMatchObject({
      vehicle_key,
      status: 'installed',
    });
    expect(await deletedVehicleKeys(accountAccessScope(testService, key))).toEqual([]);
    expect((await client.post(`/vehicle/${vehicle_key}/restore`, {}, headers)).statusCode).toBe(404);
  });

  test('leaves a device where it is that another vehicle has got meanwhile', async () => {
    const { key, headers, vehicle_key, device_key } = await drivenVehicle();
    await client.delete(`/vehicle/${vehicle_key}`, headers);
    const other = await vehicle(key);
    await client.post(`/device/${device_key}`, { vehicle_key: other }, headers);
    await client.post(`/vehicle/${vehicle_key}/restore`, {}, headers);
    expect((await client.get(`/device/${device_key}`, headers)).json().vehicle_key).toBe(other);
  });

  test('is for those who see the vehicle, and so is taking it back', async () => {
    const { key, headers, vehicle_key } = await drivenVehicle();
    const other = await account();
    const north = await group(key, 'North');
    const restricted = await appFor(await user(key, [north]), ['vehicles.read', 'vehicles.manage']);
    for (const strange of [other.headers, restricted.headers]) {
      expect((await client.delete(`/vehicle/${vehicle_key}`, strange)).statusCode).toBe(404);
    }
    await client.delete(`/vehicle/${vehicle_key}`, headers);
    for (const strange of [other.headers, restricted.headers]) {
      expect((await client.post(`/vehicle/${vehicle_key}/restore`, {}, strange)).statusCode).toBe(404);
    }
    expect((await client.post(`/vehicle/${vehicle_key}/restore`, {}, headers)).statusCode).toBe(200);
  });
});
