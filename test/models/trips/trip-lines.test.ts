import { expect, test } from 'vitest';

import { bucketsOf } from '../../../models/trips/trip-points-bucket.ts';
import { encodePolyline } from '../../../schema/trips/polyline.ts';
import { drivenPoints, pacificCrossing } from '../../fixtures/driven-points.ts';

const OWNER = { key: 'trip', account_key: 'account', vehicle_key: 'vehicle' };

test.each([
  ['a single position', drivenPoints(1, 1), 1],
  ['a bucket', drivenPoints(2000, 2), 1],
  ['several buckets', drivenPoints(4001, 3), 3],
  ['several buckets across the antimeridian', pacificCrossing(4500), 3],
])('The lines of the buckets of %s are, joined, the polyline of the trip', (_, points, count) => {
  const lines = bucketsOf(OWNER, points).map(({ line }) => line);
  expect(lines).toHaveLength(count);
  const positions = Array.from(points.lat, (lat, at) => ({ lat, lon: points.lon[at] ?? Number.NaN }));
  expect(lines.join('')).toBe(encodePolyline(positions));
});
