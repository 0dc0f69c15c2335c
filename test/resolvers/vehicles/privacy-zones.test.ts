import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Caller } from '../../../auth/caller.ts';
import { readPermissionStamp } from '../../../models/store/permission-stamp.ts';
import { listPrivacyZones, PrivacyZoneStore, stateOfZones } from '../../../models/vehicles/privacy-zone.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { boundingBox } from '../../../tracking/geometry/bounding-box.ts';
import { haversineMeters } from '../../../tracking/geometry/haversine.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { decodePolyline, encodePolyline } from '../../../schema/trips/polyline.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { type GpxPosition, useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ask, embedOf, everyFieldOf, ownerOf } from '../../fixtures/trip-query.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();
const gpx = useGpxFiles();

const START = Date.UTC(2024, 4, 2, 6);
const HOUR = 3_600_000;
const METERS_PER_DEGREE = 111_195;

/** A position that is written with the seven decimals that are stored. */
const at = (time: number, lat: number, lon: number): GpxPosition => ({
  time,
  lat: Number(lat.toFixed(7)),
  lon: Number((((lon + 540) % 360) - 180).toFixed(7)),
});

/** A trip every few seconds, whose place is a function of its share, from 0 to 1. */
const drive = (hour: number, count: number, place: (share: number) => readonly [number, number]) =>
  Array.from({ length: count }, (_, i) => at(START + hour * HOUR + i * 5000, ...place(i / (count - 1))));

/** Out and home again, through town, round a block with a long stay, across the antimeridian, and in one place. */
const TRIPS = [
  drive(0, 60, (s) => [53.07 + 0.02 * s, 8.8 + 0.03 * s]),
  drive(1, 60, (s) => [53.09 - 0.02 * s, 8.83 - 0.03 * s]),
  drive(1.05, 50, (s) => [53.08, 8.78 + 0.07 * s]),
  drive(2, 80, (s) => [
    53.08 + 0.004 * Math.sin(6.28 * s),
    8.81 + (s > 0.4 && s < 0.6 ? 0 : 0.006 * Math.cos(6.28 * s)),
  ]),
  drive(3, 40, (s) => [-17 + 0.02 * s, 179.98 + 0.04 * s]),
  drive(4, 1, () => [53.07, 8.8]),
];
const POSITIONS = TRIPS.flat();

interface Place {
  readonly lat: number;
  readonly lon: number;
}

interface ZoneOf {
  readonly lat: number;
  readonly lon: number;
  readonly radius_meters: number;
}

interface Seen {
  readonly key: string;
  readonly start_point: { readonly point: Place; readonly timestamp: string; readonly address: object | null };
  readonly end_point: { readonly point: Place; readonly timestamp: string; readonly address: object | null };
  readonly duration_seconds: number;
  readonly distance_meters: number;
  readonly point_count: number;
  readonly bounding_box: readonly number[];
  readonly encoded_polyline: string;
  readonly path: { readonly points: string; readonly breaks: readonly number[] };
}

let accountKey: string;
let vehicleKey: string;
let keys: string[];
let list: string;
let points: string;

beforeAll(async () => {
  accountKey = (await account()).key;
  vehicleKey = await vehicle(accountKey);
  const files = [await gpx.write('trips.gpx', TRIPS)];
  const imported = { key: vehicleKey, account_key: accountKey };
  const { trips } = await importTrips(testService, { files, vehicle: imported, read: { overlap: 'keep' } });
  keys = trips.map(({ key }) => key);
  const address = { street: 'Home 1', city: 'Bremen', state: null, zipcode: null };
  const place = { key: 'p', name: 'Home' };
  await TripStore.updateMany(
    unrestricted(testService),
    { vehicle_key: vehicleKey },
    {
      'start_point.address': address,
      'end_point.address': address,
      'start_point.place': place,
      'end_point.place': place,
      'start_point.odometer': 12,
    },
  );
  const fields = await everyFieldOf('Trip');
  list = `query ($vehicle: String!, $first: Int, $after: String, $tolerance: Float, $max: Int) {
    trips(vehicle_key: $vehicle, first: $first, after: $after) {
      nodes { ${fields} coarse: path(tolerance_meters: $tolerance) { points bounding_box breaks } few: path(max_points: $max) { points bounding_box } }
      page_info { end_cursor has_next_page }
    }
  }`;
  points = `query ($trip: String!) { tripPoints(trip_key: $trip) { nodes { point { lat lon } timestamp } } }`;
});

