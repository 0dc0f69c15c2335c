import { expect, test } from 'vitest';

import { ContentItemStore, slugKeysOf } from '../../../content/models/content-item.ts';
import { MIGRATIONS } from '../../../models/migrations/versions/all-migrations.ts';
import { slugKeys } from '../../../models/migrations/versions/0002-slug-keys.ts';
import { runMigrations } from '../../../models/migrations/run-migrations.ts';
import { db, useOldDatabase } from './old-database.ts';
import { testService } from '../../services/database.ts';

useOldDatabase();

const migrations = MIGRATIONS;

async function store(items: readonly (readonly [type: string, status: string, slug: string, parent?: number])[]) {
  await db()
    .collection('content_items')
    .insertMany(items.map(([type, status, slug, parent = 0], at) => ({ id: at + 1, type, status, slug, parent })));
}

async function slugs(): Promise<string[]> {
  return (await db().collection('content_items').find().sort({ id: 1 }).toArray()).map(({ slug }) => slug);
}

test('items that share an address get different ones, and slugs that are right or shared freely stay', async () => {
  await store([
    ['post', 'publish', 'same'],
    ['post', 'future', 'same'],
    ['post', 'publish', 'same'],
    ['post', 'publish', 'same-2'],
    ['post', 'draft', 'same'],
    ['revision', 'inherit', 'same'],
    ['page', 'publish', 'same'],
    ['page', 'publish', 'team', 7],
    ['page', 'publish', 'team'],
    ['attachment', 'inherit', 'team', 7],
    ['attachment', 'inherit', 'map', 1],
    ['attachment', 'inherit', 'map', 2],
    ['post', 'trash', 'gone__trashed'],
    ['post', 'publish', ''],
  ]);
  await runMigrations(db(), { migrations });
  expect(await slugs()).toEqual([
    ...['same', 'same-3', 'same-4', 'same-2', 'same', 'same', 'same'],
    ...['team', 'team', 'team-2', 'map', 'map-2', 'gone__trashed', ''],
  ]);
  for (const { type, status, slug, parent, slug_keys } of await ContentItemStore.find(testService)) {
    expect(slug_keys).toEqual(slugKeysOf({ type, status, slug, parent }));
  }
  expect(await slugKeys.pending(db())).toBe(0);
  const twin = { id: 99, type: 'post', status: 'publish', slug: 'same', parent: 0, slug_keys: ['post:same'] };
  await expect(db().collection('content_items').insertOne(twin)).rejects.toMatchObject({ code: 11_000 });
  await expect(ContentItemStore.model(testService).createIndexes()).resolves.toBeUndefined();
});

test('more than a batch of one slug have each their own', async () => {
  const long = `${'%c3%bc'.repeat(33)}-`;
  await store(Array.from({ length: 510 }, (_, at) => ['post', 'publish', at < 503 ? `post-${at}` : long] as const));
  await runMigrations(db(), { migrations });
  const all = await slugs();
  expect(new Set(all).size).toBe(510);
  expect(all.slice(0, 503)).toEqual(Array.from({ length: 503 }, (_, at) => `post-${at}`));
  for (const slug of all) {
    expect(slug.length).toBeLessThanOrEqual(200);
    expect(() => decodeURIComponent(slug)).not.toThrow();
  }
});
