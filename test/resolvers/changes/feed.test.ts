import { afterAll, beforeAll, expect, test } from 'vitest';

import { revokeGrant } from '../../../auth/grants.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type Headers = Readonly<Record<string, string>>;
type Entry = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly changes: readonly Entry[];
  readonly cursor: string;
  readonly length: number;
}

async function get(path: string, headers: Headers): Promise<{ status: number; text: string }> {
  const url = `/api/v2${path}`;
  const { statusCode, body } = await host.app.inject({
    method: 'GET',
    url,
    headers: { host: 'localhost', ...headers },
  });
  return { status: statusCode, text: body };
}

async function feed(headers: Headers, parameters: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { status, text } = await get(`/changes?${new URLSearchParams(parameters)}`, headers);
  return { status, length: text.length, ...JSON.parse(text || '{}') };
}

async function mutate(headers: Headers, mutation: string): Promise<string> {
  return ((await host.ask(`mutation { made: ${mutation} { key } }`, headers)).made as { key: string }).key;
}

/** Kinds, keys and names of entries. */
function inShort(entries: readonly Entry[]): readonly unknown[] {
  return entries.map(({ kind, key, happened }) => ({ kind, key, happened }));
}

test('GET /changes without a cursor gives that of now, and an empty poll has less than 200 bytes', async () => {
  const { headers } = await account();
  await mutate(headers, 'createVehicle(input: { nickname: "Van" })');
  const start = await feed(headers);
  expect(start).toMatchObject({ status: 200, changes: [] });
  const poll = await feed(headers, { cursor: start.cursor });
  expect(poll).toMatchObject({ status: 200, changes: [] });
  expect(poll.length).toBeLessThan(200);
});

test('an entry has the record as its own path shows it, without geometry and groups below', async () => {
  const { owner, secret, ...recorder } = await recordingDevice();
  const { headers } = owner;
  const { cursor } = await feed(headers);
  const road = 'point: { lat: 53.0758, lon: 8.8 }, radius: 90';
  const place = await mutate(headers, `createPlace(input: { name: "Depot", category: business, ${road} })`);
  const vehicle = await mutate(headers, `updateVehicle(key: "${recorder.vehicle_key}", input: { nickname: "Bus" })`);
  const tag = await mutate(headers, 'createTag(input: { value: "Late", type: Trip })');
  const driver = await mutate(headers, 'createUser(input: { first_name: "Ada", account_role: driver })');
  const depot = await mutate(headers, 'createGroup(name: "Depot")');
  const device = await mutate(headers, `updateDevice(key: "${recorder.device_key}", input: { vehicle_key: null })`);
  await mutate(headers, `updateDevice(key: "${device}", input: { vehicle_key: "${vehicle}" })`);
  // Visits begin after their place was made.
  const points = [0, 20, 40].map((east) => ({
    ...at(east),
    timestamp: new Date(Date.now() + 10 * east).toISOString(),
  }));
  await host.post(secret, { points });
  await leasedWorkEnded(testService);
  const { changes } = await feed(headers, { cursor });
  const keys = { place, vehicle, tag, user: driver, group: depot, device };
  for (const [kind, key] of Object.entries(keys)) await expectAsShown(kind, key, changes, headers);
  const trip = changes.find(({ kind }) => kind === 'trip');
  await expectAsShown('trip', String(trip?.key), changes, headers);
  expect(changes.find(({ kind }) => kind === 'visit')).toMatchObject({ visit: { place_key: place } });
});

async function expectAsShown(kind: string, key: string, changes: readonly Entry[], headers: Headers): Promise<void> {
  const { text } = await get(`/${kind}/${key}`, headers);
  const { children, member_counts, encoded_polyline, ...shown } = JSON.parse(text);
  const entry = changes.findLast((one) => one.kind === kind && one.key === key);
  expect(Object.keys(entry ?? {}).toSorted()).toEqual(
    ['happened', 'key', 'kind', 'late', 'timestamp', kind].toSorted(),
  );
  expect(entry?.[kind]).toEqual(shown);
}

test('expand chooses the records that entries have', async () => {
  const { headers } = await account();
  const { cursor } = await feed(headers);
  const key = await mutate(headers, 'createVehicle(input: { nickname: "Van" })');
  const { changes } = await feed(headers, { cursor, expand: 'trip' });
  expect(changes).toEqual([{ kind: 'vehicle', key, happened: 'created', timestamp: expect.any(String), late: false }]);
  expect(await feed(headers, { cursor, expand: 'position' })).toMatchObject({
    status: 400,
    errors: expect.stringContaining('expand must be one or more of device, event, group'),
  });
});

