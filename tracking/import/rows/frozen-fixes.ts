import type { TripPoints } from '../../../models/trips/trip-points.ts';
import { JUMP_METERS_PER_SECOND } from '../../geometry/speeds.ts';

/** A receiver that repeats itself for less than this is a vehicle at a crossing, as far as anybody can tell. */
const SHORTEST_MS = 10_000;

/** A recorded speed from which on a vehicle does not stand, in meters per second. */
const MOVING_METERS_PER_SECOND = 3;

/**
 * Finds where a receiver repeats one position for 10 s or longer although the vehicle moves, as a recorded speed at
 * each repetition or the jump to the next position shows. Returns the first repetitions. `steps` are in meters.
 */
export function findFrozenFixes({ length, time, speed }: TripPoints, steps: Float64Array): number[] {
  const found: number[] = [];
  let from = 0;
  while (from < length - 1) {
    let last = from;
    while (steps[last] === 0) last++;
    const lasted = (time[last] ?? 0) - (time[from] ?? 0);
    if (lasted >= SHORTEST_MS && (isMoving(speed.subarray(from + 1, last + 1)) || jumpsFrom(last, time, steps))) {
      found.push(from + 1);
    }
    from = last + 1;
  }
  return found;
}

function isMoving(speeds: Float64Array): boolean {
  return speeds.every((speed) => speed >= MOVING_METERS_PER_SECOND);
}

function jumpsFrom(at: number, time: Float64Array, steps: Float64Array): boolean {
  const seconds = ((time[at + 1] ?? 0) - (time[at] ?? 0)) / 1000;
  return (steps[at] ?? 0) > JUMP_METERS_PER_SECOND * Math.max(seconds, 1);
}
