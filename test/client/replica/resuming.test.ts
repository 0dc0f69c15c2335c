import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { revokeGrant } from '../../../auth/grants.ts';
import { SCOPES } from '../../../auth/scopes/scope.ts';
import { memoryStore } from '../../../client/replica/memory-store.ts';
import type { RecordChange } from '../../../client/replica/replica-store.ts';
import { type Replica, replica } from '../../../client/replica/replica.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { injectedFetch } from '../../clients/injected-fetch.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { copiedRecords, kindsOf, queryRecords, type Reader, withoutEmpty } from './queried-records.ts';

useDatabase();

const DAY_MS = 86_400_000;

type Headers = Readonly<Record<string, string>>;

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());
afterEach(() => vi.useRealTimers());

/** Makes a copy for a reader; `before` is called before each request, with its query. */
function copyFor(headers: Headers, store = memoryStore(), before = async (_query: string) => {}): Replica {
  const send = injectedFetch(host.app);
  const fetch: typeof send = async (address, init) => {
    await before(JSON.parse(String(init?.body)).query);
    return send(address, init);
  };
  return replica({ url: 'https://localhost', credentials: { headers: async () => headers }, fetch }, store);
}

async function mutate(headers: Headers, mutation: string): Promise<string> {
  const { made } = await host.ask(`mutation { made: ${mutation} { key } }`, headers);
  await numberChanges(testService);
  return (made as { readonly key: string }).key;
}

async function expectExact(copy: Replica, headers: Headers, reader: Reader, hasZones = false): Promise<void> {
  const queried = await queryRecords((query) => host.ask(query, headers), reader, kindsOf(reader, hasZones));
  expect(await copiedRecords(copy)).toEqual(withoutEmpty(queried));
}

test('a vehicle that left the groups of the reader, was driven, and came back between two reads brings its trip', async () => {
  const device = await recordingDevice();
  const { headers } = device.owner;
  const north = await group(device.owner.key, 'North');
  const south = await group(device.owner.key, 'South');
  const move = async (key: string) => {
    await mutate(headers, `updateVehicle(key: "${device.vehicle_key}", input: { group_keys: ["${key}"] })`);
    await numberChanges(testService);
  };
  await move(north.key);
  const reader = (await appFor(await user(device.owner.key, [north]), Object.keys(SCOPES))).headers;
  const copy = copyFor(reader);
  await copy.sync();
  await move(south.key);
  await host.post(device.secret, { points: [at(0, 'trip_hard_brake'), at(5), at(10)] });
  await numberChanges(testService);
  await move(north.key);
  await copy.sync();
  expect([await copy.list('trip'), await copy.list('event', device.vehicle_key)]).toEqual([
    [expect.objectContaining({ vehicle_key: device.vehicle_key })],
    [expect.objectContaining({ event: 'trip_hard_brake' })],
  ]);
  await expectExact(copy, reader, 'app');
});

test('a vehicle that left the groups of its driver, was driven, and came back between two reads brings its trip', async () => {
  const { owner, vehicle_key, secret } = await recordingDevice();
  const [north, south] = [await group(owner.key, 'North'), await group(owner.key, 'South')];
  const driver = await user(owner.key, [north], { account_role: 'driver' });
  const change = (input: string) => mutate(owner.headers, `updateVehicle(key: "${vehicle_key}", input: { ${input} })`);
  await change(`group_keys: ["${north.key}"], driver_key: "${driver}"`);
  const reader = (await appFor(driver, Object.keys(SCOPES))).headers;
  const store = memoryStore();
  const copy = copyFor(reader, store);
  await copy.sync();
  const { generation } = (await store.state()) ?? {};
  await change(`group_keys: ["${south.key}"]`);
  await host.post(secret, { points: [at(0), at(5), at(10)] });
  await numberChanges(testService);
  await change(`group_keys: ["${north.key}"]`);
  await copy.sync();
  expect((await store.state())?.generation).toBe(generation);
  expect(await copy.list('trip')).toEqual([expect.objectContaining({ vehicle_key, user_key: driver })]);
  await expectExact(copy, reader, 'driver');
});

