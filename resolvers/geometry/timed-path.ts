import { pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { encodeNumbers } from '../../schema/trips/polyline.ts';
import type { TimedTripPath } from '../../schema/trips/timed-trip-path.ts';

import { gaps } from './gaps.ts';
import { JUMP_METERS_PER_SECOND, milesPerHour } from './speeds.ts';
import { stepDistances } from './haversine.ts';
import { breaksAmong, encodedPath } from './trip-path.ts';

/** Encodes the retained positions of a trip with their times and the speeds between them; see {@link tripPath}. */
export function timedTripPath(
  points: TripPoints,
  breaks: readonly number[],
  retained: readonly number[],
): TimedTripPath {
  const path = encodedPath(pickTripPoints(points, retained), breaksAmong(retained, breaks));
  const hidden = new Set(path.breaks);
  const speeds = stretchSpeeds(points, retained).map((speed, at) => (hidden.has(at + 1) ? null : speed));
  return {
    ...path,
    times: encodeNumbers(retained.map((at) => Math.floor((points.time[at] ?? 0) / 1000))),
    speeds: encodeNumbers(speeds.map((speed) => (speed === null ? -1 : Math.round(milesPerHour(speed) * 10)))),
  };
}

/**
 * The mean speed in m/s from each retained position to the next: of the recorded speeds on the way, both ends included,
 * else distance by time; null if unknown: in gaps and jumps, and where no time passes.
 */
function stretchSpeeds(points: TripPoints, retained: readonly number[]): (number | null)[] {
  const steps = stepDistances(points);
  const blind = new Set(gaps(points.time, steps).map(({ started }) => started.getTime()));
  return retained.slice(1).map((until, stretch) => {
    const from = retained[stretch] ?? 0;
    let [recorded, count, distance, time] = [0, 0, 0, 0];
    for (let at = from; at < until; at++) {
      const began = points.time[at] ?? 0;
      if (blind.has(began)) continue;
      distance += steps[at] ?? 0;
      time += (points.time[at + 1] ?? 0) - began;
      for (const speed of [points.speed[at], points.speed[at + 1]]) {
        if (speed === undefined || Number.isNaN(speed)) continue;
        recorded += speed;
        count++;
      }
    }
    if (count > 0) return recorded / count;
    const speed = distance / (time / 1000);
    return time > 0 && speed <= JUMP_METERS_PER_SECOND ? speed : null;
  });
}
