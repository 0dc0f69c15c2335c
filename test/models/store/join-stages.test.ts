import { expect, test } from 'vitest';

import { joinFirst } from '../../../models/store/join-stages.ts';

test('a join of the first documents keeps the field by which it joins, without which other engines find nothing', () => {
  const { $lookup } = joinFirst('trips', 'key', 'vehicle_key', 'trips', [
    { $match: {} },
    { $sort: { start: 1 } },
    { $limit: 1 },
    { $project: { serial: 1 } },
  ]);
  expect($lookup).toMatchObject({ pipeline: [{}, {}, {}, { $project: { serial: 1, vehicle_key: 1 } }] });
});
