import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { bucketFault, bucketsOf } from '../../../models/trips/trip-points-bucket.ts';
import { emptyTripPoints } from '../../../models/trips/trip-points.ts';
import { backUpIfDue } from '../../../server/service/scheduled-backups.ts';
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

test('damage of pages is reported by collection, with what is lost, and is not copied over a good backup', async () => {
  const { DATA_DIR } = await accountFolder();
  const file = join(DATA_DIR, 'waybridge.db');
  const folder = await temporaryFolder();
  const schedule = { dataDir: DATA_DIR, backupDir: folder, backupEvery: 6, backupKeep: 1 };
  const signal = new AbortController().signal;
  const good = await backUpIfDue(schedule, Date.parse('2026-03-01T07:00:00Z'), signal);
  const sqlite = findSqliteEngine().open(file);
  const rowsOf = (sql: string) => sqlite.prepare(sql).all() as { rootpage: number; id: number }[];
  const [{ id } = { id: 0 }] = rowsOf("SELECT id FROM collections WHERE name = 'users'");
  const [{ rootpage } = { rootpage: 0 }] = rowsOf(`SELECT rootpage FROM sqlite_schema WHERE name = 'c${id}'`);
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  sqlite.close();
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(0xff, (rootpage - 1) * 4096, rootpage * 4096));

  const { code, stdout, stderr } = await runCommand(['check'], { DATA_DIR });
  expect([code, stderr, stdout]).toEqual([
    3,
    '',
    expect.stringMatching(`SQLite: Tree ${rootpage} page ${rootpage}: .* \\(in waybridge.users\\)\n`),
  ]);
  expect(stdout).toContain('waybridge.users, of which some documents cannot be read: The database file is damaged');
  expect(stdout).toContain('Stop the service, keep a copy of the file');

  const copy = join(folder, 'copy.db');
  const backup = await runCommand(['backup', copy], { DATA_DIR });
  expect([backup.code, backup.stderr]).toEqual([
    1,
    expect.stringMatching(/damaged.*; "waybridge check" lists the damage/),
  ]);
  const next = backUpIfDue(schedule, Date.parse('2026-03-01T13:00:00Z'), signal);
  await expect(next).rejects.toThrow(/^The backup failed: .* damaged/);
  expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([good]);
});

test('a file that cannot be checked is not called damaged', async () => {
  const { DATA_DIR } = await accountFolder();
  const file = join(DATA_DIR, 'waybridge.db');
  const nothing = await runCommand(['check'], { DATA_DIR: join(DATA_DIR, 'none') });
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringMatching(/^There is no database at /)]);
  const sqlite = findSqliteEngine().open(file);
  sqlite.exec('PRAGMA user_version = 99');
  sqlite.close();
  const newer = await runCommand(['check'], { DATA_DIR });
  expect([newer.code, newer.stderr]).toEqual([1, expect.stringContaining('has format 99, which is newer')]);
});

const CAN_MOUNT =
  spawnSync('unshare', ['--mount', '--map-root-user', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

test.skipIf(!CAN_MOUNT)('an intact file on a disk that is read-only is intact, and commands can read it', async () => {
  const { DATA_DIR, account } = await accountFolder();
  const program = join(import.meta.dirname, '../../../build/bundle/waybridge.js');
  const commands = ['check --json', `account show ${account} --json`, 'account add --nickname Baker'];
  const script = [
    `mount --bind ${DATA_DIR} ${DATA_DIR} && mount -o remount,bind,ro ${DATA_DIR} && cd /`,
    ...commands.map((command) => `${process.execPath} ${program} ${command} --data-dir ${DATA_DIR} 2>&1`),
  ].join('\n');
  const { stdout } = spawnSync('unshare', ['--mount', '--map-root-user', 'sh', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  const [checked = '', shown = '', added = ''] = stdout.split('\n').filter((line) => line !== '');
  expect(JSON.parse(checked)).toMatchObject({ sound: true, findings: [] });
  expect(JSON.parse(shown)).toMatchObject({ nickname: 'Bakery' });
  expect(added).toMatch(
    /read-only.*; let the user of the service write the file and its folder, or mount the disk for writing$/,
  );
});

test('a file that is no database is said by check, and the start names check and restore', async () => {
  const DATA_DIR = await temporaryFolder();
  await writeFile(join(DATA_DIR, 'waybridge.db'), 'x'.repeat(5000));
  const { code, stdout } = await runCommand(['check'], { DATA_DIR });
  expect([code, stdout]).toEqual([3, expect.stringContaining('file is not a database')]);
  const started = await runCommand(['serve'], { DATA_DIR, PORT: '0' });
  expect([started.code, started.stderr]).toEqual([
    1,
    expect.stringMatching(/"waybridge check" lists the damage, and "waybridge restore" restores a backup; keep a copy/),
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
