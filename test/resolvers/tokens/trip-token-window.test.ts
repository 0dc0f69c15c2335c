import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { importTrips } from '../../../tracking/import/import-trips.ts';
import { decodeNumbers, decodePolyline } from '../../../schema/trips/polyline.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { type GpxPosition, useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, embedOf } from '../../fixtures/trip-query.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();
const gpx = useGpxFiles();

const HOUR = 3_600_000;
const START = Date.UTC(2024, 1, 28, 20);

/** A position that tells its time by its latitude: whatever leaves with a position, its time can be read off. */
const northward = (time: number): GpxPosition => ({ time, lat: 10 + (time - START) / HOUR, lon: 20 });
const timeOf = (lat: number): number => START + (lat - 10) * HOUR;

const every = (from: number, until: number, step: number) => {
  const positions: GpxPosition[] = [];
  for (let time = from; time < until; time += step) positions.push(northward(time));
  return positions;
};

/** Trips one after the other, two at the same time, one over more than a day with long gaps, and one of a single point. */
const TRIPS = [
  every(START, START + HOUR, 30_000),
  every(START + 2 * HOUR, START + 3 * HOUR, 30_000),
  every(START + 2.5 * HOUR, START + 4 * HOUR, 45_000),
  [...every(START + 5 * HOUR, START + 6 * HOUR, 60_000), ...every(START + 30 * HOUR, START + 31 * HOUR, 60_000)],
  [northward(START + 8 * HOUR)],
];
const ALL_TIMES = TRIPS.flatMap((trip) => trip.map(({ time }) => time));
const ENDS = TRIPS.flatMap((trip) => [trip[0]?.time ?? 0, trip.at(-1)?.time ?? 0]);

interface Seen {
  readonly key: string;
  readonly start_point: { readonly point: { readonly lat: number }; readonly timestamp: string };
  readonly end_point: { readonly point: { readonly lat: number }; readonly timestamp: string };
  readonly duration_seconds: number;
  readonly gps_distance: number;
  readonly distance_meters: number;
  readonly point_count: number;
  readonly bounding_box: readonly [number, number, number, number];
  readonly stops: readonly { arrival: string; departure: string; point: { lat: number } }[];
  readonly gaps: readonly { started: string; ended: string }[];
  readonly encoded_polyline: string;
  readonly path: { readonly points: string; readonly point_count: number; readonly bounding_box: readonly number[] };
  readonly timed_path: { readonly points: string; readonly times: string; readonly speeds: string };
  readonly coarse: { readonly points: string; readonly bounding_box: readonly number[] };
}

interface Page {
  readonly trips: {
    readonly nodes: readonly Seen[];
    readonly page_info: { end_cursor: string; has_next_page: boolean };
  };
}

const EVERYTHING_OF_A_TRIP = `
  key duration_seconds gps_distance distance_meters point_count bounding_box encoded_polyline
  start_point { point { lat lon } timestamp } end_point { point { lat lon } timestamp }
  stops { arrival departure duration_seconds point { lat lon } } gaps { started ended duration_seconds distance_meters }
  path { precision points point_count bounding_box }
  timed_path(max_points: 9) { points times speeds } coarse: path(tolerance_meters: 50, max_points: 7) { points bounding_box }`;

const LIST = `query ($vehicle: String!, $first: Int, $after: String, $from: String, $until: String) {
  trips(vehicle_key: $vehicle, first: $first, after: $after, started_after: $from, started_before: $until) {
    nodes { ${EVERYTHING_OF_A_TRIP} } page_info { end_cursor has_next_page }
  }
}`;

let accountKey: string;
let vehicleKey: string;
let keys: string[];

beforeAll(async () => {
  accountKey = (await account()).key;
  vehicleKey = await vehicle(accountKey);
  const files = [await gpx.write('trips.gpx', TRIPS)];
  const vehicleOf = { key: vehicleKey, account_key: accountKey };
  const { trips } = await importTrips(testService, { files, vehicle: vehicleOf, read: { overlap: 'keep' } });
  keys = trips.map(({ key }) => key);
});

