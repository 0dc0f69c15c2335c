import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { atTime, circle, pointAt, request, stays, timeAt, visitsOf, visitWorld } from './visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type World = Awaited<ReturnType<typeof visitWorld>>;

async function send({ secret }: Pick<World, 'secret'>, ...points: ReturnType<typeof pointAt>[]): Promise<void> {
  expect(await host.post(secret, { points })).toMatchObject({ status: 200 });
}

describe('a visit', () => {
  test('begins with the first position in the place, and ends with the first one outside', async () => {
    const world = await visitWorld(host);
    const [before, entry, inside, exit] = [pointAt(0, -5), pointAt(10, 1), pointAt(20, -1), pointAt(30, 5)];
    await send(world, before, entry, inside);
    const [open] = await visitsOf(host, world);
    const { vehicle_key, depot } = world;
    const visit = { key: open?.key, place_key: depot, vehicle_key, driver_key: null, entry_timestamp: timeAt(10) };
    expect(open).toEqual({ ...visit, exit_timestamp: null, status: 'open' });
    await send(world, exit);
    expect(await visitsOf(host, world)).toEqual([{ ...visit, exit_timestamp: timeAt(30), status: 'closed' }]);
  });

  test('goes on while the engine is off, until the next trip leaves the place', async () => {
    const world = await visitWorld(host);
    await send(world, pointAt(0, -5, 'engine_start'), pointAt(10, 0, 'engine_stop'));
    await send(world, pointAt(40_000, 0, 'ignition_off'));
    await send(world, pointAt(50_000, 0, 'engine_start'), pointAt(50_010, 5));
    expect(stays(await visitsOf(host, world))).toEqual([[world.depot, timeAt(10), timeAt(50_010)]]);
  });

  test('is of each of the places that overlap, by circles and polygons', async () => {
    const world = await visitWorld(host);
    const corners = [pointAt(0, 1), pointAt(0, 9)].map(({ point }) => point);
    const polygon = [...corners, ...corners.toReversed().map(({ lat, lon }) => ({ lat: lat + 0.1, lon }))];
    const shape = { name: 'Yard', polygon: polygon.map(({ lat, lon }) => ({ lat: lat - 0.05, lon })) };
    const yard = await atTime(-60, () => request(host, 'POST', '/places', world.owner.headers, shape));
    await send(world, ...[-5, 0, 1.2, 5, 9.5].map((east, at) => pointAt(at * 10, east)));
    expect(stays(await visitsOf(host, world))).toEqual([
      [world.depot, timeAt(10), timeAt(30)],
      [yard.body.key, timeAt(20), timeAt(40)],
    ]);
  });

  test('is found across the antimeridian', async () => {
    const owner = await account();
    const input = { name: 'Taveuni', point: { lat: -16.9, lon: 179.999 }, radius: 1000 };
    const place = await atTime(-60, () => request(host, 'POST', '/places', owner.headers, input));
    const world = await recordingDevice(owner);
    const at = (seconds: number, lon: number) => ({ point: { lat: -16.9, lon }, timestamp: timeAt(seconds) });
    expect(
      await host.post(world.secret, { points: [at(0, 179.98), at(60, 179.998), at(120, -179.995), at(180, -179.98)] }),
    ).toMatchObject({ status: 200 });
    expect(stays(await visitsOf(host, world))).toEqual([[place.body.key, timeAt(60), timeAt(180)]]);
  });

  test('is corrected by late positions, and not doubled', async () => {
    const world = await visitWorld(host);
    await send(world, ...[-5, 0, 0, 0, 5].map((east, at) => pointAt(at * 60, east)));
    const [visit] = await visitsOf(host, world);
    // An earlier entry is another visit; the same entry is the same.
    await send(world, pointAt(30, 1));
    expect(stays(await visitsOf(host, world))).toEqual([[world.depot, timeAt(30), timeAt(240)]]);
    await send(world, pointAt(45, -5));
    const both = await visitsOf(host, world);
    expect(stays(both)).toEqual([
      [world.depot, timeAt(30), timeAt(45)],
      [world.depot, timeAt(60), timeAt(240)],
    ]);
    expect(both[1]).toEqual(visit);
    await send(world, pointAt(200, 5));
    expect(stays(await visitsOf(host, world))[1]).toEqual([world.depot, timeAt(60), timeAt(200)]);
  });

  test('is gone once a late position shows that the vehicle cannot have been there', async () => {
    const world = await visitWorld(host);
    await send(world, pointAt(300, 4), pointAt(451, 0));
    expect(await visitsOf(host, world)).toHaveLength(1);
    await send(world, pointAt(301, 1));
    expect(await visitsOf(host, world)).toEqual([]);
  });

  test('begins when the place is made if the vehicle is there, and not before', async () => {
    const world = await recordingDevice();
    const place = await circle(host, world.owner.headers, 0, 25);
    await send(world, ...[0, 0.1, 0.2, 0.3, 5].map((east, at) => pointAt(at * 10, east)));
    expect(stays(await visitsOf(host, world))).toEqual([[place, timeAt(25), timeAt(40)]]);
  });
});

