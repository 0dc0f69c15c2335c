import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { readConfig } from '../../../server/configuration/config.ts';
import { databaseFile } from '../../../server/database/data-folder.ts';
import { isDatabaseUnreachable } from '../../../http/answers/database-unreachable.ts';
import { mongodbProxy } from '../../hosts/mongodb-proxy.ts';
import { runCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { openTestDatabase } from '../../services/database.ts';
import { driverOf } from '../../../server/database/database.ts';

test.each([
  ['user disable nope', false],
  ['account add --nickname Bakery', true],
  ['keys rotate', true],
])('only what may be the first to write makes the indexes: %s', async (command, makes) => {
  const DATA_DIR = await temporaryFolder();
  await runCommand(command.split(' '), { DATA_DIR });
  const before = await collectionsOf(DATA_DIR);
  await runCommand(['keys', 'rotate'], { DATA_DIR });
  const after = await collectionsOf(DATA_DIR);
  expect(after).toContain('users');
  expect(before).toEqual(makes ? after : []);
});

async function collectionsOf(DATA_DIR: string): Promise<string[]> {
  if (!existsSync(databaseFile(DATA_DIR))) return [];
  const database = await openTestDatabase(readConfig({ DATA_DIR }), false);
  const found = await driverOf(database.service).listCollections().toArray();
  await database.close();
  return found.map(({ name }) => name).sort();
}

test.each([
  [
    'mongodb://ada:s3cr%40t@nohost.invalid/x',
    /^The database at mongodb:\/\/nohost\.invalid\/x does not answer \(.*nohost/,
  ],
  ['mongodb://ada:s3cr@t@/y', /^The database at mongodb:\/\/\/y cannot be used \(Invalid connection string/],
  ['mongodb://ada:s3cr%40t@127.0.0.1:1/z', /does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\); start it/],
])('what the driver says of %s is printed, and never the password', async (MONGODB_URI, sentence) => {
  const { code, stderr } = await runCommand(['account', 'add', '--nickname', 'Bakery'], { MONGODB_URI });
  expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
  expect(stderr).not.toMatch(/s3cr/);
});

test('operations on a database that accepts connections and does not answer end as unreachable within 15 seconds', async () => {
  const proxy = await mongodbProxy();
  const settings = { DATA_DIR: await temporaryFolder(), MONGODB_URI: proxy.uri };
  const database = await openTestDatabase(readConfig(settings), false);
  const accounts = driverOf(database.service).collection('accounts');
  await accounts.countDocuments();
  void proxy.hang();
  const from = performance.now();
  const writes = [accounts.updateOne({}, { $set: { a: 1 } }), accounts.insertMany([{ a: 1 }, { a: 2 }])];
  const work = [accounts.findOne({}), ...writes, database.ping()];
  expect(await Promise.all(work.map((one) => one.catch(isDatabaseUnreachable)))).toEqual([true, true, true, true]);
  expect(performance.now() - from).toBeLessThan(15_000);
  await database.close();
});
