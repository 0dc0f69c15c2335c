import { expect, test } from 'vitest';

import { EARTH_RADIUS_METERS, haversineMeters } from '../../../tracking/geometry/haversine.ts';

test.each([
  ['the same position', [48.1, 11.5, 48.1, 11.5], 0],
  ['a degree along a meridian', [10, 20, 11, 20], (Math.PI / 180) * EARTH_RADIUS_METERS],
  ['half around the earth', [0, 0, 0, 180], Math.PI * EARTH_RADIUS_METERS],
  ['across the antimeridian', [0, 179.5, 0, -179.5], (Math.PI / 180) * EARTH_RADIUS_METERS],
] as const)('%s', (_, [latA, lonA, latB, lonB], meters) => {
  expect(Math.abs(haversineMeters(latA, lonA, latB, lonB) - meters)).toBeLessThanOrEqual(1e-6);
});
