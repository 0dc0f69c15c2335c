import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { newKey } from '../../../models/key.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { VehicleEventStore } from '../../../models/vehicles/vehicle-event.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { applyPendingRetentions } from '../../../tracking/retention/change-retention.ts';
import { purgeExpired } from '../../../tracking/retention/purge-expired.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, embedOf } from '../../fixtures/trip-query.ts';
import { account, appFor, user } from '../../services/account-fixture.ts';
import { dieAfter } from '../../processes/die-after.ts';
import { demandShardKeys } from '../../services/unnamed-shards.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at as eastAt, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';

useDatabase();
demandShardKeys();
const files = useGpxFiles();

const STORES = [TripStore, TripPointsBucketStore, VehicleStore];
const WRITES = ['updateOne', 'updateMany', 'deleteMany', 'bulkWrite'];

const DAY = 86_400;
const all = unrestricted(testService);

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
});
afterAll(() => host.app.close());
beforeEach(() => {
  // 31 days after the first position.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at(31 * DAY).timestamp) });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A position some seconds after the first, never far from it. */
function at(seconds: number, ...events: string[]) {
  return { ...eastAt(seconds, ...events), point: eastAt(seconds % 1000).point };
}

type Device = Awaited<ReturnType<typeof recordingDevice>>;

const TRIP = `key start_point { timestamp point { lat } place { key } address { city } } end_point { timestamp point { lon } }
  duration_seconds gps_distance distance_meters point_count bounding_box max_speed stops { point { lat } } gaps { distance_meters }
  encoded_polyline path { points } timed_path { points }`;

const RETENTION = 'retention { positions_days trips pending { positions_days trips effective } }';

const changeRetention = (owner: Device['owner'], args: string) =>
  host.graphql(`mutation { updateRetention(${args}) { ${RETENTION} } }`, owner.headers);

/** Changes a retention seven days ago, so that it is in force. */
async function setRetention(owner: Device['owner'], args: string): Promise<void> {
  const now = Date.now();
  vi.setSystemTime(now - 7 * DAY * 1000);
  expect((await changeRetention(owner, args)).errors).toBeUndefined();
  vi.setSystemTime(now);
  await applyPendingRetentions(testService, now);
}

async function tripsOf({ owner, vehicle_key }: Device): Promise<Record<string, unknown>[]> {
  const { data } = await host.graphql(`{ trips(vehicle_key: "${vehicle_key}") { nodes { ${TRIP} } } }`, owner.headers);
  return (data.trips as { nodes: Record<string, unknown>[] }).nodes;
}

/** A device with a trip on the first day, one that begins then and ends on the second, and one on the last. */
async function drivenDevice(count = 3): Promise<Device> {
  const device = await recordingDevice();
  const trip = (start: number, end: number) => [
    at(start, 'engine_start'),
    at((start + end) / 2),
    at(end, 'engine_stop'),
  ];
  const trips = [trip(0, 400), trip(DAY - 200, DAY + 200), trip(30 * DAY, 30 * DAY + 400)];
  for (const points of trips.slice(0, count)) {
    await host.post(device.secret, { points });
    await leasedWorkEnded(testService);
  }
  return device;
}

const bucketsOf = ({ vehicle_key }: Device) => TripPointsBucketStore.countDocuments(all, { vehicle_key });

describe('updateRetention', () => {
  const retentionOf = async ({ headers }: Device['owner']) =>
    (await host.graphql(`{ account { ${RETENTION} } }`, headers)).data.account;
  const rule = (positions_days: number | null, trips = 'keep_facts') => ({ positions_days, trips });
  const inForce = (days: number, trips?: string) => ({ retention: { ...rule(days, trips), pending: null } });
  const effective = expect.stringMatching(/^2026-04-08T/);

  test('sets for how long an account keeps positions; what deletes more is pending for seven days', async () => {
    const owner = await account();
    expect(await retentionOf(owner)).toEqual({ retention: null });
    const pending = { ...rule(30), effective: '2026-04-08T12:00:00+00:00' };
    expect((await changeRetention(owner, 'positions_days: 30')).data).toEqual({
      updateRetention: { retention: { ...rule(null), pending } },
    });
    vi.setSystemTime(Date.now() + 7 * DAY * 1000 - 1);
    await purgeExpired(testService);
    expect(await retentionOf(owner)).toEqual({ retention: { ...rule(null), pending } });
    vi.setSystemTime(Date.now() + 1);
    await purgeExpired(testService);
    expect(await retentionOf(owner)).toEqual(inForce(30));
    const { data } = await host.graphql('{ securityEvents { nodes { kind actor subject } } }', owner.headers);
    const subject = 'without a limit, from 2026-04-08 on 30 days, trips: keep_facts';
    expect(data).toMatchObject({
      securityEvents: { nodes: [{ kind: 'retention_changed', actor: 'owner', subject }, {}] },
    });
  });

  test.each([
    ['positions_days: 400', inForce(400)],
    ['positions_days: 90', inForce(90)],
    ['positions_days: null', { retention: null }],
    ['positions_days: 30', { retention: { ...rule(90), pending: { ...rule(30), effective } } }],
    ['trips: remove', { retention: { ...rule(90), pending: { ...rule(60, 'remove'), effective } } }],
    [
      'positions_days: 400, trips: remove',
      { retention: { ...rule(400), pending: { ...rule(400, 'remove'), effective } } },
    ],
    ['trips: keep_facts', { retention: { ...rule(90), pending: { ...rule(60), effective } } }],
  ])('of 90 days with 60 pending, by %s: what keeps more is in force immediately', async (args, expected) => {
    const owner = await account();
    await setRetention(owner, 'positions_days: 90');
    await changeRetention(owner, 'positions_days: 60');
    await changeRetention(owner, args);
    expect(await retentionOf(owner)).toEqual(expected);
  });

  test('sent again does not begin the seven days again', async () => {
    const owner = await account();
    await changeRetention(owner, 'positions_days: 30');
    const pending = await retentionOf(owner);
    vi.setSystemTime(Date.now() + DAY * 1000);
    await changeRetention(owner, 'positions_days: 30');
    expect(await retentionOf(owner)).toEqual(pending);
  });

  test.each([0, 3651, -1])('rejects %i days', async (days) => {
    const { errors } = await changeRetention(await account(), `positions_days: ${days}`);
    expect(errors).toMatchObject([{ message: 'positions_days must be 1 to 3650, or null for no limit' }]);
  });

  test('is for the API key of the account: no app destroys positions, whoever allows it', async () => {
    const owner = await account();
    const { headers } = await appFor(await user(owner.key), ['account.manage', 'account_activity.manage']);
    const { errors } = await changeRetention({ ...owner, headers: headers as never }, 'positions_days: 5');
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(await retentionOf(owner)).toEqual({ retention: null });
  });
});

describe('of trips that were over before,', () => {
  test('the facts stay, and everything goes that tells of positions', async () => {
    const device = await drivenDevice();
    const before = await tripsOf(device);
    const [buckets, { trips_revision }] = [await bucketsOf(device), await vehicleNow(device)];
    await setRetention(device.owner, 'positions_days: 30');
    expect(await purgeExpired(testService)).toBe(true);

    const [first, ...others] = await tripsOf(device);
    expect(others).toEqual(before.slice(1));
    const nowhere = { place: null, address: null, point: null };
    expect(first).toEqual({
      ...before[0],
      start_point: { ...(before[0]?.start_point as object), ...nowhere },
      end_point: { ...(before[0]?.end_point as object), point: null },
      ...{
        point_count: 0,
        bounding_box: [],
        stops: [],
        gaps: [],
        encoded_polyline: null,
        path: null,
        timed_path: null,
      },
    });
    expect(first?.distance_meters).toBeGreaterThan(0);
    expect(await bucketsOf(device)).toBe(buckets - 1);
    expect((await vehicleNow(device)).trips_revision).toBeGreaterThan(trips_revision);

    const { headers } = device.owner;
    const shown = (await client.get(`/trip/${first?.key}`, headers)).json();
    expect(shown).toMatchObject({ key: first?.key, encoded_polyline: null, start_point: { point: null } });
    expect((await client.get(`/trips?vehicle_key=${device.vehicle_key}`, headers)).json().trips).toHaveLength(3);
    expect((await client.get(`/trip/${first?.key}/points`, headers)).json()).toEqual({ trip_points: [] });
    expect(
      (await client.get(`/events?vehicle_key=${device.vehicle_key}&event=trip_end`, headers)).json().events,
    ).toHaveLength(3);
    const gpx = await host.app.inject({
      url: `/api/v2/trip/${first?.key}/gpx`,
      headers: { host: 'localhost', ...headers },
    });
    expect(gpx.statusCode).toBe(404);
    expect(await purgeExpired(testService)).toBe(false);
  });

  test('a trip map sees nothing', async () => {
    const device = await drivenDevice();
    await setRetention(device.owner, 'positions_days: 30');
    await purgeExpired(testService);
    const query = `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { point_count } } }`;
    const { data } = await ask<{ trips: { nodes: unknown[] } }>(embedOf(device.owner.key, device.vehicle_key), query);
    expect(data.trips.nodes).toEqual([{ point_count: 3 }, { point_count: 3 }]);
  });

  test('nothing stays if they are removed, even what had lost its positions before', async () => {
    const device = await drivenDevice();
    const [first, ...others] = await tripsOf(device);
    await setRetention(device.owner, 'positions_days: 30');
    await purgeExpired(testService);
    await setRetention(device.owner, 'positions_days: 30, trips: remove');
    expect(await purgeExpired(testService)).toBe(true);
    expect(await tripsOf(device)).toEqual(others);
    expect(await TripStore.countDocuments(all, { key: String(first?.key) })).toBe(0);
  });

  test('those of other accounts stay', async () => {
    const [device, other] = [await drivenDevice(), await drivenDevice()];
    const before = await tripsOf(other);
    await setRetention(device.owner, 'positions_days: 1, trips: remove');
    await setRetention(other.owner, 'positions_days: 40');
    await purgeExpired(testService);
    expect(await tripsOf(other)).toEqual(before);
    expect(await tripsOf(device)).toHaveLength(1);
  });

  test.each([
    ['keep_facts', [0]],
    ['remove', []],
  ])('each is whole or gone after a kill at any write, and the next purge completes it (%s)', async (trips, left) => {
    let writes = 0;
    for (let isKilled = true; isKilled; writes++) {
      const device = await drivenDevice(1);
      const [first] = await tripsOf(device);
      const ways = { whole: 3, gone: trips === 'remove' ? undefined : 0 };
      await setRetention(device.owner, `positions_days: 30, trips: ${trips}`);
      dieAfter(
        writes,
        STORES.map((store) => store.driver(testService)),
        WRITES,
      );
      isKilled = await purgeExpired(testService).then(
        () => false,
        () => true,
      );
      vi.restoreAllMocks();
      const now = (await tripsOf(device)).find(({ key }) => key === first?.key);
      expect(Object.values(ways)).toContain(now?.point_count);
      if (now?.point_count === ways.whole) {
        const { body } = await client.get(`/trip/${first?.key}/points`, device.owner.headers);
        expect(JSON.parse(body).trip_points).toHaveLength(3);
      }
      await purgeExpired(testService);
      const counts = (await tripsOf(device)).map(({ point_count }) => point_count);
      expect(counts).toEqual(left);
      expect(await bucketsOf(device)).toBe(0);
    }
    expect(writes).toBeGreaterThan(3);
  });
});

test('visits and events that were over before go, and the last position of a vehicle that has been silent since', async () => {
  const { owner, vehicle_key, device_key, secret } = await recordingDevice();
  await host.post(secret, { points: [at(0, 'trip_hard_brake'), at(60, 'engine_stop')] });
  await leasedWorkEnded(testService);
  const visit = { account_key: owner.key, vehicle_key, device_key, place_key: newKey(), staged: false, epoch: 0 };
  for (const [key, until] of [
    ['old', 60],
    ['young', 2 * DAY],
  ] as const) {
    const times = { entry_timestamp: new Date(at(0).timestamp), until: new Date(at(until).timestamp) };
    await VisitStore.driver(testService).insertOne({ ...visit, ...times, key: `${key} ${vehicle_key}` } as never);
  }
  const locationOf = async () => (await client.get(`/vehicle/${vehicle_key}`, owner.headers)).json().vehicle_location;
  const events = () => VehicleEventStore.countDocuments(all, { vehicle_key });
  expect(await events()).toBe(1);
  expect(await locationOf()).toMatchObject({ point: { lat: at(60).point.lat } });
  await setRetention(owner, 'positions_days: 30');
  expect(await purgeExpired(testService)).toBe(true);
  expect(await locationOf()).toBeNull();
  expect(await VisitStore.distinct(all, 'key', { vehicle_key })).toEqual([`young ${vehicle_key}`]);
  expect(await events()).toBe(0);
});

test('an import leaves out trips that are too old, and says so', async () => {
  const { owner, vehicle_key } = await recordingDevice();
  await setRetention(owner, 'positions_days: 30');
  const trips = [0, 30 * DAY].map((start) =>
    [0, 60].map((more) => ({ ...at(start + more).point, time: Date.parse(at(start + more).timestamp) })),
  );
  const file = await files.write('old-and-new.gpx', trips);
  const { trip_count, fault_totals } = await importTrips(testService, {
    files: [file],
    vehicle: { key: vehicle_key, account_key: owner.key },
  });
  expect([trip_count, fault_totals.old_trip?.count]).toEqual([1, 1]);
});

describe('positions that arrive late', () => {
  test('are not stored if they are too old, with the reason, and do not bring trips back', async () => {
    const device = await drivenDevice();
    await setRetention(device.owner, 'positions_days: 30');
    await purgeExpired(testService);
    const before = await tripsOf(device);
    const points = [at(300), at(700), at(30 * DAY + 700)];
    expect((await host.post(device.secret, { points })).body).toEqual({
      accepted: 1,
      duplicates: 0,
      refused: '2 of the positions are older than the 30 days for which the account keeps them',
    });
    await leasedWorkEnded(testService);
    expect((await tripsOf(device)).slice(0, 2)).toEqual(before.slice(0, 2));
  });

  test('begin a trip if they follow one that has lost its positions', async () => {
    const device = await recordingDevice();
    await host.post(device.secret, { points: [at(0), at(60), at(120, 'engine_stop')] });
    await leasedWorkEnded(testService);
    vi.setSystemTime(Date.parse(at(31 * DAY + 121).timestamp));
    await host.post(device.secret, { points: [at(31 * DAY), at(31 * DAY + 60)] });
    await leasedWorkEnded(testService);
    await setRetention(device.owner, 'positions_days: 31');
    await purgeExpired(testService);
    await host.post(device.secret, { points: [at(130), at(140)] });
    await leasedWorkEnded(testService);
    expect((await tripsOf(device)).map(({ point_count }) => point_count)).toEqual([0, 2, 2]);
  });
});

async function vehicleNow({ vehicle_key }: Device) {
  const vehicle = await VehicleStore.findOne(all, { key: vehicle_key }, null);
  if (!vehicle) throw new Error('The vehicle is gone');
  return vehicle;
}
