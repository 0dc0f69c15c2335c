import { haversineMeters } from './haversine.ts';
import type { Track } from './track.ts';

/** Metres from each position to the next; one fewer than positions. */
export function stepDistances({ length, lat, lon }: Track): Float64Array {
  const steps = new Float64Array(Math.max(0, length - 1));
  for (let i = 0; i < steps.length; i++) {
    steps[i] = haversineMeters(lat[i] ?? 0, lon[i] ?? 0, lat[i + 1] ?? 0, lon[i + 1] ?? 0);
  }
  return steps;
}
