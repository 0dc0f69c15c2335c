import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { listPrivacyZones, PrivacyZoneStore, stateOfZones } from '../../../models/vehicles/privacy-zone.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { createPlace } from '../../../resolvers/places/place-resolver.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { recordFindings } from '../../../server/database/record-findings.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { completeInterrupted } from '../../../tracking/recording/complete-interrupted.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { moveTail } from '../../../tracking/recording/record-points.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips, timeAt } from '../../hosts/ingest-host.ts';
import { storedPositions } from '../../hosts/stored-positions.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

type Device = Awaited<ReturnType<typeof recordingDevice>>;

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  host.app.log.level = 'silent';
});
afterAll(async () => {
  await leasedWorkEnded(testService);
  await host.app.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const drive = (from: number, count: number) => Array.from({ length: count }, (_, second) => at(from + second));
const send = async ({ secret }: Pick<Device, 'secret'>, ...points: SentPoint[]) =>
  (await host.post(secret, { points })).body;

/** A device on the way, whose next position only continues its trip. */
async function drivingDevice(of = owner): Promise<Device> {
  const device = await recordingDevice(of);
  await send(device, at(0, 'engine_start'));
  return device;
}

/** Names of the database commands of some work, and of what is done after its answer. */
async function commandsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const queries = await queriesDuring(async () => {
    await work();
    await leasedWorkEnded(testService);
  });
  return queries.map(({ collection, method }) => `${collection}.${method}`);
}

const storedDevice = async ({ device_key }: Device) =>
  DeviceStore.findOne(
    unrestricted(testService),
    { key: device_key },
    '+tail care lease_epoch last_transmission seen_outside',
  );

const setDevice = ({ device_key }: Device, set: Record<string, unknown>) =>
  DeviceStore.updateOne(unrestricted(testService), { key: device_key }, set);

/** Times of the positions of all trips that are seen of a device. */
async function timesSeen(device: Device): Promise<string[]> {
  const trips = await seenTrips(host, device);
  return trips.flatMap(({ points }) => (points as { timestamp: string }[]).map(({ timestamp }) => timestamp));
}

/** State that trip maps compare to know if the trips of a vehicle have changed. */
const tripsState = async ({ vehicle_key }: Device): Promise<string> => {
  const vehicle = await VehicleStore.findOne(unrestricted(testService), { key: vehicle_key });
  const devices = await DeviceStore.find(unrestricted(testService), { vehicle_key }, '+trips_version');
  return JSON.stringify([vehicle?.trips_revision, devices.map(({ trips_version }) => trips_version)]);
};

const timesOf = (points: readonly SentPoint[]) => points.map(({ timestamp }) => timestamp.replace('.000Z', '+00:00'));

/** The command that stores the events of positions, if there are any. */
const eventsOf = (points: readonly SentPoint[]) =>
  points.some(({ events = [] }) => events.length > 0) ? ['vehicle_events.insertMany'] : [];

describe('positions that continue an open trip take', () => {
  const APPENDED = ['devices.updateOne'];

  test.each([
    ['one position', [at(1)]],
    ['a hundred positions', drive(1, 100)],
    ['positions with events that end nothing', [at(1, 'harsh_brake'), at(2)]],
    ['positions in disorder that all come after the last one', [at(3), at(1), at(2)]],
  ])('two commands, and one for events: %s of a device', async (_, points) => {
    const device = await drivingDevice();
    const commands = await commandsDuring(async () => {
      expect(await send(device, ...points)).toMatchObject({ accepted: points.length, duplicates: 0 });
    });
    expect(commands).toEqual(['ingest_keys.aggregate', ...APPENDED, ...eventsOf(points)]);
    expect((await timesSeen(device)).toSorted()).toEqual(timesOf([at(0), ...points]).toSorted());
  });

  test('two commands where the device is secondary, also where the vehicle departs, and they are in no trip', async () => {
    const device = await recordingDevice();
    await setDevice(device, { trip_settings: { reporter: 'secondary' } });
    await send(device, at(0));
    for (const second of [10, 20, 400]) {
      expect(await commandsDuring(() => send(device, at(second)))).toEqual(['ingest_keys.aggregate', ...APPENDED]);
    }
    expect(await timesSeen(device)).toEqual([]);
    expect(await storedPositions(device)).toHaveLength(4);
  });

  test('the lease where the device has become secondary on the way, and are in no trip then', async () => {
    const device = await drivingDevice();
    await send(device, ...drive(1, 5));
    await setDevice(device, { trip_settings: { reporter: 'secondary' } });
    await send(device, at(10));
    expect(await timesSeen(device)).toEqual([]);
    expect(await storedPositions(device)).toHaveLength(7);
    await setDevice(device, { trip_settings: null });
    await send(device, at(20, 'engine_start'), at(30));
    expect(await timesSeen(device)).not.toEqual([]);
  });

  test('three commands where positions have an odometer', async () => {
    const device = await drivingDevice();
    const sent = [1, 2].map((second) => ({ ...at(second), odometer: 1000 + second / 100, fuel_level: 50 }));
    const commands = await commandsDuring(() => send(device, ...sent));
    expect(commands).toEqual(['ingest_keys.aggregate', 'devices.updateOne', 'vehicles.bulkWrite']);
    const read = await VehicleStore.findOne(unrestricted(testService), { key: device.vehicle_key });
    expect(read?.odometer).toBe(1000.02);
  });

  test('three commands where a forwarder names the device', async () => {
    const device = await drivingDevice();
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key: null });
    await host.post(secret, { serial: device.serial, points: [at(1)] });
    const commands = await commandsDuring(() => host.post(secret, { serial: device.serial, points: [at(2)] }));
    expect(commands).toEqual(['ingest_keys.aggregate', 'devices.find', ...APPENDED]);
  });

  test('no more where the account has privacy zones', async () => {
    const other = await account();
    const device = await drivingDevice(other);
    const zone = { ...at(500).point, radius_meters: 300 };
    await createPrivacyZone(accountAccessScope(testService, other.key), zone);
    const commands = await commandsDuring(() => send(device, at(1)));
    expect(commands).toEqual(['ingest_keys.aggregate', ...APPENDED]);
    expect((await storedDevice(device))?.seen_outside?.at).toEqual(new Date(timeAt(1)));
    const inside = await commandsDuring(() => send(device, { ...at(500), timestamp: timeAt(100) }));
    expect(inside).toEqual(['ingest_keys.aggregate', 'devices.updateOne', 'privacy_zones.find']);
    expect((await storedDevice(device))?.seen_outside?.at).toEqual(new Date(timeAt(1)));
  });

  test('no more where the account has places, while none is entered or left', async () => {
    const other = await account();
    const device = await drivingDevice(other);
    const accessScope = accountAccessScope(testService, other.key);
    await createPlace(accessScope, { name: 'Depot', point: at(500).point, radius: 300 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(timeAt(0)) - 1000 });
    const place = await createPlace(accessScope, { name: 'Yard', point: at(102).point, radius: 60 });
    vi.useRealTimers();
    await send(device, at(1));
    const outside = await commandsDuring(() => send(device, at(2)));
    expect(outside).toEqual(['ingest_keys.aggregate', ...APPENDED]);
    await send(device, at(100));
    const inside = await commandsDuring(() => send(device, at(101)));
    expect(inside).toEqual(['ingest_keys.aggregate', ...APPENDED]);
    const visits = await VisitStore.find(unrestricted(testService), { place_key: place.key });
    expect(visits).toMatchObject([{ entry_timestamp: new Date(timeAt(100)), exit_timestamp: null }]);
  });

  test('no more where a zone is of a program that knew no treatment of trips', async () => {
    const other = await account();
    const device = await drivingDevice(other);
    const accessScope = accountAccessScope(testService, other.key);
    await createPrivacyZone(accessScope, { ...at(500).point, radius_meters: 300 });
    await PrivacyZoneStore.driver(testService).updateOne({ account_key: other.key }, { $unset: { trips: 1 } });
    await send(device, at(1));
    const state = stateOfZones(await listPrivacyZones(accessScope));
    expect((await storedDevice(device))?.seen_outside).toMatchObject({ zones: state, at: new Date(timeAt(1)) });
  });
});

