import mongoose from 'mongoose';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import type { AppForUser, Caller } from '../../../auth/caller.ts';
import { accountAccessScope, vehicleAccessScope } from '../../../models/store/tenancy.ts';
import { TagStore } from '../../../models/account/tag.ts';
import { PlaceStore, placesChanged } from '../../../models/places/place.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { unpackTripPoints } from '../../../models/trips/trip-points-codec.ts';
import { vanishingSteps } from '../../../tracking/geometry/simplification.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { haversineMeters } from '../../../tracking/geometry/haversine.ts';
import { decodeNumbers, type Position } from '../../../schema/trips/polyline.ts';
import { account, group, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { POSITIONS_A_STEP } from '../../../tracking/scheduling/steps.ts';
import { TimeSlice } from '../../../tracking/scheduling/time-slice.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, embedOf, ownerOf } from '../../fixtures/trip-query.ts';

vi.mock('../../../models/trips/trip-points-codec.ts', { spy: true });
vi.mock('../../../tracking/geometry/simplification.ts', { spy: true });

useDatabase();
const gpx = useGpxFiles();

const DAY = 86_400_000;
const START = Date.UTC(2024, 1, 27, 12);
const OVER_MIDNIGHT = new URL('../../data/over-midnight.gpx', import.meta.url).pathname;

/** A trip of 60 positions through a bend, starting on the given day. */
const bend = (day: number) =>
  Array.from({ length: 60 }, (_, i) => ({
    time: START + day * DAY + i * 1000,
    lat: 50 + Math.sin(i / 10) / 100,
    lon: 8 + i / 2000,
  }));

let accountKey: string;
let vehicleKey: string;
let otherVehicleKey: string;
let groupKey: string;
let tripKeys: string[];

beforeAll(async () => {
  accountKey = (await account()).key;
  const north = await group(accountKey, 'North');
  groupKey = north.key;
  vehicleKey = await vehicle(accountKey, [north]);
  otherVehicleKey = await vehicle(accountKey);
  const files = [await gpx.write('week.gpx', [5, 3, 1, 0, 2, 4, 6].map(bend))];
  const { trips } = await importTrips(testService, { files, vehicle: { key: vehicleKey, account_key: accountKey } });
  tripKeys = trips.toSorted((a, b) => a.started.localeCompare(b.started)).map(({ key }) => key);
});

const LIST = `query ($vehicle: String!, $trip: String, $first: Int, $after: String, $from: String, $until: String) {
  trips(vehicle_key: $vehicle, trip_key: $trip, first: $first, after: $after, started_after: $from, started_before: $until) {
    nodes { key } page_info { end_cursor has_next_page }
  }
}`;

interface Page {
  readonly trips: {
    readonly nodes: readonly { readonly key: string }[];
    readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
  };
}

function app(scopes: readonly string[], group_keys: readonly string[] | null): Caller {
  const grant = { user_key: 'u', client_id: 'c', grant_hash: 'g' };
  return { kind: 'app', role: 'administrator', account_key: accountKey, scopes: new Set(scopes), group_keys, ...grant };
}

async function list(variables: object, caller: Caller = ownerOf(accountKey)) {
  const answer = await ask<Page>(caller, LIST, { vehicle: vehicleKey, ...variables });
  return { ...answer, keys: answer.data?.trips?.nodes.map(({ key }) => key) };
}

test('a trip has the zone of time of where it started, for whoever sees it', async () => {
  const query = 'query ($vehicle: String!) { trips(vehicle_key: $vehicle, first: 1) { nodes { time_zone } } }';
  for (const caller of [ownerOf(accountKey), embedOf(accountKey, vehicleKey)]) {
    const { data } = await ask(caller, query, { vehicle: vehicleKey });
    expect(data).toEqual({ trips: { nodes: [{ time_zone: 'Europe/Berlin' }] } });
  }
});

describe("A vehicle's trips", () => {
  test('come in order of their start', async () => {
    expect((await list({})).keys).toEqual(tripKeys);
  });

  test.each<[string, (page: Page['trips']['page_info']) => string | null | undefined]>([
    ['its end_cursor', ({ end_cursor }) => end_cursor],
    ['the key of the next trip, as in version 0.2', () => tripKeys[3]],
  ])('come in pages, each after %s', async (_, afterOf) => {
    const first = await list({ first: 3 });
    expect(first.data.trips).toEqual({
      nodes: tripKeys.slice(0, 3).map((key) => ({ key })),
      page_info: { end_cursor: expect.any(String), has_next_page: true },
    });
    const last = await list({ first: 4, after: afterOf(first.data.trips.page_info) });
    expect(last.data.trips).toEqual({
      nodes: tripKeys.slice(3).map((key) => ({ key })),
      page_info: { end_cursor: expect.any(String), has_next_page: false },
    });
    const none = await list({ first: 4, after: last.data.trips.page_info.end_cursor });
    expect(none.data.trips).toEqual({ nodes: [], page_info: { end_cursor: null, has_next_page: false } });
  });

  test('are those that started in the window, to owners plainly over any number of days', async () => {
    const window = { from: '2024-02-28T12:00:00Z', until: '2024-03-01T12:00:00Z' };
    expect((await list(window)).keys).toEqual(tripKeys.slice(1, 3));
    expect((await list({ from: '2024-03-01T12:00:01Z' })).keys).toEqual(tripKeys.slice(4));
    expect((await list({ until: '2024-02-27T12:00:00Z' })).keys).toEqual([]);
  });

  test('are those of one day to a trip map', async () => {
    const map = embedOf(accountKey, vehicleKey);
    expect((await list({ from: '2024-02-28', until: '2024-03-01' }, map)).keys).toEqual([tripKeys[1]]);
    expect((await list({ from: '2024-02-28T12:30+14:00', until: '2024-03-01' }, map)).keys).toEqual([]);
    expect((await list({}, map)).keys).toEqual(tripKeys);
  });

  test.each([
    ['first', { first: 0 }],
    ['first', { first: 1001 }],
    ['after', { after: 'unknown' }],
    ['started_after', { from: '2024-02-30' }],
    ['started_before', { until: 'today' }],
  ])('are refused by the name of a wrong %s', async (name, variables) => {
    const { codes, messages } = await list(variables);
    expect(codes).toEqual(['BAD_REQUEST']);
    expect(messages[0]).toContain(name);
  });

  test('with a trip_key are that trip, whatever the window', async () => {
    const { data } = await list({ trip: tripKeys[5], from: '2024-02-27', until: 'nonsense' });
    expect(data.trips).toEqual({
      nodes: [{ key: tripKeys[5] }],
      page_info: { end_cursor: expect.any(String), has_next_page: false },
    });
    const none = await list({ trip: tripKeys[5], after: data.trips.page_info.end_cursor });
    expect(none.data.trips).toEqual({ nodes: [], page_info: { end_cursor: null, has_next_page: false } });
  });
});

describe('Whose trips they are:', () => {
  test.each([
    ['an owner of another account', async () => ownerOf((await account()).key), 'NOT_FOUND'],
    ['an app whose user is in other groups', async () => app(['account_activity.read'], ['elsewhere']), 'NOT_FOUND'],
    ['an app without the scope', async () => app(['account.read'], null), 'FORBIDDEN'],
    ['a trip map of another vehicle', async () => embedOf(accountKey, otherVehicleKey), 'UNAUTHENTICATED'],
    ['a visitor', async (): Promise<Caller> => ({ kind: 'visitor' }), 'UNAUTHENTICATED'],
  ])('%s sees none', async (_, caller, code) => {
    expect((await list({}, await caller())).codes).toEqual([code]);
    expect((await list({ trip: tripKeys[0] }, await caller())).codes).toEqual([code]);
  });

  test("an app sees those of the vehicles in its user's groups", async () => {
    expect((await list({}, app(['account_activity.read'], [groupKey]))).keys).toEqual(tripKeys);
  });

  test('a trip of another vehicle is not found', async () => {
    expect((await list({ vehicle: otherVehicleKey, trip: tripKeys[0] })).codes).toEqual(['NOT_FOUND']);
  });

  test('a trip alone is not found, in the same words, whether it is foreign, hidden or not there', async () => {
    const source = 'query ($key: String!) { trip(key: $key) { key } }';
    const hidden = app(['account_activity.read'], ['elsewhere']);
    const answers = await Promise.all([
      ask(ownerOf((await account()).key), source, { key: tripKeys[0] }),
      ask(hidden, source, { key: tripKeys[0] }),
      ask(ownerOf(accountKey), source, { key: 'none' }),
    ]);
    expect(new Set(answers.map(({ codes, messages }) => JSON.stringify([codes, messages]))).size).toBe(1);
    expect(answers[0]?.codes).toEqual(['NOT_FOUND']);
    const { data } = await ask(ownerOf(accountKey), source, { key: tripKeys[0] });
    expect(data).toEqual({ trip: { key: tripKeys[0] } });
  });
});

describe('What belongs to the account and is no location', () => {
  const ends = 'odometer fuel_level place { key name }';
  const source = `query ($vehicle: String!, $trip: String!) { trips(vehicle_key: $vehicle, trip_key: $trip) { nodes {
    vehicle_key account_key device_key user_key tags { key color value }
    start_point { ${ends} } end_point { ${ends} }
  } } }`;
  const read = { odometer: 12.5, fuel_level: 40 };
  const end = { ...read, place: { key: 'depot', name: 'Depot' } };
  const tags = [{ key: 'private', color: '#ff0000', value: 'yes' }];
  let trip: string;
  let van: string;

  beforeAll(async () => {
    van = await vehicle(accountKey);
    const of = { key: van, account_key: accountKey };
    trip = (await importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: of })).trips[0]?.key ?? '';
    const ends = Object.entries(read).flatMap(([name, value]) =>
      ['start_point', 'end_point'].map((at) => [`${at}.${name}`, value]),
    );
    const accessScope = vehicleAccessScope(accountAccessScope(testService, accountKey), { key: van });
    await TagStore.insertMany(
      accessScope,
      tags.map((tag) => ({
        ...tag,
        type: 'Trip' as const,
        value_folded: tag.value,
        account_key: accountKey,
        created: new Date(),
      })),
    );
    const now = new Date();
    await PlaceStore.create(accessScope, {
      ...{
        ...end.place,
        category: 'other',
        active_weekdays: [],
        area_since: new Date(0),
        created: now,
        updated: now,
      },
      ...{ account_key: accountKey, point: { lat: 52.52, lon: 13.405 }, radius: 100_000, polygon: [] },
    });
    await placesChanged(testService, accountKey);
    const tag_keys = tags.map(({ key }) => key);
    const facts = { device_key: 'd', user_key: 'u', tag_keys, ...Object.fromEntries(ends) };
    await TripStore.updateOne(accessScope, { key: trip }, { $set: facts });
  });

  test.each([
    ['an owner', () => ownerOf(accountKey)],
    ['an app', () => app(['account_activity.read', 'places.read'], null)],
  ])('is seen by %s', async (_, caller) => {
    const { data, messages } = await ask(caller(), source, { vehicle: van, trip });
    expect(messages).toEqual([]);
    const keys = { vehicle_key: van, account_key: accountKey, device_key: 'd', user_key: 'u' };
    expect(data).toEqual({ trips: { nodes: [{ ...keys, tags, start_point: end, end_point: end }] } });
  });

  test('is not seen by a trip map', async () => {
    const { data, messages } = await ask(embedOf(accountKey, van), source, { vehicle: van, trip });
    expect(messages).toEqual([]);
    const keys = { vehicle_key: van, account_key: null, device_key: null, user_key: null };
    const nothing = { odometer: null, fuel_level: null, place: null };
    expect(data).toEqual({ trips: { nodes: [{ ...keys, tags: [], start_point: nothing, end_point: nothing }] } });
  });
});

