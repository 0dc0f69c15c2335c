import { type SpeedScale, speedColor, UNKNOWN_SPEED } from './speed-scale.ts';
import type { ColoredLine, Trip } from './trip.ts';

/** Splits the paths of trips into lines of one color; trips of unknown speed and hidden parts of a path have none. */
export function speedStretches(trips: readonly Trip[], scale: SpeedScale): ColoredLine[] {
  return trips.filter(knowsSpeed).flatMap((trip) => stretchesOf(trip, scale));
}

/** Returns true if some speed of the trip is known. */
export function knowsSpeed({ motion }: Trip): boolean {
  return motion?.speeds.some((speed) => speed !== null) ?? false;
}

function stretchesOf({ key, path, breaks, motion }: Trip, scale: SpeedScale): ColoredLine[] {
  const stretches: ColoredLine[] = [];
  const hidden = new Set(breaks);
  let color: string | null = null;
  for (const [at, speed] of (motion?.speeds ?? []).entries()) {
    const [from, to] = [path[at], path[at + 1]];
    const before = color;
    color = speed === null ? UNKNOWN_SPEED : speedColor(speed, scale);
    if (hidden.has(at + 1)) color = null;
    if (color === null || !from || !to) continue;
    if (color === before) stretches.at(-1)?.path.push(to);
    else stretches.push({ key, color, path: [from, to] });
  }
  return stretches;
}