afterEach(async () => {
  await PrivacyZoneStore.deleteMany(unrestricted(testService), {});
});

const app = (): Caller => ({
  kind: 'app',
  role: 'administrator',
  account_key: accountKey,
  user_key: 'u',
  client_id: 'c',
  grant_hash: 'g',
  scopes: new Set(['account_activity.read', 'trippoints.read']),
  group_keys: null,
});

const UPDATE =
  'mutation ($key: String!, $input: PrivacyZoneChange!) { updatePrivacyZone(key: $key, input: $input) { key name } }';
const CREATE = 'mutation ($input: PrivacyZoneInput!) { createPrivacyZone(input: $input) { key } }';

type ZoneChange = Partial<ZoneOf> & { readonly name?: string | null; readonly trips?: string; readonly point?: null };

/** A zone as an input has it; of one that changes, a part. */
function inputOf({ lat, lon, radius_meters: radius, ...others }: ZoneChange) {
  return { ...others, ...(lat !== undefined && { point: { lat, lon } }), ...(radius !== undefined && { radius }) };
}

async function setZones(zones: readonly ZoneOf[]): Promise<void> {
  await PrivacyZoneStore.deleteMany(unrestricted(testService), {});
  for (const zone of zones)
    expect((await ask(ownerOf(accountKey), CREATE, { input: inputOf(zone) })).messages).toEqual([]);
}

async function listed(caller: Caller, variables: object = {}) {
  interface Page {
    readonly trips: { readonly nodes: readonly Seen[]; readonly page_info: { readonly end_cursor: string | null } };
  }
  const answer = await ask<Page>(caller, list, { vehicle: vehicleKey, tolerance: 30, max: 4, ...variables });
  expect(answer.messages).toEqual([]);
  return answer.data.trips;
}

/** Every position in an answer, whatever field it stands in. */
function positionsIn(value: unknown): Place[] {
  if (Array.isArray(value)) return value.flatMap(positionsIn);
  if (typeof value !== 'object' || value === null) return [];
  const here = 'lat' in value && 'lon' in value ? [value as Place] : [];
  return Object.entries(value).reduce((found, [name, part]) => {
    const isLine = (name === 'points' || name === 'encoded_polyline') && typeof part === 'string';
    const line = isLine ? decodePolyline(part).map(([lon, lat]) => ({ lat, lon })) : positionsIn(part);
    return found.concat(line);
  }, here);
}

const metersTo = ({ lat, lon }: Place, zone: Place) => haversineMeters(lat, lon, zone.lat, zone.lon);
const rounded = ({ lat, lon }: Place, unitsPerDegree = 1e5): Place => ({
  lat: Math.round(lat * unitsPerDegree) / unitsPerDegree,
  lon: Math.round(lon * unitsPerDegree) / unitsPerDegree,
});
const isHidden = (place: Place, zones: readonly ZoneOf[]) => {
  const outlined = rounded(place, 1e6);
  const shown = [place, outlined, rounded(place), rounded(outlined)];
  return zones.some((zone) => shown.some((one) => metersTo(one, zone) <= zone.radius_meters));
};

/** The positions that a caller should see, computed from the recording. */
function remaining(zones: readonly ZoneOf[], { gte = -Infinity, lt = Infinity }: { gte?: number; lt?: number }) {
  return TRIPS.map((trip, i) => ({
    key: keys[i] ?? '',
    left: trip.filter((position) => position.time >= gte && position.time < lt && !isHidden(position, zones)),
  }))
    .filter(({ left }) => left.length > 0)
    .sort((a, b) => (a.left[0]?.time ?? 0) - (b.left[0]?.time ?? 0) || (a.key < b.key ? -1 : 1));
}