describe('positions among the latest ones of an open trip take as many commands', () => {
  test.each([
    ['one that is known', [at(5)], [at(5)], 0],
    ['one that comes late', [at(5), at(9)], [at(7, 'harsh_brake')], 1],
    ['some of each, and later ones', [at(5), at(9)], [at(12), at(7), at(6), at(9), at(6)], 3],
  ])('%s', async (_, before, points, accepted) => {
    const [device, whole] = [await recordingDevice(owner), await recordingDevice(owner)];
    await send(device, at(0), at(1));
    for (const point of before) await send(device, point);
    const commands = await commandsDuring(async () => {
      expect(await send(device, ...points)).toMatchObject({ accepted, duplicates: points.length - accepted });
    });
    const appended = ['ingest_keys.aggregate', 'devices.updateOne'];
    expect(commands).toEqual([...appended, ...eventsOf(points)]);
    await send(whole, at(0), at(1), ...before, ...points);
    expect(await seenTrips(host, device)).toEqual(await seenTrips(host, whole));
    expect((await storedDevice(device))?.tail?.last).toEqual((await storedDevice(whole))?.tail?.last);
  });

  test('also between two in the same place', async () => {
    const other = await account();
    const device = await drivingDevice(other);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(timeAt(0)) - 1000 });
    await createPlace(accountAccessScope(testService, other.key), { name: 'Yard', point: at(7).point, radius: 500 });
    vi.useRealTimers();
    for (const second of [1, 5, 9]) await send(device, at(second));
    expect(await commandsDuring(() => send(device, at(7)))).not.toContain('devices.findOneAndUpdate');
    expect(await timesSeen(device)).toEqual(timesOf([0, 1, 5, 7, 9].map((second) => at(second))));
  });

  test('a late one is the latest position of the device only if it is', async () => {
    const device = await drivingDevice();
    for (const second of [1, 5, 9]) await send(device, at(second));
    await send(device, at(7));
    const { position } = (await DeviceStore.findOne(
      unrestricted(testService),
      { key: device.device_key },
      'position',
    )) ?? { position: null };
    expect(position?.at).toEqual(new Date(timeAt(9)));
    await send(device, at(10));
    expect(await timesSeen(device)).toEqual(timesOf([0, 1, 5, 7, 9, 10].map((second) => at(second))));
  });
});

