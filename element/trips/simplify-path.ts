import type { LonLat } from './trip.ts';

/**
 * Removes positions that lie within `tolerance` degrees of the line between their neighbors (Ramer, Douglas and
 * Peucker), with longitudes scaled to the latitude of the path. The first and the last position are never removed.
 */
export function simplifyPath(path: readonly LonLat[], tolerance: number): LonLat[] {
  if (path.length < 3) return [...path];
  const shrink = Math.cos(((path[0]?.[1] ?? 0) * Math.PI) / 180);
  const flat = path.map(([lon, lat]): LonLat => [lon * shrink, lat]);
  const keeps = new Uint8Array(path.length);
  keeps[0] = 1;
  keeps[path.length - 1] = 1;
  const stretches: [number, number][] = [[0, path.length - 1]];
  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const [from, to] = stretch;
    let farthest = -1;
    let distance = tolerance * tolerance;
    for (let at = from + 1; at < to; at++) {
      const squared = squaredDistance(flat[at] as LonLat, flat[from] as LonLat, flat[to] as LonLat);
      if (squared <= distance) continue;
      distance = squared;
      farthest = at;
    }
    if (farthest < 0) continue;
    keeps[farthest] = 1;
    stretches.push([from, farthest], [farthest, to]);
  }
  return path.filter((_, at) => keeps[at] === 1);
}

function squaredDistance([x, y]: LonLat, [x1, y1]: LonLat, [x2, y2]: LonLat): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length));
  return (x - x1 - along * dx) ** 2 + (y - y1 - along * dy) ** 2;
}
