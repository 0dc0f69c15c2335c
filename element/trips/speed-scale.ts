import { METERS, type Units } from '../../schema/trips/trip-drawing.ts';

import { type ColoredLine, interruptionsOf, type Trip } from './trip.ts';

/** Colors of speeds: `colors[i]` up to `limits[i]`, the last color beyond. */
export interface SpeedScale {
  /** In km/h or mph, ascending; one fewer than colors. */
  readonly limits: readonly number[];
  readonly colors: readonly string[];
  readonly units: Units;
}

/** Color of an unknown speed, in any theme. */
export const UNKNOWN_SPEED = '#8a93a0';

/** Limits for town, main road, country road, motorway and beyond. */
const LIMITS: Record<Units, readonly number[]> = { km: [30, 50, 80, 110], mi: [20, 30, 50, 70] };

/**
 * Lightness is monotonic, so that any eye sees the order; contrast to the background is at least 3:1 (WCAG 1.4.11). No color
 * looks like another or like an unknown speed to those who see no red or no green.
 */
const COLORS = {
  light: ['#d57f0f', '#b65148', '#972867', '#591678', '#0f0456'],
  dark: ['#784bd7', '#c168e5', '#ea9968', '#ffc65f', '#fdfc90'],
} as const;

/** Returns the scale for a reader. Its bands are the same for every trip, so that maps can be compared. */
export function speedScaleOf(units: Units, theme: 'light' | 'dark'): SpeedScale {
  return { limits: LIMITS[units], colors: COLORS[theme], units };
}

/** Returns the color of a speed in meters per second. */
export function speedColor(speed: number, { limits, colors, units }: SpeedScale): string {
  const hourly = (speed * 3600) / METERS[units];
  const band = limits.findIndex((limit) => hourly < limit);
  return colors.at(band) ?? '';
}

/** Splits the paths of trips into lines of one color; trips of unknown speed, hidden parts of a path and gaps have none. */
export function speedStretches(trips: readonly Trip[], scale: SpeedScale): ColoredLine[] {
  return trips.filter(knowsSpeed).flatMap((trip) => stretchesOf(trip, scale));
}

/** Returns the colors that lines of trips have, including that of an unknown speed. */
export function speedColorsOf(trips: readonly Trip[], scale: SpeedScale): ReadonlySet<string> {
  const hasGaps = trips.some((trip) => knowsSpeed(trip) && trip.gaps.length > 0);
  return new Set([...speedStretches(trips, scale).map(({ color }) => color), ...(hasGaps ? [UNKNOWN_SPEED] : [])]);
}

/** Returns true if some speed of the trip is known. */
export function knowsSpeed({ motion }: Trip): boolean {
  return motion?.speeds.some((speed) => speed !== null) ?? false;
}

function stretchesOf(trip: Trip, scale: SpeedScale): ColoredLine[] {
  const { key, path, motion } = trip;
  const stretches: ColoredLine[] = [];
  const interruptions = new Set(interruptionsOf(trip));
  let color: string | null = null;
  for (const [at, speed] of (motion?.speeds ?? []).entries()) {
    const [from, to] = [path[at], path[at + 1]];
    const before = color;
    color = speed === null ? UNKNOWN_SPEED : speedColor(speed, scale);
    if (interruptions.has(at + 1)) color = null;
    if (color === null || !from || !to) continue;
    if (color === before) stretches.at(-1)?.path.push(to);
    else stretches.push({ key, color, path: [from, to] });
  }
  return stretches;
}
