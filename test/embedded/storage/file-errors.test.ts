import { truncateSync } from 'node:fs';

import { expect, onTestFinished, test } from 'vitest';

import { clientError } from '../../../embedded/storage/file-errors.ts';
import { startLocalServer } from '../local-server.ts';

test.each([
  [266, 'FileStreamFailed'],
  [522, 'FileStreamFailed'],
  [778, 'OutOfDiskSpace'],
  [13, 'OutOfDiskSpace'],
  [5, 'LockBusy'],
  [517, 'LockBusy'],
  [11, 'DataCorruptionDetected'],
  [8, 'FileNotOpen'],
  [14, 'FileNotOpen'],
  [1, 'InternalError'],
])("SQLite's error %i is %s", (errcode, codeName) => {
  expect(clientError(Object.assign(new Error('why'), { errcode }))).toMatchObject({ codeName });
});

test('a database whose disk cannot be read says so, and is not ready', async () => {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const items = server.client.db('test').collection('items');
  await items.insertMany(Array.from({ length: 500 }, (_, n) => ({ n, text: 'x'.repeat(500) })));
  expect(await server.client.db().command({ ping: 1 })).toMatchObject({ ok: 1 });
  truncateSync(`${server.file}-wal`);
  await expect(items.find().toArray()).rejects.toMatchObject({ code: 39, codeName: 'FileStreamFailed' });
  await expect(server.client.db().command({ ping: 1 })).rejects.toMatchObject({ code: 39 });
});