describe('A path', () => {
  interface Path {
    readonly points: string;
    readonly point_count: number;
  }
  async function path(args: string) {
    const source = `query ($key: String!) { trip(key: $key) { path${args} { precision points point_count bounding_box } } }`;
    const answer = await ask<{ trip: { path: Path } }>(ownerOf(accountKey), source, { key: tripKeys[0] });
    return { ...answer, path: answer.data?.trip?.path };
  }

  test('without a tolerance has every position', async () => {
    const whole = await path('');
    expect(whole.path).toMatchObject({ precision: 5, point_count: 60 });
    expect((await path('(tolerance_meters: 0, max_points: 60)')).path).toEqual(whole.path);
  });

  test('has fewer positions the greater the tolerance, from the stored outline and below it', async () => {
    const counts: number[] = [];
    for (const meters of [0.2, 1, 5, 50, 5000, 1e300]) {
      counts.push((await path(`(tolerance_meters: ${meters})`)).path.point_count);
    }
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts[0]).toBeLessThanOrEqual(60);
    expect(counts.at(-1)).toBe(2);
  });

  test('has at most max_points, with or without a tolerance', async () => {
    expect((await path('(max_points: 7)')).path.point_count).toBe(7);
    expect((await path('(max_points: 59)')).path.point_count).toBe(59);
    expect((await path('(tolerance_meters: 1, max_points: 2)')).path.point_count).toBe(2);
  });

  test.each([
    ['tolerance_meters', '(tolerance_meters: -1)'],
    ['tolerance_meters', '(tolerance_meters: 1e400)'],
    ['max_points', '(max_points: 1)'],
  ])('is refused by the name of a wrong %s', async (name, args) => {
    const { codes, messages } = await path(args);
    expect(codes).toEqual(['BAD_REQUEST']);
    expect(messages[0]).toContain(name);
  });

  test('of a page of trips takes one query for positions, and none where the outline serves', async () => {
    const counted = async (detail: string): Promise<number> => {
      let queries = 0;
      mongoose.set('debug', (collection: string) => {
        if (collection === 'trip_points') queries++;
      });
      const source = `query ($vehicle: String!) {
        trips(vehicle_key: $vehicle) { nodes { path(${detail}) { points } } }
      }`;
      const { messages } = await ask(ownerOf(accountKey), source, { vehicle: vehicleKey });
      mongoose.set('debug', false);
      expect(messages).toEqual([]);
      return queries;
    };
    expect(await counted('tolerance_meters: 0')).toBe(1);
    expect(await counted('tolerance_meters: 0.5')).toBe(1);
    expect(await counted('tolerance_meters: 1')).toBe(0);
    expect(await counted('tolerance_meters: 20')).toBe(0);
    expect(await counted('max_points: 2')).toBe(0);
  });
});

