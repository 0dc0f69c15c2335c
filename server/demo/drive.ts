import { emptyTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../models/trips/trip-points-codec.ts';
import type { Random } from './random.ts';
import { headingAt, METERS_PER_DEGREE, type Route, STEP } from './route.ts';

/** Acceleration and deceleration of a driver, in meters per second squared. */
const ACCELERATION = 1.5;
const BRAKING = 2;
/** Maximum lateral acceleration in a bend, in meters per second squared. */
const SIDEWAYS = 2;
/** Number of points on each side from which a bend is measured. */
const BEND_REACH = 3;

/**
 * Computes the speeds at each point, in meters per second: slower in bends, zero at the ends and at pauses.
 *
 * @param pauses points at which the vehicle stops
 * @param haste how fast the driver is; 1 is the speed of the street
 */
function speedProfile(route: Route, pauses: ReadonlyMap<number, number>, haste: number): Float64Array {
  const { positions } = route;
  const last = positions.length - 1;
  const speeds = Float64Array.from(positions, (_, at) => {
    if (at === 0 || at === last || pauses.has(at)) return 0;
    return Math.min((route.speeds[at] ?? 0) * haste, bendLimit(route, at));
  });
  for (let at = 1; at <= last; at++) {
    const reached = Math.sqrt((speeds[at - 1] ?? 0) ** 2 + 2 * ACCELERATION * STEP);
    speeds[at] = Math.min(speeds[at] ?? 0, reached);
  }
  for (let at = last - 1; at >= 0; at--) {
    const braked = Math.sqrt((speeds[at + 1] ?? 0) ** 2 + 2 * BRAKING * STEP);
    speeds[at] = Math.min(speeds[at] ?? 0, braked);
  }
  return speeds;
}

function bendLimit({ positions }: Route, at: number): number {
  const turn = headingAt(positions, at + BEND_REACH - 1) - headingAt(positions, at - BEND_REACH);
  const radians = (Math.abs(((turn + 540) % 360) - 180) * Math.PI) / 180;
  return Math.max(3, Math.sqrt((SIDEWAYS * BEND_REACH * STEP) / (radians || 1e-6)));
}

/** Share of crossings with a red light, and the waiting time there, in seconds. */
const RED = 0.4;
const RED_SECONDS = [8, 50] as const;
/** Seconds between two positions by default. */
const SAMPLE_SECONDS = 3;
/** Error of a receiver, in meters, and the share of it that carries over to the next fix. */
const DRIFT = 2.2;
const CARRIED_OVER = 0.9;
/** Speed in meters per second below which a receiver repeats its last position. */
const STANDING = 0.3;

/** A moment of a drive: the position, as a number of a point, and the speed. */
interface Moment {
  readonly seconds: number;
  readonly at: number;
  readonly speed: number;
}

/**
 * Records a drive, every three seconds by default, with the errors of a receiver.
 *
 * @param started in milliseconds since 1970, a whole second
 */
export function drive(route: Route, started: number, random: Random, sampleSeconds = SAMPLE_SECONDS): TripPoints {
  const moments = momentsOf(route, random);
  const count = Math.ceil((moments.at(-1)?.seconds ?? 0) / sampleSeconds) + 1;
  const points = emptyTripPoints(count);
  let offNorth = random.around() * DRIFT;
  let offEast = random.around() * DRIFT;
  let next = 0;
  for (let i = 0; i < count; i++) {
    const seconds = i * sampleSeconds;
    while (next < moments.length - 1 && (moments[next]?.seconds ?? 0) < seconds) next++;
    const { at, speed } = momentBetween(moments[next - 1], moments[next], seconds);
    if (speed > STANDING) {
      offNorth = CARRIED_OVER * offNorth + (1 - CARRIED_OVER) * 3 * DRIFT * random.around();
      offEast = CARRIED_OVER * offEast + (1 - CARRIED_OVER) * 3 * DRIFT * random.around();
    }
    const [lat, lon] = positionAt(route, at);
    points.time[i] = started + seconds * 1000;
    points.lat[i] = storedDegrees(lat + offNorth / METERS_PER_DEGREE);
    points.lon[i] = storedDegrees(lon + offEast / METERS_PER_DEGREE / Math.cos((lat * Math.PI) / 180));
    points.speed[i] = storedSpeed(speed > STANDING ? Math.max(0, speed + 0.15 * random.around()) : 0);
    points.heading[i] = storedHeading(headingAt(route.positions, Math.floor(at)));
  }
  const events = new Map([
    [0, ['engine_start']],
    [count - 1, ['engine_stop']],
  ]);
  return { ...points, events };
}

function momentsOf(route: Route, random: Random): Moment[] {
  const pauses = new Map<number, number>();
  for (const crossing of route.crossings) {
    if (random.next() < RED) pauses.set(crossing, Math.round(random.between(...RED_SECONDS)));
  }
  const speeds = speedProfile(route, pauses, random.between(0.8, 1.04));
  const moments: Moment[] = [];
  let seconds = 0;
  for (const [at, speed] of speeds.entries()) {
    if (at > 0) seconds += STEP / Math.max(0.7, ((speeds[at - 1] ?? 0) + speed) / 2);
    moments.push({ seconds, at, speed });
    const pause = pauses.get(at);
    if (pause === undefined) continue;
    seconds += pause;
    moments.push({ seconds, at, speed });
  }
  return moments;
}

/** Interpolates between two moments; after the last one, the vehicle stands. */
function momentBetween(before: Moment | undefined, after: Moment | undefined, seconds: number): Moment {
  if (!after) throw new RangeError('A drive has at least one moment');
  if (!before || seconds >= after.seconds) return after;
  const share = (seconds - before.seconds) / (after.seconds - before.seconds);
  return {
    seconds,
    at: before.at + (after.at - before.at) * share,
    speed: before.speed + (after.speed - before.speed) * share,
  };
}

function positionAt({ positions }: Route, at: number): readonly [lat: number, lon: number] {
  const [lat1, lon1] = positions[Math.floor(at)] ?? [0, 0];
  const [lat2, lon2] = positions[Math.ceil(at)] ?? [lat1, lon1];
  const share = at - Math.floor(at);
  return [lat1 + (lat2 - lat1) * share, lon1 + (lon2 - lon1) * share];
}
