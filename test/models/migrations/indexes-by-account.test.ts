import { afterEach, expect, test } from 'vitest';

import { indexesByAccount } from '../../../models/migrations/versions/0014-indexes-by-account.ts';
import { createIndexes, missingIndexes, undeclaredIndexes } from '../../../server/database/indexes.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { db } from './old-database.ts';

useDatabase();

const run = () => indexesByAccount.run({ db: db(), count: async () => undefined });

afterEach(run);

test('older indexes of marks and changes are dropped, of which one may be gone, and the newer ones stay', async () => {
  await createIndexes(testService);
  await db()
    .collection('devices')
    .createIndex({ growth_mark: 1 }, { partialFilterExpression: { growth_mark: { $type: 'string' } } });
  await db().collection('changes').createIndex({ key: 1, kind: 1, mark: 1 }, { unique: true });
  expect(await undeclaredIndexes(testService)).toEqual(['changes.key_1_kind_1_mark_1', 'devices.growth_mark_1']);
  expect(await indexesByAccount.pending(db())).toBe(2);
  await db().collection('devices').dropIndex('growth_mark_1');
  expect(await indexesByAccount.pending(db())).toBe(1);
  await run();
  expect(await indexesByAccount.pending(db())).toBe(0);
  expect([await undeclaredIndexes(testService), await missingIndexes(testService)]).toEqual([[], []]);
});