describe('A path with times', () => {
  const source = `query ($key: String!) {
    trip(key: $key) { path { points } timed_path { points times speeds } coarse: timed_path(max_points: 5) { point_count times speeds } }
  }`;
  interface Timed {
    readonly path: { readonly points: string };
    readonly timed_path: { readonly points: string; readonly times: string; readonly speeds: string } | null;
    readonly coarse: { readonly point_count: number; readonly times: string; readonly speeds: string } | null;
  }
  const timed = async (caller: Caller) => (await ask<{ trip: Timed }>(caller, source, { key: tripKeys[0] })).data.trip;

  test('says when the vehicle was where, and how fast it went from there', async () => {
    const { path, timed_path, coarse } = await timed(ownerOf(accountKey));
    expect(timed_path?.points).toBe(path.points);
    expect(decodeNumbers(timed_path?.times ?? '')).toEqual(bend(0).map(({ time }) => time / 1000));
    const speeds = decodeNumbers(timed_path?.speeds ?? '').map((speed) => speed / 10);
    expect(speeds).toHaveLength(59);
    expect(speeds[0]).toBe(-0.1);
    const [from, to] = [bend(0)[15], bend(0)[16]].map((at) => at ?? { lat: 0, lon: 0 }) as [Position, Position];
    const metersASecond = haversineMeters(from.lat, from.lon, to.lat, to.lon);
    expect(speeds[15]).toBeCloseTo((metersASecond * 3600) / 1609.344, 0);
    expect(coarse?.point_count).toBe(5);
    expect(decodeNumbers(coarse?.times ?? '')).toHaveLength(5);
    expect(decodeNumbers(coarse?.speeds ?? '')).toHaveLength(4);
  });

  test('is for trip maps, and for apps that may read trip points', async () => {
    expect((await timed(embedOf(accountKey, vehicleKey))).timed_path).not.toBeNull();
    expect((await timed(app(['account_activity.read', 'trippoints.read'], null))).timed_path).not.toBeNull();
    const without = await timed(app(['account_activity.read'], null));
    expect([without.timed_path, without.coarse]).toEqual([null, null]);
    expect(without.path.points).not.toBe('');
  });
});

