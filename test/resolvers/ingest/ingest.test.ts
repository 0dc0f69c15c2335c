import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { DeviceStore } from '../../../models/vehicles/device.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { serialFields } from '../../../models/vehicles/serial-grams.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { account, appFor, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, embedOf } from '../../fixtures/trip-query.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips, timeAt } from '../../hosts/ingest-host.ts';

useDatabase();
const gpx = useGpxFiles();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type Device = Awaited<ReturnType<typeof recordingDevice>>;

const DEVICE = { status: 'installed', subscription_status: 'active' } as const;

interface SeenTrip {
  readonly key: string;
  readonly start_point: { readonly timestamp: string };
  readonly end_point: { readonly timestamp: string };
  readonly point_count: number;
}

async function tripsOf({ owner, vehicle_key }: Device, headers: Record<string, string> = owner.headers) {
  const fields = 'key start_point { timestamp } end_point { timestamp } point_count';
  const { data } = await host.graphql(`{ trips(vehicle_key: "${vehicle_key}") { nodes { ${fields} } } }`, headers);
  return (data.trips as { nodes: SeenTrip[] }).nodes;
}

async function spansOf(device: Device, headers?: Record<string, string>) {
  const trips = await tripsOf(device, headers);
  return trips.map(({ start_point, end_point, point_count }) => [
    start_point.timestamp,
    end_point.timestamp,
    point_count,
  ]);
}

const span = (from: number, until: number, count: number) => [timeAt(from), timeAt(until), count];

const send = async ({ secret }: Device, ...points: SentPoint[]) => (await host.post(secret, { points })).body;