/** Zones on and beside the ways, whose edge may be just at a position. */
const zone = fc
  .tuple(
    fc.constantFrom(...POSITIONS),
    fc.constantFrom(...POSITIONS),
    fc.oneof(fc.constantFrom(0, 0.3, -0.3), fc.integer({ min: 1, max: 1500 })),
    fc.double({ min: -0.004, max: 0.004, noNaN: true }),
  )
  .map(([centre, other, more, aside]) => {
    const place = {
      lat: centre.lat,
      lon: Math.max(-180, Math.min(180, centre.lon + (Math.abs(more) < 1 ? 0 : aside))),
    };
    const radius = Math.abs(more) < 1 && metersTo(other, place) < 3000 ? metersTo(other, place) + more : Math.abs(more);
    return { ...place, radius_meters: Math.max(1, radius) };
  });
const zones = fc.array(zone, { minLength: 1, maxLength: 3 });
const window = fc.record(
  {
    gte: fc.constantFrom(...POSITIONS).map(({ time }) => time),
    lt: fc.constantFrom(...POSITIONS).map(({ time }) => time),
  },
  { requiredKeys: [] },
);

describe('Privacy zones', () => {
  test('no position inside leaves to a trip map or an app by any field, and nothing else is hidden', async () => {
    await fc.assert(
      fc.asyncProperty(
        zones,
        window,
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 2, max: 9 }),
        async (given, scope, tolerance, max) => {
          await setZones(given);
          for (const caller of [embedOf(accountKey, vehicleKey, scope), app()]) {
            const expected = remaining(given, caller.kind === 'embed' ? scope : {});
            const { nodes } = await listed(caller, { tolerance, max });
            expect(nodes.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
            for (const place of positionsIn(nodes))
              expect(given.filter((it) => metersTo(place, it) <= it.radius_meters)).toEqual([]);
            for (const [i, trip] of nodes.entries()) {
              const left = expected[i]?.left ?? [];
              const [first, last] = [left[0], left.at(-1)];
              const column = (name: 'lat' | 'lon') => Float64Array.from(left, (position) => position[name]);
              expect(trip.encoded_polyline).toBe(encodePolyline(left));
              expect(trip.path.points).toBe(trip.encoded_polyline);
              expect(trip.bounding_box).toEqual(
                boundingBox({ length: left.length, lat: column('lat'), lon: column('lon') }),
              );
              expect(trip).toMatchObject({
                point_count: left.length,
                duration_seconds: ((last?.time ?? 0) - (first?.time ?? 0)) / 1000,
                start_point: { point: { lat: first?.lat, lon: first?.lon } },
                end_point: { point: { lat: last?.lat, lon: last?.lon } },
              });
              // What is stored of an end would tell that the trip began or ended there, and not inside.
              expect([trip.start_point.address, trip.end_point.address]).toEqual([null, null]);
              const steps = left.slice(1).map((position, j) => metersTo(position, left[j] ?? position));
              expect(trip.distance_meters).toBeCloseTo(
                steps.reduce((sum, step) => sum + step, 0),
                3,
              );
            }
          }
        },
      ),
      { numRuns: runSize(10, 60) },
    );
  });

  test('a zone that is changed hides what is in it now, from the next request on, and is another one when it is back', async () => {
    const [trip = []] = TRIPS;
    const [here, there] = [trip[0], trip.at(-1)].map((place) => ({ lat: place?.lat ?? 0, lon: place?.lon ?? 0 }));
    await setZones([{ lat: here?.lat ?? 0, lon: here?.lon ?? 0, radius_meters: 200 }]);
    const readZones = () => listPrivacyZones(accountAccessScope(testService, accountKey));
    const [made] = await readZones();
    const change = async (input: ZoneChange) => {
      const { messages } = await ask(ownerOf(accountKey), UPDATE, { key: made?.key, input: inputOf(input) });
      return messages;
    };
    const seen = async () => (await listed(app())).nodes.map(({ key }) => key);
    const shownPlaces = async () => positionsIn((await listed(app())).nodes);
    const isShown = (places: readonly Place[], place: Place | undefined) =>
      places.some(({ lat, lon }) => metersTo({ lat, lon }, place ?? { lat: 0, lon: 0 }) < 20);
    const states = [stateOfZones(await readZones())];
    expect(isShown(await shownPlaces(), here)).toBe(false);
    expect(isShown(await shownPlaces(), there)).toBe(true);
    const stamp = await readPermissionStamp(testService);
    expect(await change({ ...there, name: 'Yard' })).toEqual([]);
    // Streams that are open look again at what they may send.
    expect(await readPermissionStamp(testService)).not.toBe(stamp);
    expect(isShown(await shownPlaces(), here)).toBe(true);
    expect(isShown(await shownPlaces(), there)).toBe(false);
    states.push(stateOfZones(await readZones()));
    expect(await change({ trips: 'hide' })).toEqual([]);
    expect(await seen()).not.toContain(keys[0]);
    expect(await change({ ...here, trips: 'cut' })).toEqual([]);
    states.push(stateOfZones(await readZones()));
    expect(new Set(states).size).toBe(3);
    expect(await change({ name: null })).toEqual([]);
    expect(stateOfZones(await readZones())).toBe(states[2]);
    expect(await seen()).toContain(keys[0]);
    expect(await change({ point: null })).toEqual(['point must not be null']);
    expect(await change({ radius_meters: 0 })).toEqual(['radius must be a number from 1 to 100000']);
  });

  test('a position just outside, which a polyline would round into one, does not leave either', async () => {
    const moved = (position: GpxPosition) => metersTo(rounded(position), position);
    const beside = TRIPS[0]?.slice(5, -5).find((position) => moved(position) > 0.3);
    if (!beside) throw new RangeError('No position is moved by rounding');
    const far = 50 / moved(beside);
    const centre = {
      lat: beside.lat + (rounded(beside).lat - beside.lat) * far,
      lon: beside.lon + (rounded(beside).lon - beside.lon) * far,
    };
    const edge = { ...centre, radius_meters: metersTo(beside, centre) - 0.1 };
    expect(metersTo(rounded(beside), edge)).toBeLessThan(edge.radius_meters);
    await setZones([edge]);
    const places = positionsIn((await listed(app())).nodes);
    expect(places.filter((place) => metersTo(place, edge) <= edge.radius_meters)).toEqual([]);
    expect(places).not.toContainEqual({ lat: beside.lat, lon: beside.lon });
  });

  test('no line is drawn through them, and lines end only there', async () => {
    await fc.assert(
      fc.asyncProperty(zones, async (given) => {
        await setZones(given);
        for (const trip of (await listed(embedOf(accountKey, vehicleKey))).nodes) {
          const line = decodePolyline(trip.path.points).map(([lon, lat]) => ({ lat, lon }));
          for (const [i, to] of line.entries()) {
            const from = line[i - 1];
            if (!from) continue;
            const middle = Array.from({ length: 41 }, (_, step) => ({
              lat: from.lat + ((to.lat - from.lat) * step) / 40,
              lon: from.lon + ((((to.lon - from.lon + 540) % 360) - 180) * step) / 40,
            }));
            const depth = Math.max(
              ...given.flatMap((it) => middle.map((place) => it.radius_meters - metersTo(place, it))),
            );
            // Positions are rounded by a metre, and the way between two is looked at in forty places.
            if (depth > 2) expect(trip.path.breaks).toContain(i);
            if (depth < -metersTo(from, to) / 40 - 2) expect(trip.path.breaks).not.toContain(i);
          }
        }
      }),
      { numRuns: runSize(6, 30) },
    );
  });

  test('each recorded position outside leaves to an app, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(zones, fc.constantFrom(...TRIPS.keys()), async (given, which) => {
        await setZones(given);
        const expected = remaining(given, {}).find(({ key }) => key === keys[which])?.left;
        const answer = await ask<{ tripPoints: { nodes: { point: Place }[] } | null } | null>(app(), points, {
          trip: keys[which],
        });
        expect(answer.codes).toEqual(expected ? [] : ['NOT_FOUND']);
        expect(answer.data?.tripPoints?.nodes.map(({ point }) => point)).toEqual(
          expected?.map(({ lat, lon }) => ({ lat, lon })),
        );
      }),
      { numRuns: runSize(10, 60) },
    );
  });

  test('pages of any size give the same list', async () => {
    await fc.assert(
      fc.asyncProperty(zones, window, fc.integer({ min: 1, max: 3 }), async (given, scope, first) => {
        await setZones(given);
        const caller = embedOf(accountKey, vehicleKey, scope);
        const paged: string[] = [];
        let after: string | null = null;
        do {
          const page = await listed(caller, { first, after });
          paged.push(...page.nodes.map(({ key }) => key));
          after = page.page_info.end_cursor;
        } while (after !== null);
        expect(paged).toEqual(remaining(given, scope).map(({ key }) => key));
      }),
      { numRuns: runSize(6, 30) },
    );
  });

  test('lines are the same for those who see all of a trip, whether or not there is a zone elsewhere', async () => {
    const lines = `query ($vehicle: String!) { trips(vehicle_key: $vehicle) { nodes {
      key bounding_box path { points bounding_box } fine: path(tolerance_meters: 0.4) { points bounding_box }
      outline: path(tolerance_meters: 1) { points bounding_box } coarse: path(tolerance_meters: 40) { points bounding_box }
      few: path(max_points: 5) { points bounding_box }
    } } }`;
    const seen = async (scope: { gte?: number } = {}) =>
      (await ask(embedOf(accountKey, vehicleKey, scope), lines, { vehicle: vehicleKey })).data;
    const stored = await seen();
    await setZones([{ lat: -53, lon: 8.8, radius_meters: 1000 }]);
    expect(await seen()).toEqual(stored);
    expect(await seen({ gte: START })).toEqual(stored);
  });

  test('a zone that hides trips shows none with a position inside, and none that may come there yet', async () => {
    const [first, last] = [TRIPS[1]?.[0]?.time ?? 0, TRIPS[1]?.at(-1)?.time ?? 0];
    const home = { lat: 53.07, lon: 8.8, radius_meters: 400 };
    expect((await ask(ownerOf(accountKey), CREATE, { input: inputOf({ ...home, trips: 'hide' }) })).messages).toEqual(
      [],
    );
    const isSeen = (trip: readonly GpxPosition[]) => !trip.some((position) => isHidden(position, [home]));
    const expected = TRIPS.flatMap((trip, i) => (isSeen(trip) ? (keys[i] ?? []) : []));
    expect(expected.length).toBeGreaterThan(1);
    const seen = async (caller: Caller) => (await listed(caller)).nodes.map(({ key }) => key);
    for (const caller of [app(), embedOf(accountKey, vehicleKey)]) expect(await seen(caller)).toEqual(expected);
    // A window in which the trip is outside of the zone does not show it either.
    expect(await seen(embedOf(accountKey, vehicleKey, { gte: first, lt: first + 60_000 }))).toEqual([]);
    expect(last - first).toBeGreaterThan(60_000);
    const recent = Math.max(...(TRIPS[2] ?? []).map(({ time }) => time));
    vi.useFakeTimers({ toFake: ['Date'], now: recent + 14 * 60_000 });
    try {
      expect(await seen(app())).not.toContain(keys[2]);
      vi.setSystemTime(recent + 15 * 60_000);
      expect(await seen(app())).toContain(keys[2]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a zone that was made before zones could hide trips cuts them', async () => {
    await setZones([{ lat: 53.07, lon: 8.8, radius_meters: 400 }]);
    const before = await listed(app());
    await PrivacyZoneStore.updateMany(unrestricted(testService), {}, { $unset: { trips: 1 } });
    expect(await listed(app())).toEqual(before);
    const zones = await ask<{ privacyZones: { nodes: object[] } }>(
      ownerOf(accountKey),
      '{ privacyZones { nodes { trips } } }',
    );
    expect(zones.data.privacyZones.nodes).toEqual([{ trips: 'cut' }]);
  });

  test('an owner sees everything', async () => {
    const before = await listed(ownerOf(accountKey));
    await setZones([{ lat: 53.08, lon: 8.81, radius_meters: 5000 }]);
    expect(await listed(ownerOf(accountKey))).toEqual(before);
    expect(before.nodes.map(({ point_count }) => point_count).toSorted()).toEqual(
      TRIPS.map(({ length }) => length).toSorted(),
    );
  });

  test('hold from the next request on, and no longer than they are there', async () => {
    const before = await listed(app());
    const home = { lat: 53.07, lon: 8.8, radius_meters: 400 };
    const { data } = await ask<{ createPrivacyZone: { key: string } }>(ownerOf(accountKey), CREATE, {
      input: inputOf(home),
    });
    expect(metersTo((await listed(app())).nodes[0]?.start_point.point ?? home, home)).toBeGreaterThan(400);
    const deleted = await ask(
      ownerOf(accountKey),
      `mutation ($key: String!) { removePrivacyZone(key: $key) { deleted } }`,
      {
        key: data.createPrivacyZone.key,
      },
    );
    expect(deleted.data).toEqual({ removePrivacyZone: { deleted: true } });
    expect(await listed(app())).toEqual(before);
  });

  test('a trip wholly inside does not exist, by its key neither, and is no cursor', async () => {
    await setZones([{ lat: 53.07, lon: 8.8, radius_meters: 50 }]);
    const [one, asCursor] = [`query ($trip: String!) { trip(key: $trip) { key } }`, { after: keys[5] }];
    for (const caller of [app(), embedOf(accountKey, vehicleKey)]) {
      expect((await ask(caller, one, { trip: keys[5] })).codes).toEqual(['NOT_FOUND']);
      expect((await ask(caller, list, { vehicle: vehicleKey, ...asCursor })).codes).toEqual(['BAD_REQUEST']);
    }
    expect((await ask(ownerOf(accountKey), one, { trip: keys[5] })).codes).toEqual([]);
  });

  test('those of another account hide nothing', async () => {
    const stranger = (await account()).key;
    const before = await listed(app());
    await ask(ownerOf(stranger), CREATE, {
      input: inputOf({ lat: 53.08, lon: 8.81, radius_meters: METERS_PER_DEGREE / 2 }),
    });
    expect(await listed(app())).toEqual(before);
  });

  test('are for the owner alone, and within the account', async () => {
    await setZones([{ lat: 53.07, lon: 8.8, radius_meters: 400 }]);
    const source = '{ privacyZones { nodes { key name point { lat lon } radius created } } }';
    interface Zones {
      readonly privacyZones: { readonly nodes: readonly { readonly key: string }[] };
    }
    const own = await ask<Zones>(ownerOf(accountKey), source);
    expect(own.data.privacyZones.nodes).toEqual([
      {
        key: expect.any(String),
        name: null,
        point: { lat: 53.07, lon: 8.8 },
        radius: 400,
        created: expect.stringMatching(/\+00:00$/),
      },
    ]);
    const stranger = ownerOf((await account()).key);
    expect((await ask<Zones>(stranger, source)).data.privacyZones.nodes).toEqual([]);
    const remove = 'mutation ($key: String!) { removePrivacyZone(key: $key) { deleted } }';
    const key = own.data.privacyZones.nodes[0]?.key;
    expect((await ask(stranger, remove, { key })).codes).toEqual(['NOT_FOUND']);
    for (const caller of [app(), embedOf(accountKey, vehicleKey)]) {
      expect((await ask(caller, source)).codes).toEqual(['FORBIDDEN']);
      expect((await ask(caller, remove, { key })).codes).toEqual(['FORBIDDEN']);
    }
  });

  test('are at most 100 an account, also where several are made simultaneously', async () => {
    const { key: account_key } = await account();
    const zone = (i: number) => ({ key: `${account_key}-${i}`, account_key, name: null, created: new Date() });
    const place = { point: { lat: 1, lon: 1 }, radius_meters: 1 };
    await PrivacyZoneStore.insertMany(
      unrestricted(testService),
      Array.from({ length: 98 }, (_, i) => ({ ...zone(i), ...place })),
    );
    const create = () => ask(ownerOf(account_key), CREATE, { input: inputOf({ lat: 1, lon: 1, radius_meters: 1 }) });
    expect((await create()).codes).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, create));
    const count = () => PrivacyZoneStore.countDocuments(unrestricted(testService), { account_key });
    expect(await count()).toBeLessThanOrEqual(100);
    if ((await count()) < 100) await create();
    expect(await count()).toBe(100);
    expect((await create()).messages).toEqual(['An account has at most 100 privacy zones']);
  });

  test.each([
    ['lat', { lat: 90.1 }],
    ['lon', { lon: -180.1 }],
    ['radius', { radius_meters: 0.9 }],
    ['radius', { radius_meters: 100_001 }],
  ])('are refused by the name of a wrong %s', async (name, wrong) => {
    const answer = await ask(ownerOf(accountKey), CREATE, {
      input: inputOf({ lat: 1, lon: 1, radius_meters: 1, ...wrong }),
    });
    expect(answer.codes).toEqual(['BAD_REQUEST']);
    expect(answer.messages[0]).toMatch(new RegExp(`^${name} must be`));
  });
});
