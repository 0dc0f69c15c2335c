import { expect, test } from 'vitest';

import { emptyTripPoints, type TripPoints } from '../../../models/trips/trip-points.ts';
import { tripFacts } from '../../../resolvers/geometry/trip-facts.ts';

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
