import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { ChangeStore } from '../../../models/changes/change.ts';
import { newMark } from '../../../models/store/change-mark.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { watchChanges } from '../../../notifying/changes/change-watch.ts';
import { numberChanges, numberGrowth } from '../../../notifying/changes/number-changes.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { onChange, onFirstLogListener } from '../../../notifying/changes/on-change.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';
import { circle } from '../places/visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type Headers = Readonly<Record<string, string>>;

interface Read<Entry> {
  readonly nodes: readonly Entry[];
  readonly page_info: { readonly end_cursor: string; readonly has_next_page: boolean };
}

async function read<Entry = Record<string, unknown>>(
  headers: Headers,
  args = '',
  fields = 'kind key happened',
): Promise<Read<Entry>> {
  const query = `{ changes${args} { nodes { ${fields} } page_info { end_cursor has_next_page } } }`;
  return (await host.ask(query, headers)).changes as Read<Entry>;
}

interface TimedEntry {
  readonly kind: string;
  readonly happened: string;
  readonly event: { readonly timestamp: string } | null;
  readonly trip: { readonly start_point: { readonly timestamp: string } } | null;
  readonly visit: { readonly entry_timestamp: string } | null;
}

async function mutate(headers: Headers, mutation: string): Promise<string> {
  return ((await host.ask(`mutation { made: ${mutation} }`, headers)).made as { key: string }).key;
}

test('changes are read in their order after a cursor, with the records as they are now', async () => {
  const { headers } = await account();
  const start = await read(headers);
  expect(start.nodes).toEqual([]);
  const key = await mutate(headers, 'createVehicle(input: { nickname: "Van" }) { key }');
  await mutate(headers, `updateVehicle(key: "${key}", input: { nickname: "Bus" }) { key }`);
  const after = `(after: "${start.page_info.end_cursor}")`;
  const created = await read(headers, after, 'kind key happened vehicle { nickname }');
  expect(created.nodes).toEqual([{ kind: 'vehicle', key, happened: 'created', vehicle: { nickname: 'Bus' } }]);
  await mutate(headers, `updateVehicle(key: "${key}", input: { nickname: "Car" }) { key }`);
  const updated = await read(headers, `(after: "${created.page_info.end_cursor}")`);
  expect(updated.nodes).toEqual([{ kind: 'vehicle', key, happened: 'updated' }]);
  await mutate(headers, `deleteVehicle(key: "${key}") { key }`);
  const deleted = await read(headers, `(after: "${updated.page_info.end_cursor}")`, 'happened vehicle { key }');
  expect(deleted.nodes).toEqual([{ happened: 'deleted', vehicle: null }]);
  await mutate(headers, `restoreVehicle(key: "${key}") { key }`);
  const restored = await read(headers, `(after: "${deleted.page_info.end_cursor}")`);
  expect(restored.nodes).toEqual([{ kind: 'vehicle', key, happened: 'created' }]);
});

test('trips, visits and events of an upload stand in the order of their times', async () => {
  const device = await recordingDevice();
  const { headers } = device.owner;
  for (const seconds of [650, 3050]) await circle(host, headers, seconds / 15);
  const start = await read(headers);
  const points = [
    ...[at(0, 'engine_start'), at(290, 'trip_hard_brake'), at(580), at(650), at(700, 'engine_stop')],
    ...[at(3000, 'engine_start'), at(3050, 'trip_hard_brake'), at(3100), at(3110, 'trip_hard_brake')],
  ];
  await host.post(device.secret, { points });
  await leasedWorkEnded(testService);
  const fields = 'kind happened event { timestamp } trip { start_point { timestamp } } visit { entry_timestamp }';
  const { nodes } = await read<TimedEntry>(headers, `(after: "${start.page_info.end_cursor}")`, fields);
  const created = nodes.filter(({ happened }) => happened === 'created');
  const times = created.map(
    ({ event, trip, visit }) => event?.timestamp ?? trip?.start_point.timestamp ?? visit?.entry_timestamp ?? '',
  );
  expect(times).toEqual([0, 290, 650, 3000, 3050, 3050, 3110].map(timeAt));
  expect(new Set(nodes.map(({ kind }) => kind))).toEqual(new Set(['event', 'trip', 'visit']));
});