/** Counts the turns that others have while something is done that takes ever so long. */
async function turnsDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10));
  let turns = 0;
  let isOver = false;
  const others = () => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const result = await work();
  isOver = true;
  vi.mocked(performance.now).mockRestore();
  return { result, turns };
}

describe('A path selected many times in one request', () => {
  const paths = Array.from(
    { length: 40 },
    (_, at) => `p${at}: path(tolerance_meters: ${0.9 - at / 100}) { point_count }`,
  );
  const source = `query ($vehicle: String!) { trips(vehicle_key: $vehicle) { nodes { ${paths.join(' ')} } } }`;

  test('is unpacked once and simplified twice at most for each trip', async () => {
    vi.clearAllMocks();
    const { data, messages } = await ask<{ trips: { nodes: Record<string, { point_count: number }>[] } }>(
      ownerOf(accountKey),
      source,
      { vehicle: vehicleKey },
    );
    expect(messages).toEqual([]);
    expect(unpackTripPoints).toHaveBeenCalledTimes(7);
    expect(vanishingSteps).toHaveBeenCalledTimes(14);
    for (const node of data.trips.nodes) {
      const counts = Object.values(node).map(({ point_count }) => point_count);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    }
  });

  test('lets others have their turn whenever it has worked for a while', async () => {
    const { result, turns } = await turnsDuring(() =>
      ask<{ trips: { nodes: object[] } }>(ownerOf(accountKey), source, { vehicle: vehicleKey }),
    );
    expect(result.data.trips.nodes).toHaveLength(7);
    expect(turns).toBeGreaterThanOrEqual(7 * 40);
  });

  describe('and in the midst of', () => {
    let trip: string;
    beforeAll(async () => {
      const points = drivenPoints(POSITIONS_A_STEP * 20, 1);
      trip = await storeTrip({ account_key: accountKey, vehicle_key: await vehicle(accountKey), points });
      // As an earlier version stored it: otherwise the polyline is there.
      await TripPointsBucketStore.driver(testService).updateMany({ trip_key: trip }, { $unset: { line: 1 } });
    });

    test.each([
      ['a polyline', 'encoded_polyline'],
      ['a path', 'path(tolerance_meters: 0.5) { points }'],
      ['a path of so many positions', 'path(max_points: 39000) { points }'],
      ['a path with times', 'timed_path { points times speeds }'],
    ])('%s of a long trip', async (_, field) => {
      const source = `query ($key: String!) { trip(key: $key) { ${field} } }`;
      const pauses = vi.spyOn(TimeSlice.prototype, 'next').mockClear();
      const { result } = await turnsDuring(() => ask(ownerOf(accountKey), source, { key: trip }));
      expect(result.messages).toEqual([]);
      // Its buckets are unpacked one by one, which takes the first twenty.
      expect(pauses.mock.calls.length).toBeGreaterThan(20 + 10);
    });
  });
});

