import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { AccountStore } from '../../../models/account/account.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { pickTripPoints } from '../../../models/trips/trip-points.ts';
import { bytesOf } from '../../../models/trips/trip-points-bytes.ts';
import { packTripPoints, unpackTripPoints } from '../../../models/trips/trip-points-codec.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { purgeExpired } from '../../../tracking/retention/purge-expired.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { postSettled } from '../../services/sent-in-parts.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips } from '../../hosts/ingest-host.ts';
import { storedPositions } from '../../hosts/stored-positions.ts';

// Earlier programs stored the positions of each minute in a document.

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.useRealTimers();
});

type Device = Awaited<ReturnType<typeof recordingDevice>>;

const all = unrestricted(testService);

const documentsOf = ({ device_key }: Device) => DeviceMinuteStore.find(all, { device_key }).sort({ minute: 1 });

/** Stores what a device has sent as an earlier program did. */
async function storeAsBefore(device: Device): Promise<void> {
  for (const { account_key, vehicle_key, device_key, minute, revision, written, packed } of await documentsOf(device)) {
    const points = unpackTripPoints(bytesOf(packed));
    const minuteAt = (number: number) => Math.floor((points.time[number] ?? 0) / 60_000) * 60_000;
    const numbersIn = (minute: number) => [...points.time.keys()].filter((number) => minuteAt(number) === minute);
    await DeviceMinuteStore.deleteOne(all, { device_key, minute });
    await DeviceMinuteStore.insertMany(
      all,
      [...new Set([...points.time.keys()].map(minuteAt))].map((minute) => {
        const numbers = numbersIn(minute);
        const bytes = packTripPoints(pickTripPoints(points, numbers), 0, numbers.length);
        return { account_key, vehicle_key, device_key, minute, revision, written, packed: bytes };
      }),
    );
  }
}

/** Leaves the lease of a device as a process does that has stalled, so that the next holder takes over. */
const leaveLease = ({ device_key }: Device) => {
  const care = { by: 'elsewhere|1|process|lease', until: new Date(0), rearranging: true };
  return DeviceStore.updateOne(all, { key: device_key }, { care });
};

/** All times in documents, as often as they are stored. */
async function timesInDocuments(device: Device): Promise<number[]> {
  const documents = await documentsOf(device);
  return documents.flatMap(({ packed }) => [...unpackTripPoints(bytesOf(packed)).time]).toSorted((a, b) => a - b);
}

const sentLater = fc
  .array(
    fc.record({
      after: fc.constantFrom(1, 20, 40, 150, 299, 400, 2000, 30_000),
      events: fc.constantFrom([], [], [], ['engine_start'], ['engine_stop'], ['ignition_off']),
    }),
    { minLength: 2, maxLength: 20 },
  )
  .map((steps) => {
    let seconds = 0;
    return steps.map(({ after, events }) => {
      seconds += after;
      return at(seconds, ...events);
    });
  })
  .chain((points) =>
    fc.record({
      points: fc.shuffledSubarray(points, { minLength: points.length }),
      /** Positions that are sent again, with another place and an event. */
      again: fc.subarray(points),
      size: fc.integer({ min: 1, max: 5 }),
      /** The request before which the program is replaced. */
      replacedAt: fc.integer({ min: 1, max: 20 }),
      isLeaseLeft: fc.boolean(),
    }),
  );

const changed = (sent: SentPoint): SentPoint => ({
  ...sent,
  point: { ...sent.point, lat: sent.point.lat + 0.00001 },
  events: [...(sent.events ?? []), 'harsh_brake'],
});

