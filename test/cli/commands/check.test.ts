import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { bucketFault, bucketsOf } from '../../../models/trips/trip-points-bucket.ts';
import { emptyTripPoints } from '../../../models/trips/trip-points.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { accountFolder } from '../../services/account-folder.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

test('a sound database is 0; a reference that leads nowhere, and keys of an index that are others, are 3', async () => {
  const { DATA_DIR, account } = await accountFolder();
  const file = join(DATA_DIR, 'waybridge.db');
  expect(await askCommand(['check'], { DATA_DIR })).toEqual({ database: file, sound: true, findings: [] });

  const change = (sql: string): void => {
    const sqlite = findSqliteEngine().open(file);
    sqlite.exec(sql);
    sqlite.close();
  };
  const sqlite = findSqliteEngine().open(file);
  const table = (name: string) =>
    `c${(sqlite.prepare('SELECT id FROM collections WHERE name = ?').get(name) as { id: number }).id}`;
  const [accounts, users] = [table('accounts'), table('users')];
  sqlite.close();

  change(`CREATE TABLE kept AS SELECT * FROM ${accounts}; DELETE FROM ${accounts}`);
  const orphaned = await runCommand(['check', '--json'], { DATA_DIR });
  expect(orphaned.code).toBe(3);
  expect(JSON.parse(orphaned.stdout).findings).toContainEqual(
    expect.stringMatching(new RegExp(`^users .*: account_key ${account} does not exist in accounts$`)),
  );

  change(`INSERT INTO ${accounts} SELECT * FROM kept; DROP TABLE kept; UPDATE ${users} SET s0 = x'00'`);
  expect(checkEmbeddedDatabase(file, () => undefined)).toEqual([
    expect.stringMatching(/^waybridge\.users, document 1: the key in column s0 does not match the document$/),
  ]);
  change(`UPDATE ${users} SET doc = x'0500'`);
  expect(checkEmbeddedDatabase(file, () => undefined)).toEqual([
    expect.stringMatching(/document 1: it cannot be read/),
  ]);
});

test('a file that is no database is said by check, and the start names check and restore', async () => {
  const DATA_DIR = await temporaryFolder();
  await writeFile(join(DATA_DIR, 'waybridge.db'), 'x'.repeat(5000));
  const { code, stdout } = await runCommand(['check'], { DATA_DIR });
  expect([code, stdout]).toEqual([3, expect.stringContaining('file is not a database')]);
  const started = await runCommand(['serve'], { DATA_DIR, PORT: '0' });
  expect([started.code, started.stderr]).toEqual([
    1,
    expect.stringMatching(/"waybridge check" lists the damage, and "waybridge restore" restores a backup\n$/),
  ]);
});

test('a bucket that is not as it was written is found by its checksum, or where it has none, by unpacking it', () => {
  const [bucket] = bucketsOf({ key: 't', account_key: 'a', vehicle_key: 'v' }, { ...emptyTripPoints(3) });
  if (bucket === undefined) throw new Error('Three positions make a bucket');
  expect(bucketFault(bucket)).toBeNull();
  const damaged = Buffer.from(bucket.packed);
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  expect(bucketFault({ ...bucket, packed: damaged })).toBe('its checksum does not match');
  expect(bucketFault({ packed: bucket.packed, checksum: undefined })).toBeNull();
  expect(bucketFault({ packed: Buffer.from('none'), checksum: undefined })).toMatch(/^it cannot be unpacked/);
});