test('a trip that is under way has one entry for its positions, which moves forward', async () => {
  const device = await recordingDevice();
  const { headers } = device.owner;
  const start = await read(headers);
  const after = `(after: "${start.page_info.end_cursor}")`;
  const grow = async (seconds: number, ...events: string[]) => {
    await host.post(device.secret, { points: [at(seconds, ...events)] });
    await leasedWorkEnded(testService);
    await numberGrowth(testService, [device.owner.key]);
    return (await read(headers, after)).nodes;
  };
  const [created] = await grow(0, 'engine_start');
  expect(created).toMatchObject({ kind: 'trip', happened: 'created' });
  const updated = { ...created, happened: 'updated' };
  expect(await grow(10)).toEqual([created, updated]);
  const before = await read(headers, after);
  expect(await grow(20)).toEqual([created, updated]);
  expect((await read(headers, `(after: "${before.page_info.end_cursor}")`)).nodes).toEqual([updated]);
});

test('positions of a trip that is under way have an entry once somebody reads the log', async () => {
  const device = await recordingDevice();
  await host.post(device.secret, { points: [at(0, 'engine_start')] });
  for (const seconds of [10, 20, 30]) await host.post(device.secret, { points: [at(seconds)] });
  await leasedWorkEnded(testService);
  await numberChanges(testService);
  const ofOwner = accountAccessScope(testService, device.owner.key);
  const entries = () => ChangeStore.find(ofOwner, { kind: 'trip' }, { happened: 1 }).sort({ number: 1 });
  expect(await entries()).toMatchObject([{ happened: 'created' }]);
  await read(device.owner.headers);
  expect(await entries()).toMatchObject([{ happened: 'created' }, { happened: 'updated' }]);
});

test('a reader who waits learns of positions that another process records', async () => {
  const device = await recordingDevice();
  const { headers } = device.owner;
  await host.post(device.secret, { points: [at(0, 'engine_start')] });
  await leasedWorkEnded(testService);
  const { page_info } = await read(headers);
  const watching = watchChanges(testService, (error) => expect(error).toBeUndefined());
  onTestFinished(() => watching.close());
  const waiting = read(headers, `(after: "${page_info.end_cursor}", wait: 30)`);
  const mark = { $set: { growth_mark: newMark() } };
  await DeviceStore.driver(testService).updateOne({ vehicle_key: device.vehicle_key }, mark);
  expect((await waiting).nodes).toMatchObject([{ kind: 'trip', happened: 'updated' }]);
});

test('a reader gives entries to the changes of its account alone', async () => {
  const [one, other] = [await account(), await account()];
  for (const { headers } of [one, other]) await read(headers);
  for (const { headers } of [one, other]) await mutate(headers, 'createVehicle(input: { nickname: "Van" }) { key }');
  await read(one.headers);
  const marked = await VehicleStore.find(
    unrestricted(testService),
    { change_mark: { $type: 'string' } },
    'account_key',
  );
  expect(marked.map(({ account_key }) => account_key)).toEqual([other.key]);
});

test('a trip that is out of sight with its vehicle tells that the vehicle is, so that all of it comes back', async () => {
  const { owner, secret, vehicle_key: key } = await recordingDevice();
  const { headers } = owner;
  const { page_info } = await read(headers);
  await host.post(secret, { points: [at(0), at(10)] });
  await mutate(headers, `deleteVehicle(key: "${key}") { key }`);
  const first = await read(headers, `(after: "${page_info.end_cursor}", first: 1)`);
  expect(first.nodes).toEqual([{ kind: 'vehicle', key, happened: 'deleted' }]);
  await mutate(headers, `restoreVehicle(key: "${key}") { key }`);
  const { nodes } = await read(headers, `(after: "${first.page_info.end_cursor}")`);
  expect(nodes).toContainEqual({ kind: 'vehicle', key, happened: 'created' });
});

test('servers that number at the same time number each change once', async () => {
  const { headers } = await account();
  const { page_info } = await read(headers);
  const names = Array.from(
    { length: 20 },
    (_, at) => `tag${at}: createTag(input: { value: "${at}", type: Trip }) { key }`,
  );
  await host.graphql(`mutation { ${names.join(' ')} }`, headers);
  await Promise.all([1, 2, 3].map(() => numberChanges(testService)));
  const { nodes } = await read(headers, `(after: "${page_info.end_cursor}")`, 'tag { value }');
  expect(nodes.map(({ tag }) => (tag as { value: string }).value)).toEqual(names.map((_, at) => String(at)));
});

test('changes that a killed server has left get their entries when one starts, also where the database fails at first', async () => {
  const { key, headers } = await account();
  const { page_info } = await read(headers);
  await mutate(headers, 'createVehicle(input: { nickname: "Left" }) { key }');
  const told = new Promise<void>((resolve) => onTestFinished(onChange(testService, key, resolve)));
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const failing = vi.spyOn(ChangeStore.driver(testService), 'insertMany').mockImplementationOnce(() => {
    throw new Error('The database is away');
  });
  onTestFinished(() => failing.mockRestore());
  const faulted = new Promise<unknown>((resolve) => {
    const watching = watchChanges(testService, (error) => {
      resolve(error);
      setImmediate(() => vi.advanceTimersByTime(5000));
    });
    onTestFinished(() => watching.close());
  });
  expect(String(await faulted)).toBe('Error: The database is away');
  await told;
  expect((await read(headers, `(after: "${page_info.end_cursor}")`)).nodes).toMatchObject([{ happened: 'created' }]);
});

