import { headingAt, type Route } from './route.ts';

/** Meters per second squared that a driver takes, and brakes with. */
const ACCELERATION = 1.5;
const BRAKING = 2;
/** Sideways meters per second squared that are taken in a bend. */
const SIDEWAYS = 2;
/** Points to each side by which a bend is measured. */
const BEND_REACH = 3;

/**
 * Computes the speeds at each point, in meters per second: slower in bends, zero at the ends and at pauses.
 *
 * @param pauses points at which the vehicle stops
 * @param haste how fast the driver is; 1 is the speed of the street
 */
export function speedProfile(route: Route, pauses: ReadonlyMap<number, number>, haste: number): Float64Array {
  const { step, positions } = route;
  const last = positions.length - 1;
  const speeds = Float64Array.from(positions, (_, at) => {
    if (at === 0 || at === last || pauses.has(at)) return 0;
    return Math.min((route.speeds[at] ?? 0) * haste, bendLimit(route, at));
  });
  for (let at = 1; at <= last; at++) {
    const reached = Math.sqrt((speeds[at - 1] ?? 0) ** 2 + 2 * ACCELERATION * step);
    speeds[at] = Math.min(speeds[at] ?? 0, reached);
  }
  for (let at = last - 1; at >= 0; at--) {
    const braked = Math.sqrt((speeds[at + 1] ?? 0) ** 2 + 2 * BRAKING * step);
    speeds[at] = Math.min(speeds[at] ?? 0, braked);
  }
  return speeds;
}

function bendLimit({ step, positions }: Route, at: number): number {
  const turn = headingAt(positions, at + BEND_REACH - 1) - headingAt(positions, at - BEND_REACH);
  const radians = (Math.abs(((turn + 540) % 360) - 180) * Math.PI) / 180;
  return Math.max(3, Math.sqrt((SIDEWAYS * BEND_REACH * step) / (radians || 1e-6)));
}
