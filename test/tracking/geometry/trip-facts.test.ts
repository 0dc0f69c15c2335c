import { expect, test } from 'vitest';

import { emptyTripPoints, type TripPoints } from '../../../models/trips/trip-points.ts';
import { emptyReadings } from '../../../models/trips/trip-readings.ts';
import { tripFacts } from '../../../tracking/geometry/trip-facts.ts';

/** Positions of `[seconds, latitude, speed in m/s]` along the prime meridian. */
function along(...positions: readonly (readonly [seconds: number, lat: number, speed?: number])[]): TripPoints {
  const points = emptyTripPoints(positions.length);
  for (const [i, [seconds, lat, speed = Number.NaN]] of positions.entries()) {
    points.time[i] = seconds * 1000;
    points.lat[i] = lat;
    points.speed[i] = speed;
  }
  return points;
}

test('Distance is the sum of the steps, in metres and miles', () => {
  const facts = tripFacts(along([0, 0], [10, 0.001], [20, 0]));
  expect(facts.distance_meters).toBeCloseTo(222.39, 2);
  expect(facts.gps_distance).toBeCloseTo(222.39 / 1609.344, 6);
  expect(facts.duration_seconds).toBe(20);
  expect(facts.mean_speed).toBeCloseTo((11.1195 * 3600) / 1609.344, 3);
});

test('A single position has no duration, distance or mean speed', () => {
  expect(tripFacts(along([7, 1.5]))).toMatchObject({
    duration_seconds: 0,
    distance_meters: 0,
    point_count: 1,
    bounding_box: [0, 1.5, 0, 1.5],
    max_speed: null,
    mean_speed: null,
    idle_time: null,
    hard_brakes: null,
    rapid_accels: null,
    stops: [],
    gaps: [],
  });
});

test('The greatest speed is a recorded one where any is recorded', () => {
  expect(tripFacts(along([0, 0, 2], [10, 0.001, 5])).max_speed).toBeCloseTo((5 * 3600) / 1609.344, 6);
});

test('Without recorded speeds it is the greatest between positions, impossible jumps left out', () => {
  expect(tripFacts(along([0, 0], [10, 0.001], [11, 0.1])).max_speed).toBeCloseTo((11.1195 * 3600) / 1609.344, 3);
});

test('Where the clock runs backwards, the trip starts at its earliest and ends at its latest position', () => {
  const facts = tripFacts(along([10, 0.1], [0, 0.2], [30, 0.3], [20, 0.4]));
  expect(facts.start_point).toMatchObject({ point: { lat: 0.2 }, timestamp: new Date(0) });
  expect(facts.end_point).toMatchObject({ point: { lat: 0.3 }, timestamp: new Date(30_000) });
  expect(facts.duration_seconds).toBe(30);
});

/** The same positions with events and with whether the ignition is on. */
function withEngine(
  points: TripPoints,
  events: Readonly<Record<number, readonly string[]>>,
  ignition: readonly (0 | 1 | undefined)[] = [],
): TripPoints {
  const readings = emptyReadings(points.length);
  for (const [at, isOn] of ignition.entries()) readings.ignition[at] = isOn ?? Number.NaN;
  const happened = new Map(Object.entries(events).map(([at, there]) => [Number(at), there]));
  return { ...points, events: happened, ...(ignition.length > 0 && { readings }) };
}

test('A vehicle idles while it stands and its engine is known to run', () => {
  const drive = along([0, 0, 10], [10, 0.001, 0], [70, 0.001, 0.2], [80, 0.001, 10], [90, 0.002, 10]);
  expect(tripFacts(drive).idle_time).toBeNull();
  expect(tripFacts(withEngine(drive, { 0: ['engine_start'] })).idle_time).toBe(60);
  expect(tripFacts(withEngine(drive, { 2: ['engine_start'] })).idle_time).toBe(0);
  expect(tripFacts(withEngine(drive, { 0: ['trip_over_speeding'] })).idle_time).toBeNull();
  expect(tripFacts(withEngine(drive, {}, [1])).idle_time).toBe(60);
  expect(tripFacts(withEngine(drive, {}, [1, 1, 1, 1, 1])).idle_time).toBe(60);
  expect(tripFacts(withEngine(drive, { 0: ['engine_start'] }, [1, 0, 0, 1, 1])).idle_time).toBe(0);
});

test('Where no speed was recorded, a vehicle stands if it comes no farther', () => {
  const drive = along([0, 0], [60, 0], [120, 0.0002], [180, 0.01]);
  expect(tripFacts(withEngine(drive, { 0: ['engine_start'] })).idle_time).toBe(120);
});

test('A time without positions is no idling, nor one that runs backwards', () => {
  const started = { 0: ['engine_start'] };
  expect(tripFacts(withEngine(along([0, 0, 0], [301, 0, 0], [302, 0, 0]), started)).idle_time).toBe(1);
  expect(tripFacts(withEngine(along([10, 0, 0], [0, 0, 0], [5, 0, 0]), started)).idle_time).toBe(5);
  expect(tripFacts(withEngine(along([0, 0, 0], [10, 0.01, 0]), started)).idle_time).toBe(0);
});

test('Hard braking and acceleration are counted by position, once a device reports either', () => {
  const drive = along([0, 0], [10, 0.001], [20, 0.002]);
  const facts = (events: Readonly<Record<number, readonly string[]>>) => {
    const { hard_brakes, rapid_accels } = tripFacts(withEngine(drive, events));
    return [hard_brakes, rapid_accels];
  };
  expect(facts({})).toEqual([null, null]);
  expect(facts({ 0: ['trip_over_speeding'] })).toEqual([null, null]);
  expect(facts({ 1: ['trip_rapid_accel'] })).toEqual([0, 1]);
  expect(facts({ 0: ['trip_hard_brake', 'trip_severe_hard_brake'], 2: ['trip_severe_hard_brake'] })).toEqual([2, 0]);
});

test('Odometer and fuel at the ends are the first and the last that were read', () => {
  const drive = along([0, 0], [10, 0.001], [20, 0.002], [30, 0.003]);
  const readings = emptyReadings(4);
  readings.odometer.set([Number.NaN, 160_934, 162_544, Number.NaN]);
  readings.fuel_level.set([60.5, Number.NaN, Number.NaN, Number.NaN]);
  const { start_point, end_point } = tripFacts({ ...drive, readings });
  expect([start_point, end_point].map(({ odometer, fuel_level }) => [odometer, fuel_level])).toEqual([
    [100, 60.5],
    [101, 60.5],
  ]);
});
