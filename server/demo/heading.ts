import type { Position } from './streets.ts';

/** Direction from a point of a line to the next one, in degrees clockwise from north. */
export function headingAt(positions: readonly Position[], at: number): number {
  const from = Math.min(Math.max(0, at), positions.length - 2);
  const [lat1, lon1] = positions[from] ?? [0, 0];
  const [lat2, lon2] = positions[from + 1] ?? [0, 0];
  const east = (lon2 - lon1) * Math.cos((lat1 * Math.PI) / 180);
  return ((Math.atan2(east, lat2 - lat1) * 180) / Math.PI + 360) % 360;
}
