import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { outlineOf, packOutline } from '../../../tracking/geometry/outline.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { deletePrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { decodePolyline } from '../../../schema/trips/polyline.ts';
import { drivenPoints, drivenWithGaps, pacificCrossing, TRIPS_WITH_PATHS } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { ask, embedOf, everyFieldOf, ownerOf } from '../../fixtures/trip-query.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

const HOUR = 3_600_000;
/** The third of the trips takes twenty minutes, from the start of its hour. */
const trips = [
  ...[drivenPoints(120, 1), drivenPoints(1, 2), drivenPoints(1200, 3), pacificCrossing(90)],
  drivenWithGaps(90, 4),
];
const startOf = (trip: number) => Date.UTC(2024, 1, 27, 6) + trip * 2 * HOUR;

let accountKey: string;
let vehicleKey: string;
beforeAll(async () => {
  accountKey = (await account()).key;
  vehicleKey = await vehicle(accountKey);
  for (const [hours, points] of trips.entries()) {
    const time = points.time.map((instant) => instant + hours * 2 * HOUR);
    await storeTrip({ account_key: accountKey, vehicle_key: vehicleKey, points: { ...points, time } });
  }
});

const CALLERS = {
  'an owner': () => ownerOf(accountKey),
  'a trip map without a window': () => embedOf(accountKey, vehicleKey),
  'a trip map whose window begins within a trip': () => embedOf(accountKey, vehicleKey, { gte: startOf(2) + HOUR / 6 }),
  'a trip map whose window ends within a trip': () => embedOf(accountKey, vehicleKey, { lt: startOf(2) + HOUR / 6 }),
} as const;

type Line = { readonly points: string; readonly point_count: number; readonly gaps: readonly number[] };
type Answer = {
  readonly trips: { readonly nodes: readonly { readonly at_1: Line; readonly at_5: Line; readonly whole: Line }[] };
};

async function shown(caller: keyof typeof CALLERS) {
  const { data, messages } = await ask<Answer>(CALLERS[caller](), TRIPS_WITH_PATHS, { vehicle: vehicleKey });
  expect(messages).toEqual([]);
  return data.trips.nodes;
}

/** Changes of trips, and of the buckets of their positions. */
interface Changes {
  readonly trips: object;
  readonly buckets: object;
}

/** Runs with what is stored changed as given, and undoes it. */
async function withStored<Result>({ trips, buckets }: Changes, run: () => Promise<Result>): Promise<Result> {
  const before = await Promise.all(MODELS.map((model) => model.driver(testService).find().toArray()));
  await TripStore.driver(testService).updateMany({}, trips);
  await TripPointsBucketStore.driver(testService).updateMany({}, buckets);
  try {
    return await run();
  } finally {
    for (const [i, model] of MODELS.entries()) {
      for (const document of before[i] ?? [])
        await model.driver(testService).replaceOne({ _id: document._id }, document);
    }
  }
}

const MODELS = [TripStore, TripPointsBucketStore] as const;
const WITHOUT = { trips: { $unset: { paths: 1 } }, buckets: { $unset: { line: 1 } } };
const OTHERS = {
  trips: { $set: { 'paths.meter_1.points': 'one', 'paths.meters_5.points': 'five' } },
  buckets: { $set: { line: 'zero' } },
};