test.each(['wait=20', 'respond-async, wait=9999', 'Wait="20"; foo'])(
  'Prefer: %s waits for the next change',
  async (prefer) => {
    const { headers } = await account();
    const { cursor } = await feed(headers);
    const waiting = feed({ ...headers, prefer }, { cursor });
    const key = await mutate(headers, 'createVehicle(input: { nickname: "Van" })');
    await numberChanges(testService);
    expect((await waiting).changes).toMatchObject([{ kind: 'vehicle', key }]);
  },
);

test('a wait that is negative or too long is rejected', async () => {
  const { headers } = await account();
  for (const wait of ['-1', '31']) {
    expect(await feed(headers, { wait })).toMatchObject({ status: 400, errors: 'wait must be 0 to 30' });
  }
});

test('who is restricted to a group is told that a vehicle has left it, and nothing of other groups', async () => {
  const owner = await account();
  const [mine, other] = [await group(owner.key, 'Mine'), await group(owner.key, 'Other')];
  const reader = await appFor(await user(owner.key, [mine]), ['vehicles.read', 'account.read']);
  const [inMine, inOther] = await Promise.all(
    [mine, other].map(({ key }) => mutate(owner.headers, `createVehicle(input: { group_keys: ["${key}"] })`)),
  );
  const { cursor } = await feed(reader.headers);
  const move = (key = '', groups: readonly string[]) =>
    mutate(owner.headers, `updateVehicle(key: "${key}", input: { group_keys: ${JSON.stringify(groups)} })`);
  await mutate(owner.headers, `updateVehicle(key: "${inOther}", input: { nickname: "Van" })`);
  await move(inMine, [other.key]);
  const left = await feed(reader.headers, { cursor });
  expect(inShort(left.changes)).toEqual([{ kind: 'vehicle', key: inMine, happened: 'deleted' }]);
  await mutate(owner.headers, `updateVehicle(key: "${inMine}", input: { nickname: "Van" })`);
  expect((await feed(reader.headers, { cursor: left.cursor })).changes).toEqual([]);
  // It was in sight in between.
  await move(inOther, [mine.key]);
  await move(inOther, []);
  const passed = await feed(reader.headers, { cursor: left.cursor });
  expect(inShort(passed.changes)).toEqual([{ kind: 'vehicle', key: inOther, happened: 'deleted' }]);
  const whole = await feed(owner.headers, { cursor: (await feed(owner.headers)).cursor });
  expect(whole.status).toBe(200);
});

test('a driver is told of itself and of its trips, and of those that become another driver’s', async () => {
  const { owner, secret, vehicle_key } = await recordingDevice();
  const [ada, grace] = [
    await user(owner.key, [], { account_role: 'driver' }),
    await user(owner.key, [], { account_role: 'driver' }),
  ];
  const [reader, other] = [
    await appFor(ada, ['account_activity.read', 'user.read']),
    await appFor(grace, ['user.read']),
  ];
  const [start, otherStart] = [await feed(reader.headers), await feed(other.headers)];
  await mutate(owner.headers, `updateVehicle(key: "${vehicle_key}", input: { driver_key: "${ada}" })`);
  await mutate(owner.headers, `updateUser(key: "${ada}", input: { first_name: "Ada" })`);
  await host.post(secret, { points: [at(0), at(10)] });
  const driven = await feed(reader.headers, { cursor: start.cursor });
  const [{ key = '' } = {}] = driven.changes.filter(({ kind }) => kind === 'trip');
  expect(new Set(driven.changes.map((entry) => `${entry.kind} ${entry.key}`))).toEqual(
    new Set([`user ${ada}`, `trip ${key}`]),
  );
  await mutate(owner.headers, `updateTrip(key: "${key}", input: { user_key: "${grace}" })`);
  await mutate(owner.headers, `updateTrip(key: "${key}", input: { user_key: null })`);
  const left = await feed(reader.headers, { cursor: driven.cursor });
  expect(inShort(left.changes)).toEqual([{ kind: 'trip', key, happened: 'deleted' }]);
  // Trips need another scope.
  expect((await feed(other.headers, { cursor: otherStart.cursor })).changes).toEqual([]);
});