describe('a batch of a forwarder', () => {
  let secret: string;
  beforeAll(async () => {
    secret = (await issueIngestKey(testService, { account_key: owner.key, device_key: null })).secret;
    await host.post(secret, { batch: [] });
  });
  const batchOf = (devices: readonly Device[], ...points: SentPoint[]) => ({
    batch: devices.map(({ serial }) => ({ serial, points })),
  });

  test('takes three commands, however many devices it is of', async () => {
    const devices = [await drivingDevice(), await drivingDevice(), await drivingDevice()];
    const commands = await commandsDuring(async () => {
      const { body } = await host.post(secret, batchOf(devices, at(1), at(2)));
      expect(body).toMatchObject({ accepted: 6, duplicates: 0 });
    });
    expect(commands).toEqual(['ingest_keys.aggregate', 'devices.find', 'devices.bulkWrite']);
    for (const device of devices) expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1), at(2)]));
  });

  test('records what continues no trip as single requests do', async () => {
    const [driving, fresh, ending] = [await drivingDevice(), await recordingDevice(owner), await drivingDevice()];
    const points = { driving: [at(1)], fresh: [at(0, 'engine_start'), at(1)], ending: [at(1), at(2, 'engine_stop')] };
    const batch = [
      { serial: driving.serial, points: points.driving },
      { serial: fresh.serial, points: points.fresh },
      { serial: ending.serial, points: points.ending },
      { serial: driving.serial, points: [at(2), at(1)] },
    ];
    expect((await host.post(secret, { batch })).body).toMatchObject({ accepted: 6, duplicates: 1 });
    expect(await timesSeen(driving)).toEqual(timesOf([at(0), at(1), at(2)]));
    expect(await timesSeen(fresh)).toEqual(timesOf([at(0), at(1)]));
    expect(await timesSeen(ending)).toEqual(timesOf([at(0), at(1), at(2)]));
    expect((await host.post(secret, { batch })).body).toMatchObject({ accepted: 0, duplicates: 7 });
  });

  test('tells trip maps of what it appended, even if it finds the tail moved', async () => {
    const [moved, refused] = [await drivingDevice(), await drivingDevice()];
    const before = await tripsState(moved);
    const write = vi.spyOn(DeviceStore.driver(testService), 'bulkWrite').mockImplementationOnce(async (...args) => {
      await send(refused, at(1));
      write.mockRestore();
      const written = await DeviceStore.driver(testService).bulkWrite(...args);
      await moveTail(testService, { key: moved.device_key, account_key: owner.key, vehicle_key: moved.vehicle_key });
      return written;
    });
    expect(await host.post(secret, batchOf([moved, refused], at(1)))).toMatchObject({ status: 200 });
    expect(await tripsState(moved)).not.toBe(before);
    for (const device of [moved, refused]) expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1)]));
  });

  test('accepts what others have not sent meanwhile', async () => {
    const devices = [await drivingDevice(), await drivingDevice()];
    const [first] = devices;
    const bodies = await Promise.all([
      host.post(secret, batchOf(devices, at(1))),
      host.post(secret, batchOf(devices, at(1))),
      send(first ?? devices[0] ?? (await drivingDevice()), at(1)),
    ]);
    const accepted = bodies.map((answer) => {
      const body = (answer as { body?: unknown }).body ?? answer;
      return (body as { accepted: number }).accepted;
    });
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(2);
    for (const device of devices) expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1)]));
  });

  test.each([
    ['a list of another type', { batch: {} }, 'batch must be a list'],
    ['points beside it', { points: [at(0)], batch: [] }, 'batch cannot be combined with points, position or event'],
    [
      'a position of Traccar beside it',
      { position: {}, batch: [] },
      'batch cannot be combined with points, position or event',
    ],
    ['no serial', { batch: [{ points: [at(0)] }] }, 'batch[0].serial is required'],
    ['no points', { batch: [{ serial: 'x' }] }, 'batch[0].points is required'],
    ['a wrong point', { batch: [{ serial: 'x', points: [{}] }] }, 'batch[0].points[0].point is required'],
    [
      'a device that is unknown',
      { batch: [{ serial: 'unknown', points: [] }] },
      'batch[0].serial does not match a device of the account',
    ],
    [
      'more than 1,000 points',
      { batch: [0, 600].map((from) => ({ serial: 'x', points: drive(from, 600) })) },
      'batch must have at most 1000 points',
    ],
  ])('with %s is 400 and stores nothing', async (_, body, errors) => {
    expect(await host.post(secret, body)).toMatchObject({ status: 400, body: { errors } });
  });

  test('stores nothing of another account', async () => {
    const foreign = await recordingDevice();
    const answer = await host.post(secret, batchOf([await drivingDevice(), foreign], at(1)));
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: 'batch[1].serial does not match a device of the account' },
    });
    expect(await timesSeen(foreign)).toEqual([]);
  });

  test('may be sent by a device, of itself', async () => {
    const [device, other] = [await drivingDevice(), await drivingDevice()];
    expect(await host.post(device.secret, batchOf([device], at(1)))).toMatchObject({ status: 200 });
    expect(await host.post(device.secret, batchOf([other], at(1)))).toMatchObject({ status: 400 });
  });
});