test('a server that ends gives entries to what it has changed just before', async () => {
  const { key, headers } = await account();
  const { page_info } = await read(headers);
  const watching = watchChanges(testService, (error) => expect(error).toBeUndefined());
  await mutate(headers, 'createVehicle(input: { nickname: "Last" }) { key }');
  await watching.close();
  const accessScope = accountAccessScope(testService, key);
  const entries = await ChangeStore.find(accessScope, { kind: 'vehicle' }, { happened: 1 });
  expect(entries).toMatchObject([{ happened: 'created' }]);
  expect((await read(headers, `(after: "${page_info.end_cursor}")`)).nodes).toHaveLength(1);
});

test('a reader who does not wait is no listener, for whom other servers would be asked', async () => {
  const { headers } = await account();
  let begun = 0;
  onTestFinished(onFirstLogListener(testService, () => (begun += 1)));
  const { page_info } = await read(headers);
  await read(headers, `(after: "${page_info.end_cursor}")`);
  expect(begun).toBe(0);
  await read(headers, `(after: "${page_info.end_cursor}", wait: 1)`);
  expect(begun).toBe(1);
});

test('a reader who waits is answered when something changes', async () => {
  const { key, headers } = await account();
  const { page_info } = await read(headers);
  const waiting = read(headers, `(after: "${page_info.end_cursor}", wait: 30)`);
  const told = new Promise<void>((resolve) => onTestFinished(onChange(testService, key, resolve)));
  await mutate(headers, 'createVehicle(input: { nickname: "Van" }) { key }');
  await numberChanges(testService);
  await told;
  expect((await waiting).nodes).toMatchObject([{ kind: 'vehicle', happened: 'created' }]);
});

test('pages of any size have the same entries', async () => {
  const { headers } = await account();
  const { page_info } = await read(headers);
  for (const name of ['A', 'B', 'C']) await mutate(headers, `createVehicle(input: { nickname: "${name}" }) { key }`);
  const whole = await read(headers, `(after: "${page_info.end_cursor}")`);
  const parts: Record<string, unknown>[] = [];
  let page = await read(headers, `(after: "${page_info.end_cursor}", first: 1)`);
  for (; page.nodes.length > 0; page = await read(headers, `(after: "${page.page_info.end_cursor}", first: 1)`)) {
    parts.push(...page.nodes);
  }
  expect(parts).toEqual(whole.nodes);
  expect(parts).toHaveLength(3);
});

test('after the cursor of an edge come the changes that follow it', async () => {
  const { headers } = await account();
  const { page_info } = await read(headers);
  for (const name of ['A', 'B', 'C']) await mutate(headers, `createVehicle(input: { nickname: "${name}" }) { key }`);
  const list = `changes(after: "${page_info.end_cursor}") { edges { cursor node { key } } }`;
  const { data } = await host.graphql(`{ ${list} }`, headers);
  const { edges } = data.changes as { readonly edges: readonly { readonly cursor: string; readonly node: unknown }[] };
  expect(edges).toHaveLength(3);
  for (const [at, { cursor }] of edges.entries()) {
    const { nodes } = await read(headers, `(after: "${cursor}")`, 'key');
    expect(nodes).toEqual(edges.slice(at + 1).map(({ node }) => node));
  }
});

test('a cursor from before the changes that are logged is rejected, unless nothing has changed since', async () => {
  const { headers } = await account();
  const { page_info } = await read(headers);
  const after = `(after: "${page_info.end_cursor}")`;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 });
  try {
    expect((await read(headers, after)).nodes).toEqual([]);
    await mutate(headers, 'createVehicle(input: { nickname: "Van" }) { key }');
    const message = 'after is older than the log of changes; start again without it';
    await expect(read(headers, after)).rejects.toThrow(message);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['nothing', 'after was not returned by this list for the same parameters'],
  [`c${'x'.repeat(22)}`, 'after dates from when you could see a different part of the account; start again without it'],
  ['zzzz.0', 'after was not returned by this list for the same parameters'],
  ['', 'after was not returned by this list for the same parameters'],
])('the cursor %s is rejected', async (cursor, message) => {
  const { headers } = await account();
  await expect(read(headers, `(after: "${cursor}")`)).rejects.toThrow(message);
});