test('a vehicle that is deleted and restored while the first copy is taken has its trips', async () => {
  const { vehicle_key, secret, owner } = await recordingDevice();
  // The deletion ends the second trip, which changes it, and leaves the first as it is.
  await host.post(secret, { points: [at(0), at(5), at(10), at(3600), at(3605), at(3610)] });
  await numberChanges(testService);
  const changes = [
    [' trips(', `deleteVehicle(key: "${vehicle_key}")`],
    [' visits(', `restoreVehicle(key: "${vehicle_key}")`],
  ];
  const copy = copyFor(owner.headers, memoryStore(), async (query) => {
    const [[list = '', mutation = ''] = []] = changes;
    if (mutation === '' || !query.includes(list)) return;
    changes.shift();
    await mutate(owner.headers, mutation);
  });
  await copy.sync();
  expect([changes, (await copy.list('trip', vehicle_key)).length]).toEqual([[], 2]);
  await expectExact(copy, owner.headers, 'owner');
});

test('a copy that was offline for a day reads what has changed, and for longer than the log everything', async () => {
  const { headers, vehicle_key, secret } = await recordingDevice().then((device) => ({ ...device, ...device.owner }));
  const store = memoryStore();
  await copyFor(headers, store).sync();
  const { generation, cursor } = (await store.state()) ?? {};
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
  await mutate(headers, `updateVehicle(key: "${vehicle_key}", input: { nickname: "Lorry" })`);
  await host.post(secret, { points: [at(0), at(5), at(10)] });
  await numberChanges(testService);
  const copy = copyFor(headers, store);
  await copy.sync();
  expect(await store.state()).toMatchObject({ generation, cursor: expect.not.stringMatching(cursor ?? '') });
  expect(await copy.get('vehicle', vehicle_key)).toMatchObject({ nickname: 'Lorry' });
  await expectExact(copy, headers, 'owner');

  vi.setSystemTime(Date.now() + 40 * DAY_MS);
  await mutate(headers, `deleteVehicle(key: "${vehicle_key}")`);
  await mutate(headers, 'createVehicle(input: { nickname: "Bus" })');
  await copyFor(headers, store).sync();
  expect((await store.state())?.generation).not.toBe(generation);
  expect((await copy.list('vehicle')).map(({ nickname }) => nickname)).toEqual(['Bus']);
  await expectExact(copy, headers, 'owner');
});

test('a copy of an app has trips until the account has privacy zones, and again when it has none', async () => {
  const device = await recordingDevice();
  const reader = (await appFor(await user(device.owner.key), Object.keys(SCOPES))).headers;
  await host.post(device.secret, { points: [at(0), at(5), at(10)] });
  const copy = copyFor(reader);
  const trips = async () => {
    await copy.sync();
    return (await copy.list('trip')).length;
  };
  expect(await trips()).toBe(1);
  const zone = 'createPrivacyZone(input: { lat: 53.0758, lon: 8.8, radius_meters: 200 })';
  const key = await mutate(device.owner.headers, zone);
  expect(await trips()).toBe(0);
  await expectExact(copy, reader, 'app', true);
  await mutate(device.owner.headers, `removePrivacyZone(key: "${key}")`);
  expect(await trips()).toBe(1);
  await expectExact(copy, reader, 'app');
});

test('groups of any depth are in the copy', async () => {
  const { headers } = await account();
  let parent = 'null';
  for (let level = 0; level < 9; level++) {
    const key = await mutate(headers, `createGroup(name: "Level ${level}", parent_group_key: ${parent})`);
    parent = `"${key}"`;
  }
  const copy = copyFor(headers);
  await copy.sync();
  expect((await copy.list('group')).map(({ tree_depth }) => tree_depth)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await expectExact(copy, headers, 'owner');
});

test('a reader that follows is notified of the snapshot and of each later change, and ends when its access does', async () => {
  const { headers, key: accountKey } = await account();
  const app = await appFor(await user(accountKey), ['vehicles.read']);
  const copy = copyFor(app.headers);
  const received: unknown[] = [];
  const named = ({ kind, stored }: RecordChange) => [
    kind,
    (stored?.record as { readonly nickname?: string })?.nickname,
  ];
  const followed = copy.follow({
    signal: new AbortController().signal,
    changed: (changes) => received.push(changes?.map(named) ?? null),
  });
  await expect.poll(() => received).toEqual([null]);
  const key = await mutate(headers, 'createVehicle(input: { nickname: "Van" })');
  await expect.poll(() => received.at(-1)).toEqual([['vehicle', 'Van']]);
  await mutate(headers, `deleteVehicle(key: "${key}")`);
  await expect.poll(() => received.at(-1)).toEqual([['vehicle', undefined]]);
  const failed = expect(followed).rejects.toMatchObject({ status: 401 });
  await revokeGrant(testService, app.grant.grant_hash);
  await failed;
});
