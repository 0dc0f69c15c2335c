import { expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { ItemWordsStore, itemsWith, SearchWordStore } from '../../../content/models/item-words.ts';
import { itemWords } from '../../../models/migrations/versions/0009-item-words.ts';
import { MIGRATIONS } from '../../../models/migrations/versions/all-migrations.ts';
import { runMigrations } from '../../../models/migrations/run-migrations.ts';
import { runSize } from '../../services/run-size.ts';
import { dyingDatabase } from './dying-database.ts';
import { db, useOldDatabase } from './old-database.ts';
import { testService } from '../../services/database.ts';

useOldDatabase();

/** The migrations up to this one. */
const migrations = MIGRATIONS.slice(0, 9);

/** Stores posts as programs before the migration did. */
async function storeOldPosts(count: number): Promise<void> {
  const date = '2024-03-01T10:00:00';
  const shared = { type: 'post' as const, status: 'publish', date, date_gmt: date, modified: date, modified_gmt: date };
  await ContentItemStore.insertMany(testService, [
    ...Array.from({ length: count }, (_, at) => ({
      ...shared,
      id: at + 1,
      title: `Ferry${at + 1}`,
      content: 'A harbour',
    })),
    { ...shared, id: count + 1, type: 'revision' as const, title: 'Ferry', parent: 1 },
  ]);
}

async function expectMigrated(count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  expect((await ItemWordsStore.find(testService, {}, { _id: 1 }).sort({ _id: 1 })).map(({ _id }) => _id)).toEqual(ids);
  expect(await itemsWith(testService, ['FERRY2'])).toEqual(ids.filter((id) => String(id).startsWith('2')));
  expect(await itemsWith(testService, ['arbou'])).toEqual(ids);
  expect(await itemWords.pending(db())).toBe(0);
}

test('posts of an older program are found by any part of their words once they are migrated', async () => {
  await storeOldPosts(3);
  expect(await itemsWith(testService, ['ferry2'])).toEqual([]);
  expect(await itemWords.pending(db())).toBe(3);
  await runMigrations(db(), { migrations });
  await expectMigrated(3);
});

test('a second run changes nothing', async () => {
  await storeOldPosts(3);
  await runMigrations(db(), { migrations });
  const changed: number[] = [];
  await itemWords.run({ db: db(), count: async (more) => void changed.push(more) });
  expect(changed).toEqual([]);
  expect(await runMigrations(db(), { migrations })).toEqual([]);
  await expectMigrated(3);
});

test('a post that an older program changes during the migration is read again', async () => {
  await storeOldPosts(3);
  await itemWords.run({ db: db(), count: async () => undefined });
  await db()
    .collection('content_items')
    .updateOne({ id: 3 }, { $set: { title: 'Lighthouse', version: 'another' } });
  expect(await itemWords.pending(db())).toBe(1);
  await itemWords.run({ db: db(), count: async () => undefined });
  expect(await itemsWith(testService, ['lighthouse'])).toEqual([3]);
  await expectMigrated(3);
});

test('a run that is killed behind any of its commands goes on where it was', async () => {
  // More than a batch, so that a run can end between two.
  await storeOldPosts(51);
  const whole = dyingDatabase(db(), Infinity);
  const ignoreCount = async () => undefined;
  await itemWords.run({ db: whole.db, count: ignoreCount });
  expect(whole.sent()).toBe(10);
  for (let deadline = 1; deadline < whole.sent(); deadline += runSize(2, 1)) {
    await ItemWordsStore.deleteMany(testService, {});
    await SearchWordStore.deleteMany(testService, {});
    await expect(itemWords.run({ db: dyingDatabase(db(), deadline).db, count: ignoreCount })).rejects.toThrow('dead');
    await itemWords.run({ db: db(), count: ignoreCount });
    await expectMigrated(51);
  }
});
