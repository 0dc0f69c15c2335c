import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { backUpIfDue } from '../../../server/service/scheduled-backups.ts';
import { httpsClient } from '../../clients/https-client.ts';
import { askCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-01T07:20:00Z');
const never = new AbortController().signal;

let dataDir: string;
let account: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waybridge-'));
  const { key } = await askCommand(['account', 'add', '--nickname', 'Bakery'], { DATA_DIR: dataDir });
  account = String(key);
});
afterAll(() => rm(dataDir, { recursive: true }));

/** A schedule of backups every six hours, into an empty folder. */
async function scheduled({ backupKeep = 7 } = {}) {
  const folder = await temporaryFolder();
  return { folder, schedule: { dataDir, backupDir: join(folder, 'backups'), backupEvery: 6, backupKeep } };
}

test('the drill: what a service has backed up by itself is restored elsewhere, is sound, and serves', async () => {
  const { folder, schedule } = await scheduled();
  const { backupDir: BACKUP_DIR } = schedule;
  const service = await serveProcess({ DATA_DIR: dataDir, BACKUP_DIR, LOG_LEVEL: 'error' }, '--no-demo');
  const client = httpsClient(await readFile(join(dataDir, 'tls/ca.pem'), 'utf8'));
  const metric = /^waybridge_backup_timestamp_seconds (\d+)/m;
  const writtenAt = async () => Number(metric.exec((await client(`${service.url}/metrics`)).text)?.[1]) * 1000;
  await expect.poll(writtenAt).toBeGreaterThan(Date.now() - HOUR);
  await service.end();
  const [backup = '', ...others] = await readdir(BACKUP_DIR);
  expect(others).toEqual([]);
  const restored = { DATA_DIR: join(folder, 'restored') };
  await askCommand(['restore', join(BACKUP_DIR, backup)], restored);
  expect(await askCommand(['check'], restored)).toMatchObject({ sound: true, findings: [] });
  expect(await askCommand(['account', 'show', account], restored)).toMatchObject({ nickname: 'Bakery' });
});

test('a backup is named by the period in which it is made, and is made once in it', async () => {
  const { schedule } = await scheduled();
  const file = join(schedule.backupDir, 'waybridge-2026-03-01T060000Z.db');
  expect(await backUpIfDue(schedule, NOW, never)).toBe(file);
  expect(await backUpIfDue(schedule, NOW + 4 * HOUR, never)).toBeNull();
  expect(await backUpIfDue(schedule, NOW + 5 * HOUR, never)).toMatch('waybridge-2026-03-01T120000Z.db');
});

test('the newest backups are kept, and other files of the folder stay', async () => {
  const { schedule } = await scheduled({ backupKeep: 2 });
  await mkdir(schedule.backupDir);
  await writeFile(join(schedule.backupDir, 'before-upgrade.db'), '');
  for (const at of [0, 6, 12]) await backUpIfDue(schedule, NOW + at * HOUR, never);
  expect((await readdir(schedule.backupDir)).sort()).toEqual([
    'before-upgrade.db',
    'waybridge-2026-03-01T120000Z.db',
    'waybridge-2026-03-01T180000Z.db',
  ]);
});

test('a backup that another process is writing is left to it, unless that process was killed', async () => {
  const { schedule } = await scheduled();
  await mkdir(schedule.backupDir);
  const part = join(schedule.backupDir, 'waybridge-2026-03-01T060000Z.db.part');
  await writeFile(part, 'half');
  await utimes(part, NOW / 1000, NOW / 1000);
  expect(await backUpIfDue(schedule, NOW + 60_000, never)).toBeNull();
  expect(await backUpIfDue(schedule, NOW + 11 * 60_000, never)).not.toBeNull();
  expect(await readdir(schedule.backupDir)).toEqual(['waybridge-2026-03-01T060000Z.db']);
});

test('a backup that fails or is ended leaves nothing behind', async () => {
  const { schedule } = await scheduled();
  await expect(backUpIfDue({ ...schedule, dataDir: 'nowhere' }, NOW, never)).rejects.toThrow(
    'The backup failed: There is no database at nowhere/waybridge.db',
  );
  await expect(backUpIfDue(schedule, NOW, AbortSignal.abort())).rejects.toThrow('The backup failed');
  expect(await readdir(schedule.backupDir)).toEqual([]);
});