describe('a trip', () => {
  test('opens with an engine start, is seen up to now, and closes with an engine stop', async () => {
    const device = await recordingDevice();
    expect(await send(device, at(0, 'engine_start'), at(1))).toMatchObject({ accepted: 2, duplicates: 0 });
    const [open] = await tripsOf(device);
    expect(await spansOf(device)).toEqual([span(0, 1, 2)]);
    await send(device, at(2));
    expect(await spansOf(device)).toEqual([span(0, 2, 3)]);
    await send(device, at(3, 'engine_stop'));
    expect(await spansOf(device)).toEqual([span(0, 3, 4)]);
    const stored = await TripStore.findOne(unrestricted(testService), { key: open?.key ?? '' });
    expect(stored).toMatchObject({ device_key: device.device_key, point_count: 4, recording: { open: false } });
  });

  test('is not ended by standing while the engine is known to run', async () => {
    const device = await recordingDevice();
    const standing = [200, 400, 600, 800].map((seconds) => ({ ...at(0), timestamp: timeAt(seconds) }));
    await send(device, at(0, 'engine_start'), ...standing);
    expect(await spansOf(device)).toEqual([span(0, 800, 5)]);
  });

  test('is ended by 5 minutes without a position where it is not', async () => {
    const device = await recordingDevice();
    for (const seconds of [0, 299, 599, 600]) await send(device, at(seconds));
    expect(await spansOf(device)).toEqual([span(0, 299, 2), span(599, 600, 2)]);
  });

  test('keeps its key while it grows, is closed, and takes what comes late', async () => {
    const device = await recordingDevice();
    await send(device, at(0, 'engine_start'), at(10), at(30, 'engine_stop'));
    const [{ key } = { key: '' }] = await tripsOf(device);
    expect(await send(device, at(20))).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await tripsOf(device)).toMatchObject([{ key, point_count: 4 }]);
    await later(() => closeOfflineTrips(testService));
    expect(await tripsOf(device)).toMatchObject([{ key, point_count: 4 }]);
    expect(await send(device, at(20), at(30))).toMatchObject({ accepted: 0, duplicates: 2 });
  });

  test('becomes one with the next by positions in between, and two again by an engine stop', async () => {
    const device = await recordingDevice();
    await send(device, at(0), at(10));
    await send(device, at(400), at(410));
    const [first, second] = await tripsOf(device);
    await send(device, at(200));
    expect(await tripsOf(device)).toMatchObject([{ key: first?.key, point_count: 5 }]);
    await send(device, at(250, 'engine_stop'));
    expect(await spansOf(device)).toEqual([span(0, 250, 4), span(400, 410, 2)]);
    expect((await tripsOf(device))[0]?.key).toBe(first?.key);
    expect(second?.key).not.toBe(first?.key);
  });

  test('is closed when its device goes offline, and is continued when it is online again', async () => {
    const device = await recordingDevice();
    await send(device, at(0, 'engine_start'), at(1));
    await closeOfflineTrips(testService);
    const isOpen = async () => {
      const trip = await TripStore.findOne(unrestricted(testService), { vehicle_key: device.vehicle_key });
      return trip?.recording?.open;
    };
    expect(await isOpen()).toBe(true);
    await later(() => closeOfflineTrips(testService));
    expect(await isOpen()).toBe(false);
    await send(device, at(200), at(201, 'engine_stop'));
    expect(await spansOf(device)).toEqual([span(0, 201, 4)]);
  });

  test('is closed after any number of others, of which one cannot be', async () => {
    const damaged = await recordingDevice();
    await send(damaged, at(0, 'engine_start'));
    await DeviceMinuteStore.updateMany(
      unrestricted(testService),
      { device_key: damaged.device_key },
      { packed: Buffer.from('damaged') },
    );
    const { key: account_key } = await account();
    const care = { by: null, until: new Date(Date.now() - 1000), rearranging: false };
    const others = Array.from({ length: 150 }, (_, i) => `${account_key}-${i}`);
    const documents = others.map((key) => ({
      key,
      ...serialFields(key),
      account_key,
      vehicle_key: key,
      care,
    }));
    await DeviceStore.insertMany(
      unrestricted(testService),
      documents.map((other) => ({ ...DEVICE, ...other })),
    );
    const device = await recordingDevice();
    await send(device, at(0, 'engine_start'), at(1));

    await expect(later(() => closeOfflineTrips(testService))).rejects.toThrow(
      `1 silent devices whose trips stay open: ${damaged.device_key}`,
    );
    const trip = await TripStore.findOne(unrestricted(testService), { vehicle_key: device.vehicle_key });
    expect(trip?.recording?.open).toBe(false);
    await DeviceStore.deleteOne(unrestricted(testService), { key: damaged.device_key });
  });

  test('that is closed equals the import of the same positions, which makes no second one', async () => {
    const device = await recordingDevice();
    const points = Array.from({ length: 50 }, (_, second) => at(second * 5));
    await send(device, ...points, at(250, 'engine_stop'));
    const positions = [...points, at(250)].map(({ point, timestamp }) => ({ ...point, time: Date.parse(timestamp) }));
    const file = await gpx.write('recorded.gpx', [positions]);
    const key = await vehicle(device.owner.key);
    const into = (vehicle_key: string) =>
      importTrips(testService, { files: [file], vehicle: { key: vehicle_key, account_key: device.owner.key } });
    await into(key);
    const plain = (trips: Record<string, unknown>[]) =>
      trips.map(({ points: all, max_speed: _, ...trip }) => ({
        ...trip,
        points: (all as Record<string, unknown>[]).map(({ point, timestamp }) => ({ point, timestamp })),
      }));
    const recorded = plain(await seenTrips(host, device));
    expect(recorded).toEqual(plain(await seenTrips(host, { ...device, vehicle_key: key })));
    await into(device.vehicle_key);
    expect(await tripsOf(device)).toHaveLength(1);
  });
});

