import type { TripPoints } from '../../../models/trips/trip-points.ts';
import { gaps } from '../../geometry/gaps.ts';
import { stepDistances } from '../../geometry/haversine.ts';
import { JUMP_METERS_PER_SECOND } from '../../geometry/speeds.ts';
import type { FaultCounts } from '../faults/fault-counts.ts';

/** Duration below which repeated positions count as a vehicle waiting at a crossing. */
const SHORTEST_MS = 10_000;

/** Recorded speed from which a vehicle counts as moving, in meters per second. */
const MOVING_METERS_PER_SECOND = 3;

/** Assumed duration of a step without a positive interval, to tell a jump from noise. */
const SECONDS_WITHOUT_INTERVAL = 1;

/** Reports implausible positions of a trip, each with its line of the file. */
export function examinePositions(points: TripPoints, line: Float64Array, faults: FaultCounts): void {
  const { length, time } = points;
  const lineOf = (at: number) => line[at] ?? 0;
  const steps = stepDistances(points);
  const now = Date.now();
  if (length === 1) faults.report('one_point', lineOf(0));
  for (let i = 0; i < length; i++) if ((time[i] ?? 0) > now) faults.report('in_future', lineOf(i));
  for (let i = 1; i < length; i++) {
    const interval = ((time[i] ?? 0) - (time[i - 1] ?? 0)) / 1000;
    if (interval === 0) faults.report('repeated_time', lineOf(i));
    if (interval < 0) faults.report('time_backwards', lineOf(i));
    const seconds = interval > 0 ? interval : SECONDS_WITHOUT_INTERVAL;
    if ((steps[i - 1] ?? 0) / seconds > JUMP_METERS_PER_SECOND) faults.report('jump', lineOf(i));
  }
  let at = 1;
  for (const { ended } of gaps(time, steps)) {
    at = time.indexOf(ended.getTime(), at);
    faults.report('gap', lineOf(at));
  }
  for (const first of findFrozenFixes(points, steps)) faults.report('frozen_fix', lineOf(first));
}

/**
 * Finds where a receiver repeats one position for 10 s or longer although the vehicle moves, as a recorded speed at
 * each repetition or the jump to the next position shows. Returns the first repetitions. `steps` are in meters.
 */
function findFrozenFixes({ length, time, speed }: TripPoints, steps: Float64Array): number[] {
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
