import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { ingestHost, recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { atTime, pointAt, request, timeAt } from '../places/visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type World = Awaited<ReturnType<typeof recordingDevice>>;
type Headers = Readonly<Record<string, string>>;

interface SeenStay {
  readonly key: string;
  readonly start_timestamp: string;
  readonly end_timestamp: string | null;
  readonly trip_before_key: string | null;
  readonly trip_after_key: string | null;
}

async function send({ secret }: Pick<World, 'secret'>, ...points: readonly SentPoint[]): Promise<void> {
  expect(await host.post(secret, { points })).toMatchObject({ status: 200 });
  await leasedWorkEnded(testService);
}

/** A drive of a minute. */
function drive(start: number, east = 0): SentPoint[] {
  return [0, 30, 60].map((seconds) => pointAt(start + seconds, east + seconds / 30));
}

async function staysOf(
  { owner, vehicle_key }: Pick<World, 'owner' | 'vehicle_key'>,
  query = '',
  headers: Headers = owner.headers,
) {
  const { status, body } = await request(host, 'GET', `/stays?vehicle_key=${vehicle_key}${query}`, headers);
  expect(status).toBe(200);
  return body.stays as SeenStay[];
}

const spansOf = (stays: readonly SeenStay[]) =>
  stays.map(({ start_timestamp, end_timestamp }) => [start_timestamp, end_timestamp]);

async function tripKeys({ owner, vehicle_key }: World): Promise<string[]> {
  const { body } = await request(host, 'GET', `/trips?vehicle_key=${vehicle_key}&size=100`, owner.headers);
  return (body.trips as { key: string }[]).map(({ key }) => key).toReversed();
}

describe('a stay', () => {
  test('is the time between two trips, with the place where the first one ended', async () => {
    const world = await recordingDevice();
    await send(world, ...drive(0), ...drive(1000, 2));
    const [first, second] = await tripKeys(world);
    const { vehicle_key } = world;
    expect(await staysOf(world)).toEqual([
      {
        key: `stay_after.${first}`,
        vehicle_key,
        start_timestamp: timeAt(60),
        end_timestamp: timeAt(1000),
        duration_seconds: 940,
        point: { lat: expect.closeTo(pointAt(0, 2).point.lat, 6), lon: expect.closeTo(pointAt(0, 2).point.lon, 6) },
        address: expect.objectContaining({ city: expect.any(String) }),
        moved_unseen: false,
        trip_before_key: first,
        trip_after_key: second,
      },
    ]);
  });

  test('lasts, without an end, when the last trip is over', async () => {
    const world = await recordingDevice();
    await send(world, ...drive(0));
    expect(await staysOf(world)).toEqual([]);
    await send(world, ...[90, 200, 300, 400, 500].map((seconds) => pointAt(seconds, 2)));
    expect(await staysOf(world)).toMatchObject([
      { start_timestamp: timeAt(60), end_timestamp: null, duration_seconds: null, trip_after_key: null },
    ]);
  });

  test('lasts when a silent device has ended its trip', async () => {
    const world = await recordingDevice();
    await send(world, ...drive(0));
    const silent = { care: { by: null, until: new Date(0) } };
    await DeviceStore.updateOne(unrestricted(testService), { key: world.device_key }, silent);
    await closeOfflineTrips(testService);
    expect(spansOf(await staysOf(world))).toEqual([[timeAt(60), null]]);
  });

  test('is short between an engine stop and an engine start', async () => {
    const world = await recordingDevice();
    const [start, , end] = drive(0);
    await send(
      world,
      ...([start, { ...end, events: ['engine_stop'] }].filter((point) => point !== undefined) as SentPoint[]),
    );
    await send(world, pointAt(70, 2, 'engine_start'), pointAt(130, 4, 'engine_stop'));
    expect(spansOf(await staysOf(world))).toEqual([
      [timeAt(130), null],
      [timeAt(60), timeAt(70)],
    ]);
  });

  test('says that the vehicle has moved unseen if the next trip begins elsewhere', async () => {
    const owner = await account({ trip_settings: null } as never);
    const world = await recordingDevice(owner);
    const far = (start: number, east: number) => [0, 60, 120, 180].map((s) => pointAt(start + s, east + (s / 60) * 2));
    await send(world, ...far(0, 0), ...far(4000, 6.1), ...far(8000, 40));
    const seen = (await staysOf(world)) as (SeenStay & { moved_unseen: boolean })[];
    expect(seen.map(({ moved_unseen }) => moved_unseen)).toEqual([true, false]);
    expect(spansOf(seen)).toEqual([
      [timeAt(4180), timeAt(8000)],
      [timeAt(180), timeAt(4000)],
    ]);
  });

  test('is none while any device of the vehicle drives', async () => {
    const world = await recordingDevice();
    const { owner, vehicle_key } = world;
    const other = await recordingDevice(owner);
    const moved = { vehicle_key };
    const move = () => request(host, 'POST', `/device/${other.device_key}`, owner.headers, moved);
    expect(await atTime(-3600, move)).toMatchObject({ status: 200 });
    await send(world, ...drive(0), ...drive(2000, 2), ...drive(6000, 4));
    await send(other, ...[-30, 100, 200, 300].map((seconds) => pointAt(seconds, seconds / 30)), ...drive(4000));
    expect(spansOf(await staysOf(world))).toEqual([
      [timeAt(2060), timeAt(4000)],
      [timeAt(300), timeAt(2000)],
    ]);
  });

  test('begins with the first known position before the first trip, and of a vehicle that has never driven', async () => {
    const world = await recordingDevice();
    const { vehicle_key } = world;
    expect(await staysOf(world)).toEqual([]);
    await send(world, pointAt(-900, 0), pointAt(-600, 0));
    const first = { key: `first_stay.${vehicle_key}`, start_timestamp: timeAt(-900), trip_before_key: null };
    expect(await staysOf(world)).toMatchObject([{ ...first, end_timestamp: null, moved_unseen: false }]);
    await send(world, pointAt(-300, 0), ...drive(0), ...drive(1000, 2));
    const [trip] = await tripKeys(world);
    expect(await staysOf(world)).toMatchObject([
      { start_timestamp: timeAt(60) },
      { ...first, end_timestamp: timeAt(0), trip_after_key: trip },
    ]);
    // A position that comes late.
    await send(world, pointAt(-2000, 0));
    expect(spansOf(await staysOf(world))).toContainEqual([timeAt(-2000), timeAt(0)]);
  });

  test('does not begin with a position that is not believed', async () => {
    const world = await recordingDevice();
    await send(world, { ...pointAt(-900, 0), point: { lat: 0, lon: 0 } }, pointAt(-600, 0), pointAt(-500, 0));
    expect(spansOf(await staysOf(world))).toEqual([[timeAt(-600), null]]);
  });
});

describe('A list of stays', () => {
  test('is of those that start in a window, in pages', async () => {
    const world = await recordingDevice();
    await send(world, ...[0, 1000, 2000, 3000].flatMap((start, at) => drive(start, 2 * at)));
    const all = await staysOf(world);
    expect(spansOf(all).map(([start]) => start)).toEqual([timeAt(2060), timeAt(1060), timeAt(60)]);
    const [third, second, first] = all;
    const written = (seconds: number) => encodeURIComponent(timeAt(seconds));
    expect(await staysOf(world, `&after=${written(1060)}`)).toEqual([third, second]);
    expect(await staysOf(world, `&before=${written(1060)}`)).toEqual([first]);
    expect(await staysOf(world, `&after=${written(1061)}&before=${written(2060)}`)).toEqual([]);
    const page = await request(host, 'GET', `/stays?vehicle_key=${world.vehicle_key}&size=2`, world.owner.headers);
    expect(page.body.stays).toEqual([third, second]);
    expect(await staysOf(world, `&cursor=${page.body.cursor}`)).toEqual([first]);
  });

  test.each([
    ['', 'vehicle_key is required'],
    ['?vehicle_key=KEY&after=now', 'after '],
    ['?vehicle_key=KEY&before=now', 'before '],
    ['?vehicle_key=KEY&size=0', 'size '],
    ['?vehicle_key=KEY&cursor=nothing', 'cursor '],
  ])('rejects wrong parameters: %s', async (query, message) => {
    const { owner, vehicle_key } = await recordingDevice();
    const answer = await request(host, 'GET', `/stays${query.replace('KEY', vehicle_key)}`, owner.headers);
    expect(answer).toEqual({ status: 400, body: { errors: expect.stringContaining(message) } });
  });
});

describe('Who sees stays', () => {
  const scopes = ['account_activity.read', 'vehicles.read'];

  test('a vehicle of another account or group has none: it does not exist', async () => {
    const world = await recordingDevice();
    const north = await group(world.owner.key, 'North');
    const restricted = await appFor(await user(world.owner.key, [north]), scopes);
    for (const { headers } of [await account(), restricted]) {
      const answer = await request(host, 'GET', `/stays?vehicle_key=${world.vehicle_key}`, headers);
      expect(answer).toMatchObject({ status: 404 });
    }
    const own = { owner: world.owner, vehicle_key: await vehicle(world.owner.key, [north]) };
    expect(await staysOf(own, '', restricted.headers)).toEqual([]);
  });

  test('an app needs the scope for trips', async () => {
    const { owner, vehicle_key } = await recordingDevice();
    const { headers } = await appFor(await user(owner.key), ['vehicles.read']);
    expect(await request(host, 'GET', `/stays?vehicle_key=${vehicle_key}`, headers)).toMatchObject({ status: 403 });
  });

  test('a driver sees those after its own trips, and keys of these trips only', async () => {
    const world = await recordingDevice();
    await send(
      world,
      pointAt(-600, 0),
      pointAt(-500, 0),
      ...[0, 1000, 2000, 3000].flatMap((start, at) => drive(start, 2 * at)),
    );
    const [first = '', second = '', third = ''] = await tripKeys(world);
    const ada = await user(world.owner.key, [], { account_role: 'driver' } as never);
    const { headers } = await appFor(ada, scopes);
    const drivenBy = (key: string) => TripStore.updateOne(unrestricted(testService), { key }, { user_key: ada });
    expect(await staysOf(world, '', headers)).toEqual([]);
    await drivenBy(first);
    await drivenBy(second);
    expect(await staysOf(world, '', headers)).toMatchObject([
      { end_timestamp: timeAt(2000), trip_before_key: second, trip_after_key: null },
      { end_timestamp: timeAt(1000), trip_before_key: first, trip_after_key: second },
    ]);
    expect(await staysOf(world)).toMatchObject([{ trip_before_key: third }, { trip_after_key: third }, {}, {}]);
  });

  test('in an account with privacy zones, only the owner sees any', async () => {
    const world = await recordingDevice();
    await send(world, pointAt(-600, 0), ...drive(0), ...drive(1000, 2));
    const { headers } = await appFor(await user(world.owner.key), scopes);
    const all = await staysOf(world);
    expect(all).toHaveLength(2);
    expect(await staysOf(world, '', headers)).toEqual(all);
    await host.ask(
      'mutation { createPrivacyZone(input: { lat: 0, lon: 0, radius_meters: 1 }) { key } }',
      world.owner.headers,
    );
    expect(await staysOf(world, '', headers)).toEqual([]);
    const ofKey = `&cursor=${all[0]?.key}`;
    const answer = await request(host, 'GET', `/stays?vehicle_key=${world.vehicle_key}${ofKey}`, headers);
    expect(answer).toMatchObject({ status: 400 });
    expect(await staysOf(world)).toEqual(all);
  });
});
