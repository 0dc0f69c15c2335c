import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { VisitStore } from '../../../models/places/visit.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { account } from '../../services/account-fixture.ts';
import { dieAfter } from '../../processes/die-after.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, type SentPoint } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { deviceAfter, postSettled, WRITES } from '../../services/sent-in-parts.ts';
import {
  circle,
  expectedStays,
  inOrder,
  type MadeCircle,
  pointAt,
  stays,
  visitsOf,
} from '../../resolvers/places/visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
let circles: MadeCircle[];
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  host.app.log.level = 'silent';
  circles = [];
  for (const east of [0, 1]) circles.push({ key: await circle(host, owner.headers, east), east, since: -3600 });
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Of the writes of a case, a kill comes after one in so many. */
const ONE_IN = runSize(3, 1);

const MODELS = [DeviceStore, DeviceMinuteStore, TripStore, TripPointsBucketStore, VisitStore];

const drive = (...east: number[]) => east.map((place, at) => pointAt(at * 60, place));

/** The earlier requests, and the one that is interrupted. */
const CASES: [name: string, before: SentPoint[][], request: SentPoint[]][] = [
  ['a vehicle arrives', [drive(-5)], [pointAt(60, 0)]],
  ['a vehicle leaves', [drive(-5, 0)], [pointAt(120, 5)]],
  ['a trip ends outside', [drive(-5, 0)], [pointAt(120, 5), pointAt(130, 5, 'engine_stop')]],
  ['a visit becomes two', [drive(-5, 0, 0, 0, 5)], [pointAt(130, 5)]],
  ['a visit begins earlier', [drive(-5, 0, 5)], [pointAt(30, 0)]],
  [
    'visits come and go at once',
    [drive(-5, 0, 5)],
    [pointAt(30, 0.5), pointAt(45, -5), pointAt(70, 2), pointAt(900, 0)],
  ],
];

test.each(CASES)('when %s, the visits are completed after a kill at any write', async (_, before, request) => {
  const undisturbed = await deviceAfter(host, owner, before);
  const { made } = dieAfter(Infinity, MODELS, WRITES);
  await postSettled(host, undisturbed.secret, request);
  vi.restoreAllMocks();
  const writes = made();
  const seen = async (device: typeof undisturbed) => inOrder(stays(await visitsOf(host, device)));
  const whole = await seen(undisturbed);
  expect(whole).toEqual(await expectedStays(host, undisturbed, circles));

  const devices = [];
  for (let kill = 0; kill < writes; kill += ONE_IN) {
    const device = await deviceAfter(host, owner, before);
    dieAfter(kill, MODELS, WRITES);
    await postSettled(host, device.secret, request);
    vi.restoreAllMocks();
    devices.push(device);
  }
  // Nobody sends again: the lease lapses, and a server completes the work.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  await closeOfflineTrips(testService);
  for (const device of devices) expect(await seen(device)).toEqual(await expectedStays(host, device, circles));
  for (const device of devices) {
    expect(await postSettled(host, device.secret, request)).toMatchObject({ status: 200 });
    expect(await seen(device)).toEqual(whole);
  }
  expect(await VisitStore.countDocuments(unrestricted(testService), { staged: true })).toBe(0);
});
