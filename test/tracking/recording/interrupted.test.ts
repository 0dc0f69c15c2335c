import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { DeviceStore } from '../../../models/vehicles/device.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { newHolder } from '../../../models/leases/lease-holder.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { closeOfflineTrips, closeTripsOnLeaving } from '../../../tracking/recording/close-offline-trips.ts';
import { completeInterrupted } from '../../../tracking/recording/complete-interrupted.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { dieAfter } from '../../processes/die-after.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { deviceAfter, postSettled, WRITES } from '../../services/sent-in-parts.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  host.app.log.level = 'silent';
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Of the writes of a case, a kill comes after one in so many. */
const ONE_IN = runSize(9, 1);

/** Numbers of writes after which a request is killed that makes so many; the first ones leave positions before others. */
const killsDuring = (writes: number): number[] =>
  Array.from({ length: writes }, (_, kill) => kill).filter((kill) => kill < 2 || kill % ONE_IN === 0);

const MODELS = [DeviceStore, DeviceMinuteStore, TripStore, TripPointsBucketStore];

/** A short trip. */
const pair = (seconds: number) => [at(seconds), at(seconds + 1)];

/** The earlier state, the request that is interrupted, and the later requests. */
const CASES: [name: string, before: SentPoint[][], request: SentPoint[]][] = [
  ['a trip closes', [[at(0, 'engine_start'), at(1)]], [at(2), at(3, 'engine_stop')]],
  ['two trips become one', [[at(0), at(10)], [at(400), at(410)], [at(1000, 'engine_start')]], [at(200)]],
  [
    'a trip becomes two',
    [[at(0, 'engine_start'), at(10), at(20), at(70), at(90, 'engine_stop')]],
    [at(30, 'engine_stop'), at(80)],
  ],
  ['an open trip becomes two', [[at(0, 'engine_start'), at(10), at(20), at(70), at(80)]], [at(30, 'engine_stop')]],
  ['a closed trip takes what comes late', [[at(0, 'engine_start'), at(90, 'engine_stop')]], [at(30), at(40)]],
  [
    'many trips end at once',
    [[...pair(0), ...pair(60_000)]],
    [...pair(30_000), at(60_010), ...pair(90_000), ...pair(120_000)],
  ],
];

test.each(CASES)('when %s, a kill after any write loses and doubles nothing', async (_, before, request) => {
  const undisturbed = await deviceAfter(host, owner, before);
  const { made } = dieAfter(Infinity, MODELS, WRITES);
  await postSettled(host, undisturbed.secret, request);
  vi.restoreAllMocks();
  const trips = await seenTrips(host, undisturbed);

  const kills = killsDuring(made());
  const devices = await Promise.all(kills.map(() => deviceAfter(host, owner, before)));
  const statuses: number[] = [];
  for (const [at, { secret }] of devices.entries()) {
    dieAfter(kills[at] ?? 0, MODELS, WRITES);
    statuses.push((await postSettled(host, secret, request)).status);
    vi.restoreAllMocks();
  }
  // Trips that have ended are packed after the answer.
  const answered = statuses.indexOf(200) === -1 ? statuses.length : statuses.indexOf(200);
  expect(answered).toBeGreaterThan(0);
  expect(statuses).toEqual(statuses.map((_status, at) => (at < answered ? 500 : 200)));

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  const again = () => Promise.all(devices.map(({ secret }) => host.post(secret, { points: request })));
  expect(new Set((await again()).map(({ status }) => status))).toEqual(new Set([200]));
  const seen = await Promise.all(devices.map((device) => seenTrips(host, device)));
  expect(seen).toEqual(devices.map(() => trips));
  const known = { accepted: 0, duplicates: request.length, refused: null };
  expect((await again()).map(({ body }) => body)).toEqual(devices.map(() => known));
  expect(await TripStore.countDocuments(unrestricted(testService), { staged: true })).toBe(0);
});

/** A device that drives in a vehicle, after it has driven in another one. */
async function movedDevice() {
  const left = await deviceAfter(host, owner, [[at(0, 'engine_start'), at(10), at(20)]]);
  const vehicle_key = await vehicle(owner.key);
  const former_vehicles = [{ vehicle_key: left.vehicle_key, until: new Date(Date.parse(at(1000).timestamp)) }];
  await closeTripsOnLeaving(testService, {
    key: left.device_key,
    account_key: owner.key,
    vehicle_key: left.vehicle_key,
  });
  await DeviceStore.updateOne(unrestricted(testService), { key: left.device_key }, { vehicle_key, former_vehicles });
  const now = { ...left, vehicle_key };
  await postSettled(host, now.secret, [at(2000), at(2010)]);
  return { secret: left.secret, vehicles: [left, now] };
}