test('what follows minutes that an earlier program stored has the outcome that it has among hours', async () => {
  await fc.assert(
    fc.asyncProperty(sentLater, async ({ points, again, size, replacedAt, isLeaseLeft }) => {
      const [among, alone] = [await recordingDevice(), await recordingDevice()];
      const sent = [...points, ...again.map(changed), ...again];
      const count = Math.ceil(sent.length / size);
      for (let number = 0; number < count; number++) {
        if (number === Math.min(replacedAt, count - 1)) {
          await storeAsBefore(among);
          if (isLeaseLeft) for (const device of [among, alone]) await leaveLease(device);
        }
        const request = sent.slice(number * size, (number + 1) * size);
        const { status, body } = await postSettled(host, alone.secret, request);
        expect(await postSettled(host, among.secret, request)).toMatchObject({ status, body });
        expect(await timesInDocuments(among)).toEqual(await timesInDocuments(alone));
      }
      expect(await seenTrips(host, among)).toEqual(await seenTrips(host, alone));
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
      await closeOfflineTrips(testService);
      vi.useRealTimers();
      expect(await seenTrips(host, among)).toEqual(await seenTrips(host, alone));
      expect(await timesInDocuments(among)).toEqual(await timesInDocuments(alone));
      expect(await storedPositions(among)).toEqual(await storedPositions(alone));
    }),
    { numRuns: runSize(3, 40) },
  );
}, 1_800_000);

/** Positions of a parked vehicle, each 30 seconds for some hours. */
const parked = (from: number, hours: number) =>
  Array.from({ length: hours * 120 }, (_, step) => ({ ...at(from + step * 30), point: at(0).point, speed: 0 }));

test('a vehicle that stays parked since the time of an earlier program gets a document per hour', async () => {
  const device = await recordingDevice();
  await postSettled(host, device.secret, [...parked(0, 1), at(3600, 'ignition_off')]);
  await storeAsBefore(device);
  expect(await documentsOf(device)).toHaveLength(61);
  for (const point of [...parked(3630, 2).filter((_, number) => number % 12 === 0), at(10_860, 'ignition_off')])
    await postSettled(host, device.secret, [point, { ...at(1830, 'ignition_off'), point: at(0).point }]);
  expect((await documentsOf(device)).length).toBeLessThan(66);
  const { stays } = await host.ask(
    `{ stays(vehicle_key: "${device.vehicle_key}") { nodes { start_timestamp end_timestamp } } }`,
    device.owner.headers,
  );
  expect(stays).toMatchObject({ nodes: [{ start_timestamp: '2026-03-01T12:00:00+00:00', end_timestamp: null }] });
});

test('minutes of an earlier program expire like hours', async () => {
  const device = await recordingDevice();
  await postSettled(host, device.secret, [...parked(0, 3), at(10_800, 'ignition_off')]);
  await storeAsBefore(device);
  const retention = { positions_days: 30, trips: 'keep_facts' as const, pending: null };
  await AccountStore.updateOne(all, { key: device.owner.key }, { retention });
  const left = async (hours: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at((30 * 24 + hours) * 3600).timestamp) });
    await purgeExpired(testService);
    vi.useRealTimers();
    return (await documentsOf(device)).length;
  };
  expect([await left(0.5), await left(1.5), await left(2), await left(3), await left(4)]).toEqual([181, 121, 61, 1, 0]);
});

/** Positions of a vehicle that reports ten times a second. */
const often = (from: number, count: number) =>
  Array.from({ length: count }, (_, step) => ({
    ...at(from + step / 10),
    timestamp: new Date(Date.parse(at(from).timestamp) + step * 100).toISOString(),
  }));

test('a full hour goes on in minutes, and each position is stored once', async () => {
  const device = await recordingDevice();
  const send = async (points: SentPoint[]) => (await postSettled(host, device.secret, points)).body;
  // Each request repeats the first position with an event, so that the tail is moved.
  for (let from = 0; from < 1300; from += 90) {
    expect(await send([...often(from, 900), at(0, 'harsh_brake')])).toMatchObject({ accepted: 900 });
  }
  const lengths = (await documentsOf(device)).map(({ packed }) => unpackTripPoints(bytesOf(packed)).length);
  expect(Math.max(...lengths)).toBeLessThan(11_000);
  expect(lengths.length).toBeGreaterThan(2);
  for (const from of [0, 900, 1200])
    expect(await send(often(from, 900))).toMatchObject({ accepted: 0, duplicates: 900 });
  const times = await timesInDocuments(device);
  expect(times).toEqual([...new Set(times)]);
  await postSettled(host, device.secret, [at(1400, 'engine_stop')]);
  expect(await seenTrips(host, device)).toMatchObject([{ duration_seconds: 1400, point_count: 13_501 }]);
  expect(await documentsOf(device)).toEqual([]);
});