/** Instants at, just before and just after positions, ends of trips above all, and anywhere. */
const instant = fc.oneof(
  fc
    .tuple(fc.oneof(fc.constantFrom(...ENDS), fc.constantFrom(...ALL_TIMES)), fc.constantFrom(-1, 0, 1))
    .map(([time, shift]) => time + shift),
  fc.integer({ min: START - HOUR, max: START + 33 * HOUR }),
);
const scope = fc.record({ gte: instant, lt: instant }, { requiredKeys: [] });

/** The positions that a token should open, computed from the recording. */
function expected({ gte = -Infinity, lt = Infinity }: { gte?: number; lt?: number }) {
  return TRIPS.map((trip, i) => ({
    key: keys[i] ?? '',
    times: trip.map(({ time }) => time).filter((time) => time >= gte && time < lt),
  }))
    .filter(({ times }) => times.length > 0)
    .sort((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0) || (a.key < b.key ? -1 : 1));
}

async function list(window: { gte?: number; lt?: number }, variables: object = {}): Promise<Page['trips']> {
  const answer = await ask<Page>(embedOf(accountKey, vehicleKey, window), LIST, { vehicle: vehicleKey, ...variables });
  expect(answer.messages).toEqual([]);
  return answer.data.trips;
}

/** The latitudes and times that leave with a trip, by any field. */
function leaving(trip: Seen): { readonly times: number[]; readonly lats: number[] } {
  const lines = [trip.encoded_polyline, trip.path.points, trip.coarse.points, trip.timed_path.points];
  return {
    times: [
      trip.start_point.timestamp,
      trip.end_point.timestamp,
      ...trip.stops.flatMap(({ arrival, departure }) => [arrival, departure]),
      ...trip.gaps.flatMap(({ started, ended }) => [started, ended]),
    ]
      .map((text) => Date.parse(text))
      .concat(decodeNumbers(trip.timed_path.times).map((seconds) => seconds * 1000)),
    lats: [
      trip.start_point.point.lat,
      trip.end_point.point.lat,
      ...trip.stops.map(({ point }) => point.lat),
      ...[trip.bounding_box, trip.path.bounding_box, trip.coarse.bounding_box].flatMap((box) => [
        box[1] ?? 0,
        box[3] ?? 0,
      ]),
      ...lines.flatMap((line) => decodePolyline(line).map(([, lat]) => lat)),
    ],
  };
}

describe('A token limits data, not only trips:', () => {
  test('nothing before gte, or at or after lt, leaves by any field', async () => {
    await fc.assert(
      fc.asyncProperty(scope, async (window) => {
        const { gte = -Infinity, lt = Infinity } = window;
        for (const trip of (await list(window)).nodes) {
          const { times, lats } = leaving(trip);
          // Times are written in whole seconds; latitudes rounded to 5 decimals are 18 ms off at most.
          for (const time of times) expect(time >= Math.floor(gte / 1000) * 1000 && time < lt).toBe(true);
          for (const lat of lats) expect(timeOf(lat) > gte - 50 && timeOf(lat) < lt + 50).toBe(true);
        }
      }),
      { numRuns: runSize(20, 120) },
    );
  });

  test('what remains of a trip has its own start, end, totals, order and place', async () => {
    await fc.assert(
      fc.asyncProperty(scope, async (window) => {
        const { nodes } = await list(window);
        const remaining = expected(window);
        expect(nodes.map(({ key }) => key)).toEqual(remaining.map(({ key }) => key));
        for (const [i, trip] of nodes.entries()) {
          const times = remaining[i]?.times ?? [];
          const [first = 0, last = 0] = [times[0], times.at(-1)];
          expect(Date.parse(trip.start_point.timestamp)).toBe(first);
          expect(Date.parse(trip.end_point.timestamp)).toBe(last);
          expect(trip).toMatchObject({ point_count: times.length, duration_seconds: (last - first) / 1000 });
          expect(trip.path.point_count).toBe(times.length);
          expect(trip.path.points).toBe(trip.encoded_polyline);
          expect(trip.distance_meters).toBeCloseTo(((last - first) / HOUR) * 111_195.08, 0);
          expect(trip.gps_distance).toBe(Math.round(trip.distance_meters / 160.9344) / 10);
        }
      }),
      { numRuns: runSize(20, 120) },
    );
  });

  test('pages of any size give the same list', async () => {
    await fc.assert(
      fc.asyncProperty(scope, fc.integer({ min: 1, max: 3 }), async (window, first) => {
        const whole = (await list(window)).nodes.map(({ key }) => key);
        const paged: string[] = [];
        let after: string | null = null;
        do {
          const page: Page['trips'] = await list(window, { first, after });
          paged.push(...page.nodes.map(({ key }) => key));
          expect(page.page_info.end_cursor !== null).toBe(page.nodes.length > 0);
          after = page.page_info.end_cursor;
        } while (after !== null);
        expect(paged).toEqual(whole);
      }),
      { numRuns: runSize(10, 60) },
    );
  });

  test('a trip is selected by the start of what remains of it', async () => {
    const gte = START + 2.75 * HOUR;
    const day = { from: new Date(gte).toISOString(), until: new Date(gte + 60_000).toISOString() };
    const { nodes } = await list({ gte }, day);
    expect(new Set(nodes.map(({ key }) => key))).toEqual(new Set([keys[1], keys[2]]));
  });
});