test('who comes to see other groups, other kinds of records or other zones starts again', async () => {
  const owner = await account();
  const [mine, other] = [await group(owner.key, 'Mine'), await group(owner.key, 'Other')];
  const key = await user(owner.key, [mine]);
  const reader = await appFor(key, ['vehicles.read', 'account_activity.read']);
  const expired = { status: 410, errors: expect.stringContaining('start again without it') };
  const { cursor } = await feed(reader.headers);
  expect((await feed(reader.headers, { cursor })).status).toBe(200);
  await mutate(owner.headers, `updateUser(key: "${key}", input: { group_keys: ["${other.key}"] })`);
  expect(await feed(reader.headers, { cursor })).toMatchObject(expired);
  const moved = await feed(reader.headers);
  await mutate(owner.headers, 'createPrivacyZone(input: { lat: 53, lon: 8, radius_meters: 100 })');
  expect(await feed(reader.headers, { cursor: moved.cursor })).toMatchObject(expired);
  const wider = await appFor(key, ['vehicles.read', 'account_activity.read', 'places.read']);
  expect(await feed(wider.headers, { cursor: (await feed(reader.headers)).cursor })).toMatchObject(expired);
});

test('in an account with privacy zones apps are told nothing of trips and visits, not even that there are some', async () => {
  const { owner, secret } = await recordingDevice();
  const reader = await appFor(await user(owner.key), ['vehicles.read', 'account_activity.read', 'places.read']);
  await mutate(owner.headers, 'createPrivacyZone(input: { lat: 10, lon: 10, radius_meters: 100 })');
  const [ofOwner, ofApp] = [await feed(owner.headers), await feed(reader.headers)];
  await host.post(secret, { points: [at(0), at(60)] });
  // One entry or two: the trip may be numbered before it grows by the second point.
  const { changes } = await feed(owner.headers, { cursor: ofOwner.cursor });
  expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['trip']));
  expect((await feed(reader.headers, { cursor: ofApp.cursor })).changes).toEqual([]);
});

test('a reader who waits goes on waiting while a group moves that it does not see, or somebody else may see something else', async () => {
  const owner = await account();
  const north = await group(owner.key, 'North');
  const south = await group(owner.key, 'South');
  const reader = await appFor(await user(owner.key), ['vehicles.read']);
  const { cursor } = await feed(reader.headers);
  const waiting = feed({ ...reader.headers, prefer: 'wait=30' }, { cursor });
  // The request is under way once the next one is answered.
  await feed(reader.headers);
  await mutate(owner.headers, `updateGroup(group_key: "${south.key}", input: { parent_group_key: "${north.key}" })`);
  await numberChanges(testService);
  await revokeGrant(testService, (await appFor(await user(owner.key), ['vehicles.read'])).grant.id_hash);
  const key = await mutate(owner.headers, 'createVehicle(input: { nickname: "Van" })');
  await numberChanges(testService);
  expect((await waiting).changes).toMatchObject([{ kind: 'vehicle', key }]);
});

test('an entry of a group that has moved has the group above it', async () => {
  const owner = await account();
  const [north, south, quay] = [
    await group(owner.key, 'North'),
    await group(owner.key, 'South'),
    await group(owner.key, 'Quay'),
  ];
  const restricted = await appFor(await user(owner.key, [south]), ['account.read']);
  const [{ cursor }, seen] = [await feed(owner.headers), await feed(restricted.headers)];
  const move = async (key: string, above: string) =>
    mutate(owner.headers, `updateGroup(group_key: "${key}", input: { parent_group_key: "${above}" })`);
  await move(quay.key, south.key);
  await move(south.key, north.key);
  const parents = async (headers: Headers, after: string) =>
    (await feed(headers, { cursor: after })).changes.flatMap(({ key, group: of }) =>
      of ? [[String(key), (of as Entry).parent_group_key] as const] : [],
    );
  const above = { [quay.key]: south.key, [south.key]: north.key };
  expect(Object.fromEntries(await parents(owner.headers, cursor))).toEqual(above);
  expect(Object.fromEntries(await parents(restricted.headers, seen.cursor))).toEqual({ ...above, [south.key]: null });
});

test('an app whose access ends while it waits is shown nothing of what comes then', async () => {
  const owner = await account();
  const reader = await appFor(await user(owner.key), ['vehicles.read']);
  const { cursor } = await feed(reader.headers);
  const waiting = feed({ ...reader.headers, prefer: 'wait=30' }, { cursor });
  // The request is under way once the next one is answered.
  await feed(reader.headers);
  await revokeGrant(testService, reader.grant.id_hash);
  await mutate(owner.headers, 'createVehicle(input: { nickname: "Van" })');
  await numberChanges(testService);
  expect(await waiting).toMatchObject({ status: 200, changes: [] });
  expect((await feed(reader.headers, { cursor })).status).toBe(401);
});
