import { beforeAll, expect, test } from 'vitest';

import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { ask, ownerOf } from '../../fixtures/trip-query.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';

useDatabase();

let accountKey: string;
let vehicleKey: string;
beforeAll(async () => {
  accountKey = (await account()).key;
  vehicleKey = await vehicle(accountKey);
  await storeTrip({ account_key: accountKey, vehicle_key: vehicleKey, points: drivenPoints(120, 1) });
});

const FIRST = ['encoded_polyline', 'timed_path { points }', 'path(tolerance_meters: 1, max_points: 2) { points }'];

test.each(FIRST)('A trip that is asked for twice has its whole path, after %s too', async (first) => {
  const asked = (before: string) =>
    ask<{ b: object }>(
      ownerOf(accountKey),
      `query ($of: String!) { ${before} b: trips(vehicle_key: $of) { nodes { path { points point_count bounding_box } } } }`,
      { of: vehicleKey },
    );
  const alone = await asked('');
  const { data, messages } = await asked(`a: trips(vehicle_key: $of) { nodes { ${first} } }`);
  expect(messages).toEqual([]);
  expect(data.b).toEqual(alone.data.b);
});
