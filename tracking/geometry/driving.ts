import type { TripPoints } from '../../models/trips/trip-points.ts';

import { readingAt } from './readings.ts';
import { type Engine, engineAfter } from './engine.ts';

const HARD_BRAKES: readonly string[] = ['trip_hard_brake', 'trip_severe_hard_brake'];
const RAPID_ACCELERATION = 'trip_rapid_accel';

/**
 * Speed below which a vehicle counts as stationary, in meters per second (a mile per hour): receivers measure some speed at
 * rest.
 */
const STANDING_METERS_PER_SECOND = 0.45;
/** Maximum time between two positions of a vehicle that is certain to be stationary meanwhile, in milliseconds. */
const STANDING_MS = 5 * 60_000;
/** Maximum distance between two positions of a stationary vehicle, in meters. */
const STANDING_METERS = 25;

/**
 * Facts about driving; null if the recording does not contain them. `steps` are the meters from each position to
 * the next.
 */
export function drivingFacts(points: TripPoints, steps: Float64Array) {
  const events = [...points.events.values()];
  const count = (isMeant: (event: string) => boolean) => events.filter((there) => there.some(isMeant)).length;
  const hard_brakes = count((event) => HARD_BRAKES.includes(event));
  const rapid_accels = count((event) => event === RAPID_ACCELERATION);
  // A device that reports none in a trip may be one that never reports any.
  const isReported = hard_brakes + rapid_accels > 0;
  return {
    idle_time: idleSeconds(points, steps),
    hard_brakes: isReported ? hard_brakes : null,
    rapid_accels: isReported ? rapid_accels : null,
  };
}

/** Seconds for which the engine is known to run while the vehicle is stationary; null if it is never known to run. */
function idleSeconds(points: TripPoints, steps: Float64Array): number | null {
  if (points.events.size === 0 && !points.readings) return null;
  let engine: Engine = 'unknown';
  let isKnown = false;
  let idle = 0;
  for (let at = 0; at < points.length; at++) {
    engine = engineAt(points, at, engine);
    if (engine !== 'on') continue;
    isKnown = true;
    if (at < steps.length && isStanding(points, at, steps[at] ?? 0)) {
      idle += (points.time[at + 1] ?? 0) - (points.time[at] ?? 0);
    }
  }
  return isKnown ? idle / 1000 : null;
}

function engineAt(points: TripPoints, at: number, before: Engine): Engine {
  const ignition = readingAt(points, 'ignition', at);
  if (ignition !== null) return ignition === 1 ? 'on' : 'off';
  return engineAfter(before, points.events.get(at) ?? []);
}

/** Returns true if a vehicle is stationary from a position to the next, and these are close enough in time to be certain. */
function isStanding({ time, speed }: TripPoints, at: number, step: number): boolean {
  const elapsed = (time[at + 1] ?? 0) - (time[at] ?? 0);
  if (elapsed <= 0 || elapsed > STANDING_MS || step > STANDING_METERS) return false;
  const between = (step / elapsed) * 1000;
  return [speed[at], speed[at + 1]].every((recorded) => speedOr(recorded, between) < STANDING_METERS_PER_SECOND);
}

function speedOr(recorded: number | undefined, between: number): number {
  return recorded === undefined || Number.isNaN(recorded) ? between : recorded;
}