describe('The positions of a trip', () => {
  const POINTS = `query ($key: String!, $first: Int, $after: String) {
    tripPoints(trip_key: $key, first: $first, after: $after) {
      nodes { point { lat lon } timestamp heading speed events } page_info { end_cursor has_next_page }
    }
  }`;
  let key: string;
  beforeAll(async () => {
    const of = { key: otherVehicleKey, account_key: accountKey };
    key = (await importTrips(testService, { files: [OVER_MIDNIGHT], vehicle: of })).trips[0]?.key ?? '';
  });

  test('come in pages, with heading in degrees and speed in miles per hour', async () => {
    interface Points {
      readonly tripPoints: { readonly nodes: readonly object[]; readonly page_info: { readonly end_cursor: string } };
    }
    const first = await ask<Points>(ownerOf(accountKey), POINTS, { key, first: 47 });
    expect(first.data.tripPoints.nodes).toHaveLength(47);
    expect(first.data.tripPoints.nodes[0]).toEqual({
      point: { lat: 52.52, lon: 13.405 },
      timestamp: '2024-02-29T23:58:00+00:00',
      heading: 40,
      speed: expect.closeTo(17.895, 2),
      events: [],
    });
    expect(first.data.tripPoints.page_info).toEqual({ end_cursor: expect.any(String), has_next_page: true });
    // Version 0.2 gave the number of the next position.
    for (const after of [first.data.tripPoints.page_info.end_cursor, '47']) {
      const last = await ask<Points>(ownerOf(accountKey), POINTS, { key, first: 47, after });
      expect(last.data.tripPoints.nodes).toMatchObject([{ timestamp: '2024-03-01T00:02:55+00:00' }]);
      expect(last.data.tripPoints.page_info).toMatchObject({ has_next_page: false });
    }
  });

  test.each(['48', '-1', '1.5', ''])('do not go on from the cursor %j', async (after) => {
    expect((await ask(ownerOf(accountKey), POINTS, { key, after })).codes).toEqual(['BAD_REQUEST']);
  });

  test('are for apps with a separate scope', async () => {
    const activity = app(['account_activity.read'], null);
    expect((await ask(activity, POINTS, { key })).codes).toEqual(['FORBIDDEN']);
    expect((await ask(app(['trippoints.read'], null), POINTS, { key })).codes).toEqual([]);
  });

  test('are not for trip maps', async () => {
    expect((await ask(embedOf(accountKey, otherVehicleKey), POINTS, { key })).codes).toEqual(['FORBIDDEN']);
  });
});