describe('what continues no open trip is recorded under the lease', () => {
  test.each([
    ['a position that comes late', [at(5)], [at(3)]],
    ['a late position that ends the engine', [at(5), at(9)], [at(7, 'engine_stop')]],
    ['a position that is known, with an event', [at(5)], [at(5, 'harsh_brake')]],
    ['a position after a pause', [at(5)], [at(306)]],
    ['the end of the engine', [at(5)], [at(6, 'engine_stop')]],
    ['another start', [at(5)], [at(6, 'engine_start')]],
    ['the ignition off', [at(5)], [at(6, 'ignition_off')]],
    ['a pause between new positions', [at(5)], [at(6), at(400)]],
  ])('%s', async (_, before, points) => {
    const [device, whole] = [await recordingDevice(owner), await recordingDevice(owner)];
    await send(device, at(0), at(1));
    for (const point of before) await send(device, point);
    const commands = await commandsDuring(() => send(device, ...points));
    expect(commands).toContain('devices.findOneAndUpdate');
    await send(whole, at(0), at(1), ...before, ...points);
    expect(await seenTrips(host, device)).toEqual(await seenTrips(host, whole));
  });

  test('a late position in a place between two outside', async () => {
    const other = await account();
    const device = await drivingDevice(other);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(timeAt(0)) - 1000 });
    const place = await createPlace(accountAccessScope(testService, other.key), {
      name: 'Kiosk',
      point: at(7).point,
      radius: 5,
      border_meters: 0,
    });
    vi.useRealTimers();
    for (const second of [1, 5, 9]) await send(device, at(second));
    expect(await commandsDuring(() => send(device, at(7)))).toContain('devices.findOneAndUpdate');
    const visits = await VisitStore.find(unrestricted(testService), { place_key: place.key });
    expect(visits).toMatchObject([{ entry_timestamp: new Date(timeAt(7)), exit_timestamp: new Date(timeAt(9)) }]);
  });

  test('a position of a device that was moved to another vehicle', async () => {
    const device = await drivingDevice();
    await send(device, at(1));
    const vehicle_key = await vehicle(owner.key);
    await setDevice(device, { vehicle_key });
    await send(device, at(2));
    await send(device, at(3));
    expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1)]));
    expect(await timesSeen({ ...device, vehicle_key })).toEqual(timesOf([at(2), at(3)]));
  });
});