describe('a trip that is open', () => {
  test.each(['gpx', 'geojson'])('and is exported as %s is there already when that is imported', async (format) => {
    const device = await recordingDevice();
    const { owner, vehicle_key } = device;
    await send(device, at(0, 'engine_start'), at(1), at(2));
    const [{ key } = { key: '' }] = await tripsOf(device);
    const url = `/api/v2/trip/${key}.${format}`;
    const exported = await host.app.inject({ url, headers: { host: 'localhost', ...owner.headers } });
    const file = await gpx.writeText(`open.${format}`, exported.body);
    const into = async (vehicle: string) => {
      const { trips } = await importTrips(testService, {
        files: [file],
        vehicle: { key: vehicle, account_key: owner.key },
      });
      return trips.map((trip) => [trip.key, trip.created]);
    };
    expect(await into(vehicle_key)).toEqual([[key, false]]);
    await send(device, at(3), at(4, 'engine_stop'));
    expect(await into(vehicle_key)).toEqual([[key, false]]);
    expect(await spansOf(device)).toEqual([span(0, 4, 5)]);

    const other = await recordingDevice(owner);
    await send(other, at(0, 'engine_start'), at(2));
    expect(await into(other.vehicle_key)).toEqual([[expect.not.stringMatching(key), false]]);
    expect(await spansOf(other)).toHaveLength(1);
  });

  test('is seen by apps, with its positions where they may', async () => {
    const device = await recordingDevice();
    await send(device, at(0, 'engine_start'), at(1));
    const app = await appFor(await user(device.owner.key), ['account_activity.read', 'trippoints.read']);
    expect(await spansOf(device, app.headers)).toEqual([span(0, 1, 2)]);
    const [{ key } = { key: '' }] = await tripsOf(device);
    const query = `{ trip(key: "${key}") { point_count } tripPoints(trip_key: "${key}") { nodes { events } } }`;
    expect((await host.graphql(query, app.headers)).data).toEqual({
      trip: { point_count: 2 },
      tripPoints: { nodes: [{ events: ['engine_start'] }, { events: [] }] },
    });
  });

  test('is seen by a trip map as far as its window goes', async () => {
    const device = await recordingDevice();
    await send(device, ...Array.from({ length: 10 }, (_, second) => at(second)));
    const noon = Date.parse(timeAt(0));
    const seenIn = async (scope: { gte?: number; lt?: number }) => {
      const embed = embedOf(device.owner.key, device.vehicle_key, scope);
      const query = `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { start_point { timestamp } end_point { timestamp } point_count path { point_count } } } }`;
      const { data } = await ask<{ trips: { nodes: (SeenTrip & { path: { point_count: number } })[] } }>(embed, query);
      return data.trips.nodes.map(({ start_point, end_point, point_count, path }) => {
        expect(path.point_count).toBe(point_count);
        return [start_point.timestamp, end_point.timestamp, point_count];
      });
    };
    expect(await seenIn({})).toEqual([span(0, 9, 10)]);
    expect(await seenIn({ gte: noon + 4000 })).toEqual([span(4, 9, 6)]);
    expect(await seenIn({ lt: noon + 4000 })).toEqual([span(0, 3, 4)]);
    expect(await seenIn({ gte: noon + 86_400_000 })).toEqual([]);
  });

  test('is found by its start, and not after it', async () => {
    const device = await recordingDevice();
    await send(device, at(0, 'engine_start'), at(100));
    const count = async (bounds: string) => {
      const query = `{ trips(vehicle_key: "${device.vehicle_key}", ${bounds}) { nodes { key } } }`;
      const { data } = await host.graphql(query, device.owner.headers);
      return (data.trips as { nodes: unknown[] }).nodes.length;
    };
    expect(await count(`started_after: "${timeAt(0).slice(0, 19)}Z"`)).toBe(1);
    expect(await count(`started_after: "${timeAt(1).slice(0, 19)}Z"`)).toBe(0);
    expect(await count(`started_before: "${timeAt(0).slice(0, 19)}Z"`)).toBe(0);
  });

  test('takes the next position without being written, however long it is', async () => {
    const device = await recordingDevice();
    await send(device, at(0, 'engine_start'), at(1));
    const whenShort = await queriesDuring(async () => {
      await send(device, at(2));
    });
    const lateWhenShort = await queriesDuring(async () => {
      await send(device, at(1.5), at(1.6, 'harsh_brake'));
    });
    for (let minute = 1; minute < 30; minute++) await send(device, at(minute * 60), at(minute * 60 + 1));
    const whenLong = await queriesDuring(async () => {
      await send(device, at(1800));
    });
    const withoutInsertion = ({ method }: { method: string }) =>
      !['insertOne', 'updateOne', 'insertMany'].includes(method);
    expect(whenLong.filter(withoutInsertion)).toEqual(whenShort.filter(withoutInsertion));
    const late = await queriesDuring(async () => {
      await send(device, at(90), at(120, 'harsh_brake'));
    });
    expect(
      [...whenLong, ...late].filter(
        ({ collection, method }) => collection.startsWith('trip') && !method.startsWith('find'),
      ),
    ).toEqual([]);
    expect(late.length).toBeLessThanOrEqual(lateWhenShort.length + 1);
    expect(await spansOf(device)).toEqual([span(0, 1800, 65)]);
  });

  test('that is closed again and again is packed in one command each time', async () => {
    const device = await recordingDevice();
    const drive = (from: number, count: number) => Array.from({ length: count }, (_, second) => at(from + second));
    await send(device, at(-1, 'engine_start'));
    for (const from of [0, 1000, 2000, 3000]) await send(device, ...drive(from, 1000));
    await later(() => closeOfflineTrips(testService));
    await send(device, ...drive(4000, 10));
    const queries = await queriesDuring(() => later(() => closeOfflineTrips(testService)));
    const written = queries.filter(({ collection, method }) => collection === 'trip_points' && method !== 'find');
    expect(written).toEqual([{ collection: 'trip_points', method: 'insertMany' }]);
    expect(await spansOf(device)).toEqual([span(-1, 4009, 4011)]);
  });
});

