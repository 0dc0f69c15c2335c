import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import type { Headers } from '../../clients/account-client.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { circle, pointAt, request, timeAt, visitWorld } from '../places/visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

interface SeenEvent {
  readonly key: string;
  readonly event: string;
  readonly timestamp: string;
  readonly context: { readonly vehicle: { readonly key: string } };
}

async function send({ secret }: { secret: string }, ...points: ReturnType<typeof pointAt>[]): Promise<void> {
  expect(await host.post(secret, { points })).toMatchObject({ status: 200 });
  await leasedWorkEnded(testService);
}

async function eventsOf(headers: Headers, query = ''): Promise<SeenEvent[]> {
  return (await request(host, 'GET', `/events?${query}`, headers)).body.events;
}

const summary = (events: readonly SeenEvent[]) => events.map(({ event, timestamp }) => [event, timestamp]);

/** A trip to a place and away from it, from some seconds after noon on. */
function tripFrom(start: number) {
  const points = [pointAt(start, -5, 'engine_start'), pointAt(start + 10, 0)];
  return [...points, pointAt(start + 20, 5), pointAt(start + 30, 9, 'engine_stop')];
}

const TRIP = tripFrom(0);

describe('GET /events', () => {
  test('lists starts and ends of trips, arrivals and departures, newest first', async () => {
    const world = await visitWorld(host);
    const { owner, vehicle_key, device_key, depot } = world;
    await send(world, ...TRIP);
    const events = await eventsOf(owner.headers);
    expect(summary(events)).toEqual([
      ['trip_end', timeAt(30)],
      ['vehicle_geofence_departure', timeAt(20)],
      ['vehicle_geofence_arrival', timeAt(10)],
      ['trip_start', timeAt(0)],
    ]);
    const objects = { vehicle: { key: vehicle_key }, device: { key: device_key } };
    expect(events[1]).toEqual({
      key: expect.stringMatching(/^vehicle_geofence_departure\.[\w-]{22}$/),
      event: 'vehicle_geofence_departure',
      timestamp: timeAt(20),
      context: {
        ...{
          event: 'vehicle_geofence_departure',
          timestamp: timeAt(20),
          ...objects,
          trip: null,
          place: { key: depot },
        },
        point: pointAt(20, 5).point,
        ...{ name: null, rule: null, ended: null, max_speed: null },
      },
    });
    const trip = { key: events[0]?.key.slice('trip_end.'.length) };
    expect(events[3]?.context).toMatchObject({ ...objects, trip, place: null, point: pointAt(0, -5).point });
    for (const event of events) {
      expect((await request(host, 'GET', `/event/${event.key}`, owner.headers)).body).toEqual(event);
    }
  });

  test('lists them by pages, kind, vehicle and window, also where several are at one time', async () => {
    const owner = await account();
    const worlds = [await visitWorld(host, owner), await recordingDevice(owner), await recordingDevice(owner)];
    for (const [at, world] of worlds.entries()) await send(world, ...tripFrom(at === 1 ? 10 : 0));
    const all = await eventsOf(owner.headers, 'size=200');
    expect(all).toHaveLength(12);
    const order = (a: SeenEvent, b: SeenEvent) => b.timestamp.localeCompare(a.timestamp) || (a.key < b.key ? -1 : 1);
    expect(all).toEqual(all.toSorted(order));
    for (const size of [1, 2, 5]) {
      const paged: SeenEvent[] = [];
      for (let query: string | null = `size=${size}`; query !== null; ) {
        const { body } = await request(host, 'GET', `/events?${query}`, owner.headers);
        paged.push(...body.events);
        query = body.cursor ? `size=${size}&cursor=${body.cursor}` : null;
      }
      expect(paged).toEqual(all);
    }
    for (const [at, { key }] of all.entries()) {
      const { events } = await host.ask(`{ events(last: 2, before: "${key}") { nodes { key } } }`, owner.headers);
      expect(events).toEqual({ nodes: all.slice(Math.max(0, at - 2), at).map((event) => ({ key: event.key })) });
    }
    const { vehicle_key } = worlds[1] ?? { vehicle_key: '' };
    const ofVehicle = all.filter(({ context }) => context.vehicle.key === vehicle_key);
    expect(await eventsOf(owner.headers, `vehicle_key=${vehicle_key}`)).toEqual(ofVehicle);
    expect(await eventsOf(owner.headers, 'event=trip_end')).toEqual(all.filter(({ event }) => event === 'trip_end'));
    const window = `after=${encodeURIComponent(timeAt(10))}&before=${encodeURIComponent(timeAt(30))}`;
    expect(await eventsOf(owner.headers, window)).toEqual(
      all.filter(({ timestamp }) => timestamp === timeAt(10) || timestamp === timeAt(20)),
    );
  });

  test('follows late positions: what is no longer true is gone', async () => {
    const world = await visitWorld(host);
    const { headers } = world.owner;
    await send(world, pointAt(0, -5), pointAt(10, 0));
    await send(world, pointAt(500, 0), pointAt(510, 5));
    const before = await eventsOf(headers);
    expect(summary(before)).toEqual([
      ['vehicle_geofence_departure', timeAt(510)],
      ['trip_start', timeAt(500)],
      ['trip_end', timeAt(10)],
      ['vehicle_geofence_arrival', timeAt(10)],
      ['trip_start', timeAt(0)],
    ]);
    await send(world, pointAt(255, 5));
    expect(summary(await eventsOf(headers))).toEqual([
      ['vehicle_geofence_departure', timeAt(510)],
      ['vehicle_geofence_arrival', timeAt(500)],
      ['vehicle_geofence_departure', timeAt(255)],
      ['vehicle_geofence_arrival', timeAt(10)],
      ['trip_start', timeAt(0)],
    ]);
    const { key = '' } = before[1] ?? {};
    expect((await request(host, 'GET', `/event/${key}`, headers)).status).toBe(404);
  });

  test('has arrivals and departures in the hours of the place alone, in its time zone', async () => {
    const world = await visitWorld(host);
    const { owner, depot } = world;
    await send(world, ...TRIP);
    // The visit is on a Sunday, at noon in UTC, one o'clock in Berlin.
    const kinds = async (change: object) => {
      expect((await request(host, 'POST', `/place/${depot}`, owner.headers, change)).status).toBe(200);
      return (await eventsOf(owner.headers)).map(({ event }) => event.replace('vehicle_geofence_', ''));
    };
    const both = ['trip_end', 'departure', 'arrival', 'trip_start'];
    const none = ['trip_end', 'trip_start'];
    expect(await kinds({ active_weekdays: [6] })).toEqual(both);
    expect(await kinds({ active_weekdays: [0, 1, 2, 3, 4, 5] })).toEqual(none);
    expect(await kinds({ active_weekdays: [6], from_time: '12:00', to_time: '13:00' })).toEqual(both);
    expect(await kinds({ time_zone: 'Europe/Berlin' })).toEqual(none);
    expect(await kinds({ from_time: '13:00', to_time: '02:00' })).toEqual(both);
    expect(await kinds({ from_time: '22:00', to_time: '13:30', active_weekdays: [5] })).toEqual(both);
    expect(await kinds({ active_weekdays: [6] })).toEqual(none);
    expect(await kinds({ from_time: null, to_time: null, notifying_arrival: false })).toEqual([
      'trip_end',
      'departure',
      'trip_start',
    ]);
  });

  test.each([
    'device_reconnect',
    'device_unplug',
    'trip_hard_brake',
    'trip_over_speeding',
    'trip_rapid_accel',
    'trip_severe_hard_brake',
    'vehicle_fuel_low',
    'vehicle_low_battery',
    'vehicle_trouble_code',
  ])('has %s where a device reports it, once however often it is sent, with its trip', async (event) => {
    const world = await recordingDevice();
    const { owner, vehicle_key, device_key } = world;
    const points = [pointAt(0, 0, 'engine_start'), pointAt(10, 1, event), pointAt(20, 2, 'engine_stop')];
    await send(world, ...points);
    await send(world, ...points);
    const events = await eventsOf(owner.headers);
    expect(summary(events)).toEqual([
      ['trip_end', timeAt(20)],
      [event, timeAt(10)],
      ['trip_start', timeAt(0)],
    ]);
    const trip = { key: events[0]?.key.slice('trip_end.'.length) };
    const objects = { vehicle: { key: vehicle_key }, device: { key: device_key }, trip, place: null };
    const point = { name: null, point: pointAt(10, 1).point, rule: null, ended: null, max_speed: null };
    expect(events[1]?.context).toEqual({ event, timestamp: timeAt(10), ...objects, ...point });
    expect((await request(host, 'GET', `/event/${events[1]?.key}`, owner.headers)).body).toEqual(events[1]);
    expect(await eventsOf(owner.headers, `event=${event}`)).toEqual([events[1]]);
  });

  test("has what Traccar's alarms say", async () => {
    const { owner, vehicle_key, serial } = await recordingDevice();
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key: null });
    const position = { latitude: 53, longitude: 8, fixTime: timeAt(0), valid: true };
    const sent = { device: { uniqueId: serial }, position: { ...position, attributes: { alarm: 'powerCut' } } };
    expect(await host.post(secret, sent)).toMatchObject({ status: 200 });
    const later = { ...position, fixTime: timeAt(3600), attributes: { alarm: 'powerRestored' } };
    expect(await host.post(secret, { ...sent, position: later })).toMatchObject({ status: 200 });
    await leasedWorkEnded(testService);
    const events = await eventsOf(owner.headers, `vehicle_key=${vehicle_key}`);
    const reports = events.filter(({ event }) => event.startsWith('device_'));
    expect(summary(reports)).toEqual([
      ['device_reconnect', timeAt(3600)],
      ['device_unplug', timeAt(0)],
    ]);
  });

  test('has what a device reports of a parked vehicle, without a trip', async () => {
    const world = await recordingDevice();
    await send(world, ...TRIP, pointAt(60, 9, 'device_unplug', 'ignition_off'));
    const [event] = await eventsOf(world.owner.headers);
    expect(event?.context).toMatchObject({ event: 'device_unplug', trip: null, point: pointAt(60, 9).point });
  });

  test('has a trip that gets tags, by the tag and by the trip, and not one that has them', async () => {
    const world = await recordingDevice();
    const { headers } = world.owner;
    await send(world, ...TRIP);
    const [{ key } = { key: '' }] = await eventsOf(headers, 'event=trip_end');
    const trip = key.slice('trip_end.'.length);
    const tagOf = async (value: string): Promise<string> =>
      (await request(host, 'POST', '/tags', headers, { value, type: 'Trip' })).body.key;
    const tags = [await tagOf('Delivery'), await tagOf('Night')];
    const tagged = () => eventsOf(headers, 'event=trip_tagged');
    for (const repeated of [1, 1]) {
      await request(host, 'POST', `/tag/${tags[0]}/apply`, headers, { entity_keys: [trip] });
      expect(await tagged()).toHaveLength(repeated);
    }
    for (const repeated of [2, 2]) {
      await request(host, 'POST', `/trip/${trip}`, headers, { tags });
      expect(await tagged()).toHaveLength(repeated);
    }
    await request(host, 'POST', `/tag/${tags[0]}/apply?action=remove`, headers, { entity_keys: [trip] });
    const [first] = await tagged();
    expect(first?.context).toMatchObject({ trip: { key: trip }, vehicle: { key: world.vehicle_key }, point: null });
    expect(await tagged()).toHaveLength(2);
  });

  test('has a device that is put into another vehicle, and one that is taken out', async () => {
    const { owner, device_key, vehicle_key } = await recordingDevice();
    const other = (await request(host, 'POST', '/vehicles', owner.headers, { nickname: 'Van' })).body.key;
    for (const to of [other, other, null]) {
      await request(host, 'POST', `/device/${device_key}`, owner.headers, { vehicle_key: to });
    }
    const events = await eventsOf(owner.headers, 'event=device_vehicle_change');
    expect(events.map(({ context }) => context)).toEqual([
      expect.objectContaining({ vehicle: { key: other }, device: { key: device_key }, trip: null }),
      expect.objectContaining({ vehicle: { key: other } }),
    ]);
    expect(await eventsOf(owner.headers, `vehicle_key=${vehicle_key}`)).toEqual([]);
  });

  test.each([
    ['/events?after=soon', 400, { errors: 'after is not an ISO 8601 date-time' }],
    ['/events?cursor=none', 400, { errors: 'cursor was not returned by this list for the same parameters' }],
    ['/events?vehicle_key=none', 404, null],
    ['/event/trip_end.none', 404, null],
    ['/event/none', 404, null],
  ])('answers GET %s with %d', async (path, status, body) => {
    const { headers } = await account();
    expect(await request(host, 'GET', path, headers)).toEqual({ status, body });
  });
});

