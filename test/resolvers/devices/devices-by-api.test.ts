import { beforeAll, describe, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
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

describe('POST /devices', () => {
  test('makes a pending device, or one installed in a vehicle and in its groups', async () => {
    const { key, headers } = await account();
    const north = await group(key, 'North');
    const vehicle_key = await vehicle(key, [north]);
    const spare = await client.post('/devices', { serial: 'WB-1' }, headers);
    expect([spare.statusCode, spare.json()]).toMatchObject([
      201,
      { serial: 'WB-1', status: 'pending', vehicle_key: null },
    ]);
    const installed = await client.post('/devices', { serial: 'WB-2', vehicle_key }, headers);
    expect(installed.json()).toMatchObject({ status: 'installed', vehicle_key });
    const app = await appFor(await user(key, [north]), ['account.read']);
    const seen = (await client.get('/devices', app.headers)).json().devices;
    expect(seen.map(({ serial }: { serial: string }) => serial)).toEqual(['WB-2']);
  });

  test.each([
    ['no serial', {}, 'serial is required'],
    ['a blank serial', { serial: ' ' }, 'serial must have 1 to 255 characters'],
    [
      'a vehicle that is none',
      { serial: 'WB-1', vehicle_key: 'nothing' },
      'vehicle_key must be the key of a vehicle of the account; "nothing" does not exist',
    ],
  ])('rejects %s', async (_, body, errors) => {
    const { headers } = await account();
    const answer = await client.post('/devices', body, headers);
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors }]);
  });

  test('rejects a serial that another device of the account has in whatever case', async () => {
    const { headers } = await account();
    await client.post('/devices', { serial: 'WB-1' }, headers);
    const errors = 'serial "wb-1" is taken by another device of the account';
    expect((await client.post('/devices', { serial: 'wb-1' }, headers)).json()).toEqual({ errors });
  });

  test('is for restricted users only in vehicles of their groups', async () => {
    const { key } = await account();
    const north = await group(key, 'North');
    const app = await appFor(await user(key, [north]), ['account.read', 'devices.manage']);
    expect((await client.post('/devices', { serial: 'A' }, app.headers)).statusCode).toBe(403);
    const elsewhere = await vehicle(key);
    expect((await client.post('/devices', { serial: 'A', vehicle_key: elsewhere }, app.headers)).statusCode).toBe(400);
    const vehicle_key = await vehicle(key, [north]);
    expect((await client.post('/devices', { serial: 'A', vehicle_key }, app.headers)).statusCode).toBe(201);
  });

  test('stays in sight of restricted users who take it out of its vehicle, or remove it', async () => {
    const { key } = await account();
    const north = await group(key, 'North');
    const app = await appFor(await user(key, [north]), ['account.read', 'devices.manage']);
    const vehicle_key = await vehicle(key, [north]);
    const made = await client.post('/devices', { serial: 'A', vehicle_key }, app.headers);
    const path = `/device/${made.json().key}`;
    await client.post(path, { vehicle_key: null }, app.headers);
    expect((await client.get('/devices', app.headers)).json().devices).toMatchObject([{ vehicle_key: null }]);
    await client.delete(path, app.headers);
    expect((await client.get(path, app.headers)).json()).toMatchObject({ status: 'removed' });
    expect((await client.post(`${path}/restore`, {}, app.headers)).json()).toMatchObject({
      status: expect.any(String),
    });
    expect((await client.get('/devices', app.headers)).json().devices).toHaveLength(1);
  });
});

/** A device that records a trip. */
async function driving() {
  const owner = await account();
  const vehicle_key = await vehicle(owner.key);
  const { key: device_key } = await device(owner.key, { vehicle_key });
  const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key });
  await host.post(secret, { points: [at(0, 'engine_start'), at(10), at(20)] });
  const counts = async (of: string) => {
    const { data } = await host.graphql(`{ trips(vehicle_key: "${of}") { nodes { point_count } } }`, owner.headers);
    const trips = data.trips as { nodes: { point_count: number }[] };
    return trips.nodes.map(({ point_count }) => point_count);
  };
  return { ...owner, vehicle_key, device_key, secret, counts };
}