describe('A driver', () => {
  const driver = (user_key: string): Caller => ({
    ...(app(['account_activity.read', 'trippoints.read'], null) as AppForUser),
    role: 'driver',
    user_key,
  });

  test('sees of all trips those that it drove, with what belongs to the account and without those of others', async () => {
    const accessScope = vehicleAccessScope(accountAccessScope(testService, accountKey), { key: vehicleKey });
    await TripStore.updateOne(accessScope, { key: tripKeys[2] ?? '' }, { user_key: 'ada' });
    const source = `{ trips { nodes { key account_key user_key vehicle { key } timed_path { point_count } } } }`;
    const seen = { key: tripKeys[2], account_key: accountKey, user_key: 'ada', vehicle: { key: vehicleKey } };
    const { data, messages } = await ask(driver('ada'), source);
    expect(messages).toEqual([]);
    expect(data).toEqual({ trips: { nodes: [{ ...seen, timed_path: { point_count: 60 } }] } });
    expect((await ask(driver('bob'), source)).data).toEqual({ trips: { nodes: [] } });
    expect((await list({}, driver('bob'))).keys).toEqual([]);
  });

  test.each([
    ['trip', 'query ($key: String!) { trip(key: $key) { key } }'],
    ['points', 'query ($key: String!) { tripPoints(trip_key: $key) { nodes { timestamp } } }'],
    ['list of one', 'query ($key: String!) { trips(trip_key: $key) { nodes { key } } }'],
  ])('does not find the %s of another', async (_, source) => {
    expect((await ask(driver('bob'), source, { key: tripKeys[0] })).codes).toEqual(['NOT_FOUND']);
  });
});

test('a trip map lists its vehicle without naming it, and does not ask by driver or tag', async () => {
  const map = embedOf(accountKey, vehicleKey);
  const keys = async (args: string) => {
    const { data, codes } = await ask<Page | null>(map, `{ trips${args} { nodes { key } page_info { end_cursor } } }`);
    return data?.trips?.nodes.map(({ key }) => key) ?? codes;
  };
  expect(await keys('')).toEqual(tripKeys);
  expect(await keys('(newest_first: true)')).toEqual(tripKeys.toReversed());
  expect(await keys('(user_key: "ada")')).toEqual(['FORBIDDEN']);
  expect(await keys('(tag_keys: ["t"])')).toEqual(['FORBIDDEN']);
});
