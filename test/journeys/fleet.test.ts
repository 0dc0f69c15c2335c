import { beforeAll, expect, test, vi } from 'vitest';

import { approveApp } from '../../resolvers/apps/app-resolver.ts';
import { createAccount } from '../../resolvers/account/create-account.ts';
import { createGrant, issueAccessToken } from '../../auth/grants.ts';
import { SCOPES } from '../../auth/scopes/scope.ts';
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

test('an account runs itself by the API alone, from its first vehicle to the deletion of everything', async () => {
  // The operator makes the account and approves the app; all else is done by the API.
  const { api_key } = await createAccount(testService, { nickname: 'Bakery' });
  const owner = { 'service-api-key': api_key };
  const graphql = async (query: string) => {
    const { data, errors } = await host.graphql(query, owner);
    expect(errors).toBeUndefined();
    return data;
  };
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = owner) => {
    const answer = await client.post(path, body, headers);
    expect([path, answer.statusCode]).toEqual([path, path.includes('/', 1) ? 200 : 201]);
    return answer.json();
  };
  const get = async (path: string, headers: Readonly<Record<string, string>> = owner) =>
    (await client.get(path, headers)).json();

  const { registerApp } = await graphql(
    'mutation { registerApp(input: { name: "Route planner", redirect_uris: ["https://app.example/back"] }) { client_id } }',
  );
  const { client_id } = registerApp as { client_id: string };
  await approveApp(testService, client_id, Object.keys(SCOPES));

  const north = await post('/groups', { name: 'North' });
  const south = await post('/groups', { name: 'South' });
  const driver = await post('/users', { first_name: 'Ada', email: 'ada@bakery.example', account_role: 'driver' });
  expect(driver.invitation_url).toContain('/');
  const vehicle = await post('/vehicles', { nickname: 'Van 3', group_keys: [north.key], driver_key: driver.key });
  const device = await post('/devices', { serial: 'WB-0042', vehicle_key: vehicle.key });
  const place = await post('/places', { name: 'Depot', point: at(10).point, radius: 40 });

  const { issueDeviceKey } = await graphql(
    `mutation { issueDeviceKey(device_key: "${device.key}") { key device_key_secret } }`,
  );
  const { device_key_secret, key: deviceKeyId } = issueDeviceKey as { device_key_secret: string; key: string };
  const points = [at(0, 'engine_start'), at(10), at(20), at(30, 'engine_stop')];
  vi.setSystemTime(new Date('2026-03-01T12:01:00Z'));
  expect((await host.post(device_key_secret, { points })).body).toMatchObject({ accepted: 4 });

  const { trips } = await get('/trips');
  expect(trips).toMatchObject([
    { vehicle: { nickname: 'Van 3' }, duration_seconds: 30, tags: [], user: { first_name: 'Ada' } },
  ]);
  const tag = await post('/tags', { type: 'Trip', value: 'Deliveries', color: '#00aa00' });
  const tagged = await post(`/trip/${trips[0].key}`, { tags: [tag.key], user_key: driver.key });
  expect(tagged).toMatchObject({ tags: [{ value: 'Deliveries' }], user: { first_name: 'Ada' } });
  const url = `/api/v2/trip/${trips[0].key}.gpx`;
  const file = await host.app.inject({ url, headers: { host: 'localhost', ...owner } });
  expect(file.body).toContain('<trkpt');
  const { visits } = await get('/places/visits');
  expect(visits).toMatchObject([{ place_key: place.key, vehicle_key: vehicle.key }]);

  const grant = await createGrant(testService, { user_key: driver.key, client_id, scopes: Object.keys(SCOPES) });
  const asDriver = { authorization: `Bearer ${await issueAccessToken(testService, grant)}` };
  expect((await get('/trips', asDriver)).trips).toMatchObject([{ key: trips[0].key }]);
  expect((await get('/user', asDriver)).key).toBe(driver.key);
  expect((await client.get('/vehicles', asDriver)).statusCode).toBe(403);

  await post(`/vehicle/${vehicle.key}`, { group_keys: [south.key] });
  const inSouth = await get(`/vehicles?group_keys=${south.key}`);
  expect(inSouth.vehicles).toMatchObject([{ key: vehicle.key, group_keys: [south.key] }]);

  await graphql(`mutation { revokeDeviceKey(key: "${deviceKeyId}") }`);
  expect((await host.post(device_key_secret, { points: [at(40)] })).status).toBe(401);
  for (const path of [
    `/place/${place.key}`,
    `/tag/${tag.key}`,
    `/device/${device.key}`,
    `/vehicle/${vehicle.key}`,
    `/user/${driver.key}`,
    `/group/${north.key}`,
  ]) {
    const deleted = (await client.delete(path, owner)).json();
    expect(deleted).toEqual({ key: path.split('/')[2], deleted: true });
  }
  expect((await client.get('/trips', asDriver)).statusCode).toBe(401);
  expect(await get('/trips')).toEqual({ trips: [] });
  expect(await get('/vehicles')).toEqual({ vehicles: [] });
  expect(await get('/devices')).toEqual({ devices: [] });
  expect(await get('/places/visits')).toEqual({ visits: [] });
});