describe('POST /device/{key} with vehicle_key', () => {
  test('moves a device: what it reports of times from then on is recorded for the new vehicle', async () => {
    const { key, headers, vehicle_key, device_key, secret, counts } = await driving();
    const other = await vehicle(key);
    const moved = await client.post(`/device/${device_key}`, { vehicle_key: other }, headers);
    expect(moved.json()).toMatchObject({ vehicle_key: other, status: 'installed' });
    const later = (seconds: number) => ({
      ...at(seconds),
      timestamp: new Date(Date.now() + seconds * 1000).toISOString(),
    });
    await host.post(secret, { points: [later(30), at(30), later(40), at(40)] });
    expect([await counts(vehicle_key), await counts(other)]).toEqual([[5], [2]]);
    await client.post(`/device/${device_key}`, { vehicle_key }, headers);
    await host.post(secret, { points: [later(50), at(50)] });
    expect([await counts(vehicle_key), await counts(other)]).toEqual([[6], [2]]);
  });

  test('takes a device out with null, so that what it sends is rejected', async () => {
    const { headers, vehicle_key, device_key, secret, counts } = await driving();
    const out = await client.post(`/device/${device_key}`, { vehicle_key: null }, headers);
    expect(out.json()).toMatchObject({ vehicle_key: null, status: 'pending' });
    expect((await host.post(secret, { points: [at(30)] })).status).toBe(400);
    expect(await counts(vehicle_key)).toEqual([3]);
  });

  test("rejects another account's vehicle, and leaves the device where it is", async () => {
    const { headers, vehicle_key, device_key } = await driving();
    const theirs = await vehicle((await account()).key);
    expect((await client.post(`/device/${device_key}`, { vehicle_key: theirs }, headers)).statusCode).toBe(400);
    expect((await client.get(`/device/${device_key}`, headers)).json().vehicle_key).toBe(vehicle_key);
  });
});

describe('DELETE /device/{key}', () => {
  test('removes a device from lists and its vehicle, and what it sends is rejected; repeating it is fine', async () => {
    const { headers, vehicle_key, device_key, secret, counts } = await driving();
    for (const _ of [1, 2]) {
      const deleted = await client.delete(`/device/${device_key}`, headers);
      expect(deleted.json()).toEqual({ key: device_key, deleted: true });
    }
    expect((await client.get('/devices', headers)).json()).toEqual({ devices: [] });
    expect((await client.get(`/device/${device_key}`, headers)).json()).toMatchObject({
      status: 'removed',
      vehicle_key: null,
    });
    expect((await host.post(secret, { points: [at(30)] })).status).not.toBe(200);
    expect(await counts(vehicle_key)).toEqual([3]);
    expect((await client.post(`/device/${device_key}`, { vehicle_key }, headers)).statusCode).toBe(400);
  });

  test('is taken back into its vehicle', async () => {
    const { headers, device_key, vehicle_key, secret } = await driving();
    await client.delete(`/device/${device_key}`, headers);
    const back = await client.post(`/device/${device_key}/restore`, {}, headers);
    expect(back.json()).toMatchObject({ status: 'installed', vehicle_key });
    expect((await host.post(secret, { points: [at(30)] })).status).toBe(200);
  });

  test('is taken back into no vehicle where its own is deleted, and into that once it comes back', async () => {
    const { headers, device_key, vehicle_key } = await driving();
    await client.delete(`/device/${device_key}`, headers);
    await client.delete(`/vehicle/${vehicle_key}`, headers);
    const back = await client.post(`/device/${device_key}/restore`, {}, headers);
    expect(back.json()).toMatchObject({ status: 'pending', vehicle_key: null });
    await client.post(`/vehicle/${vehicle_key}/restore`, {}, headers);
    expect((await client.get(`/device/${device_key}`, headers)).json()).toMatchObject({ vehicle_key });
  });
});