describe('positions that are hours apart', () => {
  const HOUR = 3600;
  const everyDay = (count: number, hour: number) =>
    Array.from({ length: count }, (_, day) => day).flatMap((day) =>
      [0, 1].map((second) => ({ ...at(day + second), timestamp: timeAt((day * 24 + hour) * HOUR + second) })),
    );

  test('are a trip each, and as many of them take no more queries than few', async () => {
    const queriesFor = async (count: number) => {
      const device = await recordingDevice();
      const queries = await queriesDuring(async () => {
        expect(await send(device, ...everyDay(count, 0))).toMatchObject({ accepted: 2 * count, duplicates: 0 });
      });
      const again = await queriesDuring(async () => {
        expect(await send(device, ...everyDay(count, 0))).toMatchObject({ accepted: 0, duplicates: 2 * count });
      });
      expect((await tripsOf(device)).map(({ point_count }) => point_count)).toEqual(Array(count).fill(2));
      // How often the device is said to be worked on is a matter of time.
      return [queries, again].map((sent) => sent.filter(({ collection }) => collection !== 'devices').length);
    };
    await queriesFor(1);
    expect(await queriesFor(40)).toEqual(await queriesFor(4));
  });

  test('are separate trips between others, or continue these', async () => {
    const device = await recordingDevice();
    await send(device, ...everyDay(20, 0));
    await send(device, ...everyDay(20, 8), ...everyDay(20, 0.01));
    const trips = await tripsOf(device);
    expect(trips.map(({ point_count }) => point_count)).toEqual(Array(20).fill([4, 2]).flat());
    await later(() => closeOfflineTrips(testService));
    expect(await tripsOf(device)).toEqual(trips);
    const open = { vehicle_key: device.vehicle_key, 'recording.open': true };
    expect(await TripStore.countDocuments(unrestricted(testService), open)).toBe(0);
    expect(await DeviceMinuteStore.countDocuments(unrestricted(testService), { vehicle_key: device.vehicle_key })).toBe(
      0,
    );
  });
});

test('a speed in miles per hour with one decimal leaves as it was sent, wherever it does', async () => {
  const device = await recordingDevice();
  const speeds = [30, 18.6, 0.1, 55.5, 74.9];
  const points = speeds.map((speed, step) => ({ ...at(step * 5), timestamp: timeAt(step), speed }));
  await host.post(device.secret, { points });
  const query =
    '{ trips(first: 1) { nodes { max_speed points(first: 10) { nodes { speed } } } } vehicles { nodes { vehicle_location { speed_mph } } } }';
  const { trips, vehicles } = await host.ask(query, device.owner.headers);
  const [trip] = (trips as { nodes: { max_speed: number; points: { nodes: unknown } }[] }).nodes;
  expect([trip?.max_speed, trip?.points.nodes]).toEqual([74.9, speeds.map((speed) => ({ speed }))]);
  expect(vehicles).toEqual({ nodes: [{ vehicle_location: { speed_mph: 74.9 } }] });
});

test('positions that many trips took late survive a day in which no server runs', async () => {
  const device = await recordingDevice();
  const everyDay = (minute: number) =>
    Array.from({ length: 60 }, (_, day) => day).flatMap((day) =>
      [0, 1].map((second) => ({ ...at(minute * 60 + second), timestamp: timeAt(day * 86_400 + minute * 60 + second) })),
    );
  await send(device, ...everyDay(0));
  await later(() => closeOfflineTrips(testService));
  await send(device, ...everyDay(1));
  await later(() => closeOfflineTrips(testService), 2 * 86_400_000);
  expect((await seenTrips(host, device)).map(({ point_count }) => point_count)).toEqual(Array(60).fill(4));
});

describe('simultaneous requests', () => {
  test('of one device neither lose nor double a position, and each is accepted once', async () => {
    const device = await recordingDevice();
    const points = [
      at(0, 'engine_start'),
      ...Array.from({ length: 30 }, (_, i) => at(10 + i * 10)),
      at(320, 'engine_stop'),
    ];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => send(device, ...points.slice(n, n + 9), ...points.slice(0, n % 3))),
    );
    const accepted = answers.reduce((sum: number, answer) => sum + (answer as { accepted: number }).accepted, 0);
    expect(accepted).toBe(points.length);
    expect(await spansOf(device)).toEqual([span(0, 320, points.length)]);
  });
});

/** Does something later: 16 minutes, if nothing else is said. */
async function later(work: () => Promise<void>, milliseconds = 16 * 60_000): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}
