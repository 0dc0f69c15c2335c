import { expect, test } from 'vitest';

import { emptyTripPoints, type TripPoints } from '../../../models/trips/trip-points.ts';
import { UNINTERRUPTED } from '../../../tracking/geometry/interruptions.ts';
import { timedTripPath } from '../../../tracking/geometry/timed-path.ts';
import { finish } from '../../../tracking/scheduling/steps.ts';
import { decodeNumbers } from '../../../schema/trips/polyline.ts';

/** A track along the equator: seconds, metres from its start, and the recorded speed in metres per second, if any. */
function trackAlong(...positions: readonly (readonly [seconds: number, meters: number, speed?: number])[]): TripPoints {
  const points = emptyTripPoints(positions.length);
  for (const [at, [seconds, meters, speed = Number.NaN]] of positions.entries()) {
    points.time[at] = seconds * 1000;
    points.lon[at] = meters / 111_195.08;
    points.speed[at] = speed;
  }
  return points;
}

function speedsOf(
  points: TripPoints,
  retained = Array.from({ length: points.length }, (_, at) => at),
): (number | null)[] {
  return decodeNumbers(finish(timedTripPath(points, UNINTERRUPTED, retained)).speeds).map((tenths) =>
    tenths < 0 ? null : tenths / 10,
  );
}

/** Ten metres a second in miles per hour. */
const TEN = 22.4;

test('the speed of a stretch is the mean of the recorded ones', () => {
  expect(speedsOf(trackAlong([0, 0, 10], [1, 3, 10], [2, 6, 20]))).toEqual([TEN, 33.6]);
});

test('without recorded ones it is distance by time, also over what was left out', () => {
  const points = trackAlong([0, 0], [1, 10], [2, 20], [4, 20], [5, 30]);
  expect(speedsOf(points)).toEqual([TEN, TEN, 0, TEN]);
  expect(speedsOf(points, [0, 2, 4])).toEqual([TEN, 7.5]);
});

test.each([
  ['in a gap', trackAlong([0, 0, 10], [1, 10, 10], [100, 500, 10], [101, 510, 10], [102, 520, 10])],
  ['in a jump', trackAlong([0, 0], [1, 10], [2, 5000], [3, 5010], [4, 5020])],
  ['while no time passes', trackAlong([0, 0], [1, 10], [1, 30], [2, 40], [3, 50])],
])('it is not known %s', (_, points) => {
  expect(speedsOf(points)).toEqual([TEN, null, TEN, TEN]);
});

test('it is not known over what a privacy zone hides', () => {
  const path = finish(
    timedTripPath(trackAlong([0, 0], [1, 10], [20, 200], [21, 210]), { breaks: [2], gaps: [] }, [0, 1, 2, 3]),
  );
  expect(path.breaks).toEqual([2]);
  expect(decodeNumbers(path.speeds)).toEqual([224, -1, 224]);
});

test('a single position has a time and no speed', () => {
  expect(finish(timedTripPath(trackAlong([7.9, 0]), UNINTERRUPTED, [0]))).toMatchObject({
    point_count: 1,
    times: 'M',
    speeds: '',
  });
});
