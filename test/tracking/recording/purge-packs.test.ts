import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { loadPointsOfTrips, TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { GRACE_MS, packPurge } from '../../../tracking/recording/purge-packs.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, seenTrips } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());
afterEach(() => vi.useRealTimers());

type Device = Awaited<ReturnType<typeof recordingDevice>>;

function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
}

async function packsOf({ vehicle_key }: Device): Promise<(number | null)[]> {
  const buckets = await TripPointsBucketStore.find(unrestricted(testService), { vehicle_key }, 'pack');
  return buckets.map(({ pack }) => pack ?? null);
}

/** A device whose trip was closed twice: the second time it was packed again. */
async function packedTwice(): Promise<Device> {
  const device = await recordingDevice();
  await host.post(device.secret, { points: [at(0, 'engine_start'), at(90, 'engine_stop')] });
  await host.post(device.secret, { points: [at(30)] });
  later(16 * 60_000);
  await closeOfflineTrips(testService);
  return device;
}

test('a pack that was replaced is purged an hour after it was found, and the trip stays whole', async () => {
  const device = await packedTwice();
  const trips = await seenTrips(host, device);
  expect(trips).toMatchObject([{ point_count: 3 }]);
  expect(await packsOf(device)).toHaveLength(2);
  const purge = packPurge(testService);
  await purge();
  later(GRACE_MS - 1000);
  await purge();
  expect(await packsOf(device)).toHaveLength(2);
  later(2000);
  await purge();
  const { pack } =
    (await TripStore.findOne(unrestricted(testService), { vehicle_key: device.vehicle_key }, 'pack')) ?? {};
  expect(await packsOf(device)).toEqual([pack]);
  expect(await seenTrips(host, device)).toEqual(trips);
});

test('positions of a trip that is gone are purged, and so is what was staged and never shown', async () => {
  const device = await packedTwice();
  const those = { vehicle_key: device.vehicle_key };
  const staged = { staged: true, staged_by: ['run'], staged_at: new Date() };
  await TripStore.updateMany(unrestricted(testService), those, staged);
  const purge = packPurge(testService);
  await purge();
  expect(await TripStore.countDocuments(unrestricted(testService), those)).toBe(1);
  later(25 * GRACE_MS);
  await purge();
  expect(await TripStore.countDocuments(unrestricted(testService), those)).toBe(0);
  later(2 * GRACE_MS);
  await purge();
  expect(await packsOf(device)).toEqual([]);
});

test('a reader that has read a trip before its pack was replaced and purged reads it again', async () => {
  const device = await packedTwice();
  const { vehicle_key } = device;
  const those = { vehicle_key };
  const trip = await TripStore.findOne(unrestricted(testService), those, 'key pack');
  const before = { key: trip?.key ?? '', pack: null };
  await TripPointsBucketStore.deleteMany(unrestricted(testService), { ...those, pack: null });
  const accessScope = { ...accountAccessScope(testService, device.owner.key), vehicle_key };
  expect(await loadPointsOfTrips(accessScope, [before])).toMatchObject({ length: 3 });
});