describe('events are seen', () => {
  test('by apps with account_activity.read, and not without', async () => {
    const owner = await account();
    const status = async (scope: string) => {
      const { headers } = await appFor(await user(owner.key), [scope]);
      return (await request(host, 'GET', '/events', headers)).status;
    };
    expect([await status('account_activity.read'), await status('places.read')]).toEqual([200, 403]);
  });

  test('of other accounts by nobody, of vehicles outside their groups by no restricted user', async () => {
    const world = await visitWorld(host);
    await send(world, ...TRIP);
    const { owner } = world;
    const [{ key } = { key: '' }] = await eventsOf(owner.headers);
    const other = await account();
    const restricted = await appFor(await user(owner.key, [await group(owner.key, 'North')]), [
      'account_activity.read',
    ]);
    for (const headers of [other.headers, restricted.headers]) {
      expect(await eventsOf(headers)).toEqual([]);
      expect((await request(host, 'GET', `/event/${key}`, headers)).status).toBe(404);
      expect((await request(host, 'GET', `/events?vehicle_key=${world.vehicle_key}`, headers)).status).toBe(404);
    }
  });

  test('by the owner alone in an account with privacy zones', async () => {
    const world = await visitWorld(host);
    await circle(host, world.owner.headers, 20);
    await send(world, ...TRIP);
    await host.graphql(
      'mutation { createPrivacyZone(input: { lat: 10, lon: 10, radius_meters: 5 }) { key } }',
      world.owner.headers,
    );
    const app = await appFor(await user(world.owner.key), ['account_activity.read']);
    expect(await eventsOf(app.headers)).toEqual([]);
    const events = await eventsOf(world.owner.headers);
    expect(events).toHaveLength(4);
    expect((await request(host, 'GET', `/event/${events[0]?.key}`, app.headers)).status).toBe(404);
  });

  test('of a deleted vehicle by nobody', async () => {
    const world = await visitWorld(host);
    await send(world, ...TRIP);
    const { headers } = world.owner;
    expect((await request(host, 'DELETE', `/vehicle/${world.vehicle_key}`, headers)).status).toBe(200);
    expect(await eventsOf(headers)).toEqual([]);
    expect((await request(host, 'GET', '/places/visits', headers)).body).toEqual({ visits: [] });
  });
});