describe('positions at the end of an open trip', () => {
  test('are told to trip maps like all others, once stored', async () => {
    const device = await drivingDevice();
    const before = await tripsState(device);
    await send(device, at(1));
    expect(await tripsState(device)).not.toBe(before);
  });

  test('are checked for damage', async () => {
    const device = await drivingDevice();
    await send(device, at(1));
    const findings = async () =>
      (await recordFindings(testService, () => undefined)).filter((finding) =>
        finding.startsWith(`devices ${device.device_key}`),
      );
    expect(await findings()).toEqual([]);
    await setDevice(device, { 'tail.packed': Buffer.from('damaged') });
    expect(await findings()).toEqual([expect.stringContaining('they cannot be unpacked')]);
    await setDevice(device, { tail: null });
  });

  test('survive the silence of the device', async () => {
    const device = await drivingDevice();
    await send(device, at(1));
    await send(device, at(2));
    const trips = await seenTrips(host, device);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    await closeOfflineTrips(testService);
    const stored = await TripStore.findOne(unrestricted(testService), { vehicle_key: device.vehicle_key });
    expect(stored?.recording?.open).toBe(false);
    expect(await seenTrips(host, device)).toEqual(trips);
    expect((await storedDevice(device))?.tail).toBeNull();
  });

  test('are moved to minutes after an answer, when they are many', async () => {
    const device = await drivingDevice();
    const points = Array.from({ length: 16 }, (_, part) => drive(1 + part * 100, 100));
    for (const part of points) expect(await send(device, ...part)).toMatchObject({ accepted: 100, duplicates: 0 });
    await leasedWorkEnded(testService);
    const minutes = { device_key: device.device_key };
    expect(await DeviceMinuteStore.countDocuments(unrestricted(testService), minutes)).toBeGreaterThan(0);
    const commands = await commandsDuring(() => send(device, at(1700)));
    expect(commands).toHaveLength(2);
    expect(await seenTrips(host, device)).toMatchObject([{ point_count: 1602, duration_seconds: 1700 }]);
  });

  test('are not read by lists of devices', async () => {
    const device = await drivingDevice();
    await send(device, at(1));
    const found = await DeviceStore.findOne(unrestricted(testService), { key: device.device_key });
    expect(found).not.toHaveProperty('tail');
  });
});