describe('A trip by its key', () => {
  const ONE = `query ($vehicle: String!, $trip: String!) {
    trips(vehicle_key: $vehicle, trip_key: $trip, started_after: "nonsense") { nodes { point_count } page_info { end_cursor } }
    trip(key: $trip) { point_count }
  }`;

  test('is cut like any other, by every way to it', async () => {
    const window = { gte: START + 10 * 60_000, lt: START + 20 * 60_000 };
    const variables = { vehicle: vehicleKey, trip: keys[0] };
    const { data, messages } = await ask<{
      trips: { nodes: { point_count: number }[] };
      trip: { point_count: number };
    }>(embedOf(accountKey, vehicleKey, window), ONE, variables);
    expect(messages).toEqual([]);
    expect(data.trips.nodes).toEqual([{ point_count: 20 }]);
    expect(data.trip).toEqual({ point_count: 20 });
  });

  test.each([
    ['before the window', { gte: START + 1.5 * HOUR }, 0],
    ['after the window', { lt: START }, 0],
    ['around a window that falls into a gap', { gte: START + 10 * HOUR, lt: START + 11 * HOUR }, 3],
  ])('does not exist %s', async (_, window, which) => {
    const caller = embedOf(accountKey, vehicleKey, window);
    const ways = [
      'query ($vehicle: String!, $trip: String!) { trips(vehicle_key: $vehicle, trip_key: $trip) { nodes { key } } }',
      'query ($trip: String!) { trip(key: $trip) { key } }',
    ];
    for (const way of ways) {
      expect((await ask(caller, way, { vehicle: vehicleKey, trip: keys[which] })).codes).toEqual(['NOT_FOUND']);
    }
  });

  test('cannot be used as a cursor where it does not exist', async () => {
    const caller = embedOf(accountKey, vehicleKey, { gte: START + 1.5 * HOUR });
    const { codes, messages } = await ask(caller, LIST, { vehicle: vehicleKey, after: keys[0] });
    expect(codes).toEqual(['BAD_REQUEST']);
    expect(messages).toEqual(['after was not returned by this list for the same parameters']);
  });
});

describe('A token narrower than what is asked', () => {
  const from = '2024-02-28T20:00:00Z';
  const until = '2024-02-28T22:00:00Z';

  test.each([
    ['gte later than started_after', { gte: START + 1 }, { from }, ['FORBIDDEN']],
    ['gte at started_after', { gte: START }, { from }, []],
    ['lt earlier than started_before', { lt: START + 2 * HOUR - 1 }, { until }, ['FORBIDDEN']],
    ['lt at started_before', { lt: START + 2 * HOUR }, { until }, []],
    ['lt earlier than a started_before that is ignored', { lt: START + HOUR }, { from, until: '2024-03-05' }, []],
    ['lt within a day that started_after alone opens', { lt: START + HOUR }, { from }, []],
    ['gte within a day that started_before alone opens', { gte: START + HOUR }, { until }, []],
    ['gte later than a started_after without any trips', { gte: START + 1 }, { from, until: from }, ['FORBIDDEN']],
  ])('%s', async (_, window, bounds, codes) => {
    const caller = embedOf(accountKey, vehicleKey, window);
    expect((await ask(caller, LIST, { vehicle: vehicleKey, ...bounds })).codes).toEqual(codes);
  });
});
