import { afterAll, beforeAll, expect, test } from 'vitest';

import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';

let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
});

afterAll(() => server.close());

test('entries are kept no longer, and are no damage, once an older version has met arrays on another path', async () => {
  const items = server.client.db('test').collection('items');
  await items.createIndex({ owner: 1, words: 1 });
  await items.insertMany([
    { owner: 1, words: ['a', 'b'] },
    { owner: 2, words: ['a'] },
  ]);
  const tables = () => server.store.read((reader) => reader.all("SELECT name FROM sqlite_master WHERE name GLOB 'e*'"));
  expect(tables()).not.toEqual([]);
  await server.store.write((writer) => {
    writer.run("UPDATE paths SET multikey = 1 WHERE path = 'owner'");
    writer.touchCatalog(Number(writer.get("SELECT id FROM collections WHERE name = 'items'")?.id));
  });
  expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([]);
  expect(await items.countDocuments({ owner: 1, words: 'a' })).toBe(1);
  await items.createIndex({ owner: 1, words: 1 });
  expect(tables()).toEqual([]);
});
