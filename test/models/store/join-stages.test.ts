import { expect, test } from 'vitest';

import { joinAll, joinFirst } from '../../../models/store/join-stages.ts';

test.each([
  ['all documents', joinAll('devices', 'device_key', 'key', 'devices', { serial: 1 })],
  [
    'the first documents',
    joinFirst('trips', 'device_key', 'key', 'trips', [
      { $match: {} },
      { $sort: { start: 1 } },
      { $limit: 1 },
      { $project: { serial: 1 } },
    ]),
  ],
])('a join of %s keeps the field by which it joins, without which other engines find nothing', (_, stage) => {
  const { pipeline } = (stage as { $lookup: { pipeline: object[] } }).$lookup;
  expect(pipeline.at(-1)).toEqual({ $project: { serial: 1, key: 1 } });
});