describe('of a place that is moved', () => {
  test('positions are compared with the area that it had at their time, in whatever order they come', async () => {
    const owner = await account();
    const [live, late] = [await visitWorld(host, owner), await recordingDevice(owner)];
    const { depot } = live;
    const points = [0, 0.1, 0, 5, 5, 9].map((east, at) => pointAt(at * 10, east));
    await send(live, ...points.slice(0, 2));
    const moved = { point: pointAt(0, 5).point, radius: 150 };
    expect((await atTime(15, () => request(host, 'POST', `/place/${depot}`, owner.headers, moved))).status).toBe(200);
    await send(live, ...points.slice(2));
    await send(late, ...points.slice(2));
    await send(late, ...points.slice(0, 2));
    const expected = [
      [depot, timeAt(0), timeAt(20)],
      [depot, timeAt(30), timeAt(50)],
    ];
    expect(stays(await visitsOf(host, live))).toEqual(expected);
    expect(stays(await visitsOf(host, late))).toEqual(expected);
  });
});

test('a place that is deleted takes its visits along, and gets no more', async () => {
  const world = await visitWorld(host);
  const other = await circle(host, world.owner.headers, 0);
  await send(world, pointAt(0, -5), pointAt(10, 0));
  await request(host, 'DELETE', `/place/${world.depot}`, world.owner.headers);
  expect(stays(await visitsOf(host, world))).toEqual([[other, timeAt(10), null]]);
  await send(world, pointAt(20, 0), pointAt(30, 5), pointAt(40, 0));
  expect(stays(await visitsOf(host, world))).toEqual([
    [other, timeAt(10), timeAt(30)],
    [other, timeAt(40), null],
  ]);
  await request(host, 'DELETE', `/place/${other}`, world.owner.headers);
  await send(world, pointAt(50, 5), pointAt(60, 0));
  expect(await visitsOf(host, world)).toEqual([]);
});

describe('GET /places/visits', () => {
  test('lists visits newest first, by pages, place, vehicle and window of entry', async () => {
    const owner = await account();
    const one = await visitWorld(host, owner);
    const yard = await circle(host, owner.headers, 10);
    const other = await recordingDevice(owner);
    for (const world of [one, other])
      await send(world, ...[0, 5, 10, 5, 0, 5].map((east, at) => pointAt(at * 10, east)));
    const list = async (query: string) => (await request(host, 'GET', `/places/visits?${query}`, owner.headers)).body;

    const all = (await list('')).visits;
    expect(all).toHaveLength(6);
    const newestFirst = [...all].sort(
      (a, b) => b.entry_timestamp.localeCompare(a.entry_timestamp) || (a.key < b.key ? -1 : 1),
    );
    expect(all).toEqual(newestFirst);
    const paged = [];
    for (let query: string | null = 'size=2'; query !== null; ) {
      const { visits, cursor } = await list(query);
      paged.push(...visits);
      query = cursor ? `size=2&cursor=${cursor}` : null;
    }
    expect(paged).toEqual(all);
    expect(stays((await list(`place_key=${yard}&vehicle_key=${other.vehicle_key}`)).visits)).toEqual([
      [yard, timeAt(20), timeAt(30)],
    ]);
    const window = `entry_after=${encodeURIComponent(timeAt(20))}&entry_before=${encodeURIComponent(timeAt(40))}`;
    expect(stays((await list(window)).visits)).toEqual([1, 2].map(() => [yard, timeAt(20), timeAt(30)]));
  });

  test.each([
    ['entry_after=yesterday', 400, { errors: 'entry_after is not an ISO 8601 date-time' }],
    ['cursor=none', 400, { errors: 'cursor was not returned by this list for the same parameters' }],
    ['size=0', 400, { errors: 'size must be a whole number of 1 or more' }],
    ['vehicle_key=none', 404, null],
    ['place_key=none', 404, null],
  ])('answers %s with %d', async (query, status, body) => {
    const { headers } = await account();
    expect(await request(host, 'GET', `/places/visits?${query}`, headers)).toEqual({ status, body });
  });

  test('shows a user who is restricted to groups the visits of their vehicles alone', async () => {
    const owner = await account();
    const world = await visitWorld(host, owner);
    await send(world, pointAt(0, 0), pointAt(10, 5));
    const north = await group(owner.key, 'North');
    const seen = await vehicle(owner.key, [north]);
    const { headers } = await appFor(await user(owner.key, [north]), ['places.read']);
    expect(await request(host, 'GET', '/places/visits', headers)).toEqual({ status: 200, body: { visits: [] } });
    expect((await request(host, 'GET', `/places/visits?vehicle_key=${seen}`, headers)).status).toBe(200);
    expect((await request(host, 'GET', `/places/visits?vehicle_key=${world.vehicle_key}`, headers)).status).toBe(404);
    const unrestricted = await appFor(await user(owner.key), ['places.read']);
    expect((await request(host, 'GET', '/places/visits', unrestricted.headers)).body.visits).toHaveLength(1);
  });

  test('shows apps nothing in an account with privacy zones, and its owner everything', async () => {
    const owner = await account();
    const world = await visitWorld(host, owner);
    await send(world, pointAt(0, 0), pointAt(10, 5));
    const zone = 'mutation { createPrivacyZone(input: { lat: 10, lon: 10, radius_meters: 5 }) { key } }';
    await host.graphql(zone, owner.headers);
    const app = await appFor(await user(owner.key), ['places.read']);
    expect((await request(host, 'GET', '/places/visits', app.headers)).body).toEqual({ visits: [] });
    expect(await visitsOf(host, world)).toHaveLength(1);
  });

  test('is open to apps with places.read, and not without', async () => {
    const owner = await account();
    const status = async (scope: string) => {
      const { headers } = await appFor(await user(owner.key), [scope]);
      return (await request(host, 'GET', '/places/visits', headers)).status;
    };
    expect([await status('places.read'), await status('account_activity.read')]).toEqual([200, 403]);
  });
});