test('when a moved device sends what it buffered, a kill after any write loses and doubles nothing, and leaves no trip open', async () => {
  const request = [at(30), at(2020), at(12)];
  const seen = ({ vehicles }: Awaited<ReturnType<typeof movedDevice>>) =>
    Promise.all(vehicles.map((one) => seenTrips(host, one)));
  const undisturbed = await movedDevice();
  const { made } = dieAfter(Infinity, MODELS, WRITES);
  await postSettled(host, undisturbed.secret, request);
  vi.restoreAllMocks();
  const trips = await seen(undisturbed);
  expect(trips).toMatchObject([[{ point_count: 5 }], [{ point_count: 3 }]]);

  const devices = [];
  for (const kill of killsDuring(made())) {
    const device = await movedDevice();
    dieAfter(kill, MODELS, WRITES);
    await postSettled(host, device.secret, request);
    vi.restoreAllMocks();
    devices.push(device);
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  for (const { secret } of devices) expect(await host.post(secret, { points: request })).toMatchObject({ status: 200 });
  for (const device of devices) expect(await seen(device)).toEqual(trips);
  vi.setSystemTime(Date.now() + 16 * 60_000);
  await closeOfflineTrips(testService);
  for (const device of devices) expect(await seen(device)).toEqual(trips);
  const keys = devices.flatMap(({ vehicles }) => vehicles.map(({ vehicle_key }) => vehicle_key));
  const open = { vehicle_key: { $in: keys }, $or: [{ 'recording.open': true }, { staged: true }] };
  expect(await TripStore.countDocuments(unrestricted(testService), open)).toBe(0);
});

/** Leaves the lease of a device as a process leaves it that has ended. */
async function leaveToTheDead({ device_key }: Awaited<ReturnType<typeof recordingDevice>>): Promise<boolean> {
  const which = { key: device_key };
  const held = await DeviceStore.findOne(unrestricted(testService), which, 'care');
  const [place, , ...rest] = held?.care?.by?.split('|') ?? [];
  if (place === undefined) return false;
  const by = [place, 2 ** 30, ...rest].join('|');
  await DeviceStore.updateOne(unrestricted(testService), which, {
    'care.by': by,
    'care.until': new Date(Date.now() + 3_600_000),
  });
  return true;
}

/** Counts how often each acknowledged position is seen. */
async function timesSeen(device: Awaited<ReturnType<typeof recordingDevice>>, points: readonly SentPoint[]) {
  const trips = await seenTrips(host, device);
  const seen = trips.flatMap((trip) => (trip.points as { timestamp: string }[]).map(({ timestamp }) => timestamp));
  return points.map(({ timestamp }) => seen.filter((time) => time === timestamp.replace('.000Z', '+00:00')).length);
}

test.each(CASES)('when %s, readers see all that was acknowledged right after a kill', async (_, before, request) => {
  const { made } = dieAfter(Infinity, MODELS, WRITES);
  await postSettled(host, (await deviceAfter(host, owner, before)).secret, request);
  const max = made();
  vi.restoreAllMocks();
  let interrupted = 0;
  for (const writes of killsDuring(max)) {
    const device = await deviceAfter(host, owner, before);
    dieAfter(writes, MODELS, WRITES);
    await postSettled(host, device.secret, request);
    vi.restoreAllMocks();
    if (await leaveToTheDead(device)) interrupted++;
    const acknowledged = before.flat();
    expect([writes, await timesSeen(device, acknowledged)]).toEqual([writes, acknowledged.map(() => 1)]);
  }
  expect(interrupted).toBeGreaterThan(0);
});

test('a start completes what processes of this place have left, and leaves what others hold', async () => {
  const [dead, living] = [await deviceAfter(host, owner, []), await deviceAfter(host, owner, [])];
  for (const device of [dead, living]) {
    dieAfter(1, MODELS, WRITES);
    await postSettled(host, device.secret, [at(0, 'engine_start'), at(1, 'engine_stop')]);
    vi.restoreAllMocks();
  }
  await leaveToTheDead(dead);
  const until = new Date(Date.now() + 3_600_000);
  await DeviceStore.updateOne(unrestricted(testService), { key: dead.device_key }, { 'care.until': until });
  const elsewhere = { by: 'elsewhere|1|process|lease', until };
  await DeviceStore.updateOne(unrestricted(testService), { key: living.device_key }, { care: elsewhere });
  await completeInterrupted(testService);
  expect(await seenTrips(host, dead)).toMatchObject([{ point_count: 2 }]);
  expect(await seenTrips(host, living)).toEqual([]);
});

test('a reader waits while trips are being cut anew', async () => {
  const device = await deviceAfter(host, owner, [[at(0, 'engine_start'), at(1, 'engine_stop')]]);
  const key = { key: device.device_key };
  const change = (update: object) => DeviceStore.updateOne(unrestricted(testService), key, update);
  await change({
    care: { by: 'elsewhere|1|process|lease', until: new Date(Date.now() + 3_600_000), rearranging: true },
  });
  await TripStore.updateOne(unrestricted(testService), { device_key: device.device_key }, { staged: true });
  const looks = vi.spyOn(DeviceStore, 'findOne');
  const seen = seenTrips(host, device);
  await expect.poll(() => looks).toHaveBeenCalled();
  await TripStore.updateOne(unrestricted(testService), { device_key: device.device_key }, { staged: false });
  await change({ care: null });
  expect(await seen).toMatchObject([{ point_count: 2 }]);
});

test('what a kill has interrupted is completed for a device that stays offline', async () => {
  const device = await recordingDevice(owner);
  dieAfter(1, MODELS, WRITES);
  await postSettled(host, device.secret, [at(0, 'engine_start'), at(1, 'engine_stop')]);
  vi.restoreAllMocks();
  const trips = () => TripStore.countDocuments(unrestricted(testService), { device_key: device.device_key });
  expect(await trips()).toBe(0);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  await closeOfflineTrips(testService);
  expect(await trips()).toBe(1);
  expect(await seenTrips(host, device)).toMatchObject([{ point_count: 2 }]);
});

/** The end of a request, and what another process that takes its own for dead removes meanwhile. */
const REMOVED: [name: string, before: SentPoint[][], request: SentPoint[], status: number][] = [
  ['trips that it adds', [pair(200_000)], [...pair(0), ...pair(60_000), ...pair(120_000)], 503],
  // It is packed after the answer.
  ['a trip that it closes', [[at(0, 'engine_start'), at(1)]], [at(2, 'engine_stop')], 200],
];

test.each(REMOVED)('a process that is taken for dead loses nothing of %s', async (_, before, request, status) => {
  const undisturbed = await deviceAfter(host, owner, [...before, request]);
  const device = await deviceAfter(host, owner, before);
  const target = TripPointsBucketStore as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const real = target.insertMany?.bind(TripPointsBucketStore);
  vi.spyOn(target, 'insertMany').mockImplementationOnce(async (...args) => {
    const { device_key, vehicle_key } = device;
    const removed = { device_key, vehicle_key, $or: [{ staged: true }, { 'recording.engine_started': true }] };
    await TripStore.deleteMany(unrestricted(testService), removed);
    return real?.(...args);
  });
  expect(await postSettled(host, device.secret, request)).toMatchObject({ status });
  const again = await postSettled(host, device.secret, request);
  expect(again).toMatchObject({ status: 200, body: { accepted: 0, duplicates: request.length } });
  expect(await seenTrips(host, device)).toEqual(await seenTrips(host, undisturbed));
});

const YEARS_MS = 10 * 365 * 86_400_000;
/** A holder that has ended on this machine, and one of another machine, of which nobody knows. */
const [place = ''] = newHolder().split('|');
const HOLDERS = { dead: `${place}|${2 ** 22 - 1}|a|b`, unknown: 'another machine|1|a|b' };

test.each([
  ['dead', 3_600_000],
  ['dead', YEARS_MS],
  ['unknown', YEARS_MS],
] as const)('a device is recorded whose lease a %s process left whose clock was %d ms ahead', async (kind, ahead) => {
  const device = await deviceAfter(host, owner, [[at(0, 'engine_start'), at(1)]]);
  const all = unrestricted(testService);
  const left = { by: HOLDERS[kind], until: new Date(Date.now() + ahead), rearranging: true };
  await DeviceStore.updateOne(all, { key: device.device_key }, { care: left });
  const real = performance.now.bind(performance);
  if (kind === 'unknown') vi.spyOn(performance, 'now').mockImplementation(() => real() * 20);
  expect((await postSettled(host, device.secret, [at(2), at(3, 'engine_stop')])).status).toBe(200);
  expect(await seenTrips(host, device)).toHaveLength(1);
});

test('a start completes what was left with a clock ahead, and closes trips whose check was put off', async () => {
  const devices = [HOLDERS.dead, null].map(async (by) => {
    const device = await deviceAfter(host, owner, [[at(0, 'engine_start'), at(1)]]);
    const care = { by, until: new Date(Date.now() + YEARS_MS) };
    await DeviceStore.updateOne(unrestricted(testService), { key: device.device_key }, { care });
    return device.device_key;
  });
  const keys = await Promise.all(devices);
  await completeInterrupted(testService);
  const care = await DeviceStore.find(unrestricted(testService), { key: { $in: keys } }, 'care');
  for (const one of care) {
    expect(one.care?.by).toBeNull();
    expect(one.care?.until.getTime()).toBeLessThan(Date.now() + 3_600_000);
  }
});
