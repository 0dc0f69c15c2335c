import mongoose from 'mongoose';
import { expect, test } from 'vitest';

import { readConfig } from '../../server/config.ts';
import { openDatabase } from '../../server/database.ts';
import { runWaybridge } from '../waybridge-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

test.each([
  ['user disable --user nope', false],
  ['account create --nickname Bakery', true],
  ['keys rotate', true],
])('only what may be the first to write makes the indexes: %s', async (command, makes) => {
  const DATA_DIR = await temporaryFolder();
  await runWaybridge(command.split(' '), { DATA_DIR });
  const database = await openDatabase(readConfig({ DATA_DIR }), false);
  const before = await collections();
  await database.close();
  const again = await openDatabase(readConfig({ DATA_DIR }), true);
  const after = await collections();
  await again.close();
  expect(after).toContain('users');
  expect(before).toEqual(makes ? after : []);
});

async function collections(): Promise<string[]> {
  const found = (await mongoose.connection.db?.listCollections().toArray()) ?? [];
  return found.map(({ name }) => name).sort();
}
