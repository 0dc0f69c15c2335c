import { beforeEach, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { WebsiteUserStore } from '../../../content/models/website-user.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { newDemoKeys } from '../../../server/demo/demo-keys.ts';
import { writeContent } from '../../../server/demo/ensure-demo.ts';
import { emptyDatabase, useDatabase, testService } from '../../services/database.ts';

useDatabase();
beforeEach(() => emptyDatabase());

const keys = newDemoKeys(new Date('2026-03-01T00:00:00Z'));
const content = () => ContentItemStore.find(testService, {}, { _id: 0, version: 0 }).sort({ id: 1 });

test('a demonstration has posts and pages, once, whoever starts it and how often', async () => {
  await Promise.all([writeContent(testService, keys), writeContent(testService, keys)]);
  const first = await content();
  expect(new Set(first.map(({ type }) => type))).toEqual(new Set(['post', 'page']));
  await writeContent(testService, keys);
  expect(await content()).toEqual(first);
  expect(await WebsiteUserStore.countDocuments(testService, { 'application_passwords.0': { $exists: true } })).toBe(0);
});

test('it writes nothing on a website that is somebody’s', async () => {
  const users = [{ id: 9, slug: 'mara', username: 'mara' }];
  await importContent(testService, { users }, { replace: true, siteUrl: '' });
  await writeContent(testService, keys);
  expect(await content()).toEqual([]);
});