describe('faults', () => {
  test('two requests with the same positions are accepted once', async () => {
    const device = await drivingDevice();
    const points = drive(1, 20);
    const answers = await Promise.all([send(device, ...points), send(device, ...points), send(device, ...points)]);
    const accepted = answers.map((answer) => (answer as { accepted: number }).accepted);
    expect(accepted.toSorted((one, two) => one - two)).toEqual([0, 0, 20]);
    expect(await timesSeen(device)).toEqual(timesOf([at(0), ...points]));
  });

  test('requests with successive positions all arrive', async () => {
    const device = await drivingDevice();
    await Promise.all(drive(1, 12).map((point) => send(device, point)));
    expect(await timesSeen(device)).toEqual(timesOf(drive(0, 13)));
  });

  test('nothing is appended while somebody holds the lease, even if it was free when the device was read', async () => {
    const device = await drivingDevice();
    const bySomebody = { by: 'elsewhere|1|process|lease', until: new Date(Date.now() + 3_600_000), rearranging: false };
    const update = vi.spyOn(DeviceStore.driver(testService), 'updateOne').mockImplementationOnce(async (...args) => {
      await setDevice(device, { care: bySomebody });
      update.mockRestore();
      return DeviceStore.driver(testService).updateOne(...args);
    });
    const mayTake = vi.spyOn(DeviceStore, 'findOneAndUpdate');
    const answer = send(device, at(1));
    await expect.poll(() => mayTake).toHaveBeenCalled();
    expect(await timesSeen(device)).toEqual(timesOf([at(0)]));
    await setDevice(device, { care: { by: null, until: new Date(Date.now() + 900_000) } });
    expect(await answer).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1)]));
  });

  test('who was killed while moving positions to minutes loses and doubles none', async () => {
    for (const model of [DeviceMinuteStore, DeviceStore]) {
      const device = await drivingDevice();
      await send(device, at(1));
      await send(device, at(70));
      vi.spyOn(model, 'updateOne').mockImplementation(() => {
        throw new Error('killed');
      });
      expect(await host.post(device.secret, { points: [at(71, 'engine_stop')] })).toMatchObject({ status: 500 });
      vi.restoreAllMocks();
      await setDevice(device, { 'care.until': new Date(0) });
      // What was not acknowledged may be there or not.
      const isThere = model === DeviceStore;
      expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1), at(70), ...(isThere ? [at(71)] : [])]));
      const accepted = isThere ? 0 : 1;
      expect(await send(device, at(1), at(70), at(71, 'engine_stop'))).toMatchObject({ accepted });
      expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1), at(70), at(71)]));
    }
  });
});

