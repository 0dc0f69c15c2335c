import { type SpeedScale, speedColor } from './speed-scale.ts';
import type { ColoredLine, Trip } from './trip.ts';

/** Cuts the paths of trips into runs of one colour; where no speed is known there is none, and the plain line is seen. */
export function speedStretches(trips: readonly Trip[], scale: SpeedScale): ColoredLine[] {
  return trips.flatMap((trip) => stretchesOf(trip, scale));
}

function stretchesOf({ key, path, motion }: Trip, scale: SpeedScale): ColoredLine[] {
  const stretches: ColoredLine[] = [];
  let color: string | null = null;
  for (const [at, speed] of (motion?.speeds ?? []).entries()) {
    const [from, to] = [path[at], path[at + 1]];
    const before = color;
    color = speed === null ? null : speedColor(speed, scale);
    if (color === null || !from || !to) continue;
    if (color === before) stretches.at(-1)?.path.push(to);
    else stretches.push({ key, color, path: [from, to] });
  }
  return stretches;
}