describe.each(Object.keys(CALLERS) as (keyof typeof CALLERS)[])('What %s is shown', (caller) => {
  const zones: string[] = [];
  afterEach(async () => {
    for (const key of zones.splice(0)) await deletePrivacyZone(accountAccessScope(testService, accountKey), key);
  });

  test('is the same without stored paths', async () => {
    const nodes = await shown(caller);
    expect(nodes.length).toBeGreaterThanOrEqual(2);
    expect(await withStored(WITHOUT, () => shown(caller))).toEqual(nodes);
  });

  test('is the same without stored paths if a zone hides some of it', async () => {
    const { key } = await createPrivacyZone(accountAccessScope(testService, accountKey), {
      lat: 50,
      lon: 8.05,
      radius_meters: 400,
    });
    zones.push(key);
    const nodes = await shown(caller);
    expect(await withStored(WITHOUT, () => shown(caller))).toEqual(nodes);
    expect(await withStored(OTHERS, () => shown(caller)).then(served)).toBe(caller === 'an owner' ? 5 : 0);
  });

  test('are the stored paths of whole trips, and of no other', async () => {
    const whole = caller.includes('within') ? (await shown(caller)).length - 1 : 5;
    expect(await withStored(OTHERS, () => shown(caller)).then(served)).toBe(whole);
  });
});

/** Counts the trips that are shown with stored paths; the whole line of a trip with gaps is none of them, since it tells none. */
function served(nodes: Answer['trips']['nodes']): number {
  const stored = nodes.filter(({ at_1 }) => at_1.points === 'one');
  expect(nodes.filter(({ at_5 }) => at_5.points === 'five')).toEqual(stored);
  const withoutGaps = stored.filter(({ whole }) => whole.gaps.length === 0);
  expect(nodes.filter(({ whole }) => whole.points === 'zero')).toEqual(withoutGaps);
  return stored.length;
}

test('gaps of a path lie before the positions that end those of the trip, at every tolerance', async () => {
  const nodes = await shown('an owner');
  const gappy = nodes.at(-1);
  expect(nodes.slice(0, -1).flatMap(({ at_1, whole }) => [...at_1.gaps, ...whole.gaps])).toEqual([]);
  expect(gappy?.whole.gaps).toEqual([30, 60]);
  const placesOf = ({ points, gaps }: Line) => {
    const positions = decodePolyline(points, 5);
    return gaps.map((at) => [positions[at - 1], positions[at]]);
  };
  const places = gappy && placesOf(gappy.whole);
  expect(places).toHaveLength(2);
  if (gappy) expect([gappy.at_1, gappy.at_5].map(placesOf)).toEqual([places, places]);
});

test('lines that an older program stored, which tell no gaps, serve for trips without any alone', async () => {
  const nodes = await shown('an owner');
  const older = {
    trips: { $unset: { 'paths.meter_1.gaps': 1, 'paths.meters_5.gaps': 1 }, $set: OTHERS.trips.$set },
    buckets: OTHERS.buckets,
  };
  const then = await withStored(older, () => shown('an owner'));
  expect(served(then)).toBe(4);
  expect(then.at(-1)).toEqual(nodes.at(-1));
  const outline = packOutline(outlineOf(drivenWithGaps(90, 4)));
  const withOutline = { trips: { $set: { outline, paths: null } }, buckets: WITHOUT.buckets };
  expect((await withStored(withOutline, () => shown('an owner'))).at(-1)).toEqual(nodes.at(-1));
});

test('every field of a trip is the same, whichever others are selected with it', async () => {
  const all = await everyFieldOf('Trip');
  const of = async (selection: string) => {
    const source = `query ($vehicle: String!) { trips(vehicle_key: $vehicle) { nodes { ...trip } } }
      fragment trip on Trip { ... on Trip { ${selection} } }`;
    const { data, messages } = await ask<{ trips: { nodes: object[] } }>(ownerOf(accountKey), source, {
      vehicle: vehicleKey,
    });
    expect(messages).toEqual([]);
    return data.trips.nodes as Record<string, unknown>[];
  };
  const nodes = await of(all);
  for (const name of Object.keys(nodes[0] ?? {})) {
    const [selection = name] = new RegExp(`\\b${name}( \\{(?:[^{}]|\\{[^{}]*\\})*\\})?(?= |$)`).exec(all) ?? [];
    expect((await of(selection)).map((node) => node[name])).toEqual(nodes.map((node) => node[name]));
  }
});