describe('a trip that ends', () => {
  /** Holds the packing of trips back until it is let go. */
  function heldPacking() {
    let letGo = () => {};
    const held = new Promise<void>((settle) => {
      letGo = settle;
    });
    const insert = TripPointsBucketStore.insertMany.bind(TripPointsBucketStore) as (...args: unknown[]) => unknown;
    const packing = vi.spyOn(TripPointsBucketStore, 'insertMany').mockImplementationOnce((async (
      ...args: unknown[]
    ) => {
      await held;
      return insert(...args);
    }) as never);
    return { packing, letGo };
  }

  const isPacked = async ({ vehicle_key }: Device) =>
    (await TripStore.findOne(unrestricted(testService), { vehicle_key }))?.recording?.open === false;

  test('is packed after the answer, which does not wait for it; the device is seen', async () => {
    const device = await drivingDevice();
    const { packing, letGo } = heldPacking();
    const before = (await storedDevice(device))?.last_transmission?.getTime() ?? Infinity;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 });
    expect(await send(device, at(1), at(2, 'engine_stop'))).toMatchObject({ accepted: 2, duplicates: 0 });
    expect((await storedDevice(device))?.last_transmission?.getTime()).toBeGreaterThan(before);
    expect(await isPacked(device)).toBe(false);
    const seen = seenTrips(host, device);
    letGo();
    expect(await seen).toMatchObject([{ point_count: 3, duration_seconds: 2 }]);
    await leasedWorkEnded(testService);
    expect(packing).toHaveBeenCalledOnce();
    expect(await isPacked(device)).toBe(true);
    const minutes = { device_key: device.device_key };
    expect(await DeviceMinuteStore.countDocuments(unrestricted(testService), minutes)).toBe(0);
  });

  test('takes seven commands until the answer and four afterwards, and the next one eight until it has begun', async () => {
    const device = await drivingDevice();
    await send(device, at(1));
    const find = ['ingest_keys.aggregate', 'devices.findOneAndUpdate'];
    expect(await commandsDuring(() => send(device, at(2, 'engine_stop')))).toEqual([
      ...[...find, 'device_minutes.find', 'device_minutes.updateOne', 'trips.find', 'device_minutes.find'],
      'devices.updateOne',
      ...['trip_points.insertMany', 'trips.updateMany', 'shares.findOne', 'device_minutes.deleteMany'],
      'devices.updateOne',
    ]);
    expect(await commandsDuring(() => send(device, at(200, 'engine_start')))).toEqual([
      ...[...find, 'device_minutes.find', 'device_minutes.insertMany', 'vehicles.findOne', 'trips.insertMany'],
      ...['devices.updateOne', 'trips.updateMany', 'devices.updateOne'],
    ]);
    expect(await seenTrips(host, device)).toMatchObject([{ point_count: 3 }, { point_count: 1 }]);
  });

  const away = (second: number) => ({ ...at(second), point: { lat: 10, lon: 10 } });

  test.each([
    ['another start', [at(200, 'engine_start'), at(210)]],
    ['a stand and another start', [at(2.5), at(60), at(200, 'engine_start'), at(210)]],
    ['a departure without its engine', drive(10, 20).map(({ point }, nth) => ({ ...at(10 + 10 * nth), point }))],
    ['a jump, and another start', [away(3), at(200, 'engine_start'), at(210)]],
    ['a start at a jump', [{ ...away(3), events: ['engine_start'] }, at(4), at(5), at(6), at(7)]],
    ['jumps that are believed', [away(3), away(4), away(5), away(6), away(200)]],
    ['a pause of hours', [at(7200, 'engine_start'), at(7210)]],
  ])('is followed by the same trips if positions come one by one: %s', async (_, after) => {
    const [device, whole] = [await recordingDevice(owner), await recordingDevice(owner)];
    const ended = [at(0, 'engine_start'), at(1), at(2, 'engine_stop')];
    for (const point of [...ended, ...after]) await send(device, point);
    await send(whole, ...ended, ...after);
    expect(await seenTrips(host, device)).toEqual(await seenTrips(host, whole));
  });

  test('outdates trip maps of the vehicle that its device has left before the answer', async () => {
    const device = await drivingDevice();
    const [before, real] = [await tripsState(device), DeviceStore.updateOne.bind(DeviceStore)];
    vi.spyOn(DeviceStore, 'updateOne').mockImplementationOnce((async (...args: Parameters<typeof real>) => {
      await setDevice(device, { vehicle_key: null });
      return real(...args);
    }) as never);
    await send(device, at(1), at(2, 'engine_stop'));
    const { trips_revision = 0 } =
      (await VehicleStore.findOne(unrestricted(testService), { key: device.vehicle_key })) ?? {};
    expect(trips_revision).toBeGreaterThan(JSON.parse(before)[0] ?? 0);
  });

  test('and whose packing was interrupted is packed at the next start', async () => {
    const device = await drivingDevice();
    vi.spyOn(TripPointsBucketStore, 'insertMany').mockImplementation(() => {
      throw new Error('killed');
    });
    expect(await send(device, at(1), at(2, 'engine_stop'))).toMatchObject({ accepted: 2, duplicates: 0 });
    await leasedWorkEnded(testService);
    vi.restoreAllMocks();
    expect(await isPacked(device)).toBe(false);
    await completeInterrupted(testService);
    expect(await isPacked(device)).toBe(true);
    expect(await timesSeen(device)).toEqual(timesOf(drive(0, 3)));
    expect(await send(device, at(2, 'engine_stop'))).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  test('is answered with 503 where the lease was lost before the answer', async () => {
    const device = await drivingDevice();
    const real = DeviceStore.updateOne.bind(DeviceStore);
    vi.spyOn(DeviceStore, 'updateOne').mockImplementationOnce((async (...args: Parameters<typeof real>) => {
      await setDevice(device, { 'care.by': 'elsewhere|1|process|lease' });
      return real(...args);
    }) as never);
    expect(await host.post(device.secret, { points: [at(1, 'engine_stop')] })).toMatchObject({ status: 503 });
    await setDevice(device, { 'care.until': new Date(0) });
    expect(await send(device, at(1, 'engine_stop'))).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await timesSeen(device)).toEqual(timesOf([at(0), at(1)]));
  });
});
