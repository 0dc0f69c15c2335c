import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mongo } from 'mongoose';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { dataVersions } from '../../../models/migrations/data-version.ts';
import { localCertificate } from '../../../http/tls/local-ca.ts';
import { driverOf } from '../../../server/database/database.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { mongodbProxy } from '../../hosts/mongodb-proxy.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { accountFolder } from '../../services/account-folder.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import type { Settings } from '../../processes/waybridge-process.ts';
import { testService, openTestDatabase } from '../../services/database.ts';

const DAY_MS = 86_400_000;
const PUBLIC = { SITE_URL: 'https://www.bakery.example', AUTH_URL: 'https://auth.bakery.example' };

afterEach(() => {
  vi.useRealTimers();
});

interface Diagnosis {
  readonly problems: number;
  readonly warnings: number;
  readonly findings: readonly Finding[];
}

async function diagnose(settings: Settings): Promise<Diagnosis & { readonly code: number | null }> {
  const { code, stdout } = await runCommand(['doctor', '--json'], { RATE_LIMITS: 'on', ...settings });
  return { code, ...(JSON.parse(stdout) as Diagnosis) };
}

/** Findings that are not sound, of one check, without advice. */
async function faults(check: string, settings: Settings): Promise<(readonly [Finding['state'], string])[]> {
  const { findings } = await diagnose({ DATA_DIR: await temporaryFolder(), ...settings });
  return findings
    .filter((finding) => finding.check === check && finding.state !== 'sound')
    .map(({ state, detail }) => [state, detail] as const);
}

/** Changes the data as a person with a database shell would. */
async function change(settings: Settings, work: () => Promise<unknown>): Promise<void> {
  const database = await openTestDatabase(readConfig(settings), false, { migrations: 'ignore' });
  await work();
  await database.close();
}

async function installation(): Promise<{ readonly DATA_DIR: string }> {
  const { DATA_DIR } = await accountFolder();
  return { DATA_DIR };
}

test('of a sound installation finds nothing to do, in one object or in lines', async () => {
  const settings = { ...(await installation()), RATE_LIMITS: 'on' };
  const { code, problems, warnings, findings } = await diagnose(settings);
  expect({ code, problems, warnings }).toEqual({ code: 0, problems: 0, warnings: 0 });
  const ofDatabase = ['database', 'clock', 'data', 'indexes', 'webhooks', 'positions'];
  const checks = ['settings', 'certificate', 'disk', 'descriptors', ...ofDatabase];
  expect(findings.map(({ check, state }) => [check, state])).toEqual(checks.map((check) => [check, 'sound']));
  const { stdout } = await runCommand(['doctor'], settings);
  expect(stdout).toMatch(/^Waybridge \d.*: problems 0, warnings 0\n {2}sound {4}settings: they are consistent\n/);
});

test('before the first start finds that there are no data yet, and makes none', async () => {
  const DATA_DIR = join(await temporaryFolder(), 'data');
  const { code, findings } = await diagnose({ DATA_DIR });
  expect(code).toBe(0);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'database', state: 'sound' }));
  expect(await diagnose({ DATA_DIR })).toMatchObject({ findings });
});

test('of settings that contradict each other says what the service would, with exit code 3', async () => {
  const { code, problems, findings } = await diagnose({ TLS_CERT: '/cert.pem' });
  expect({ code, problems }).toEqual({ code: 3, problems: 1 });
  expect(findings).toMatchObject([{ check: 'settings', detail: expect.stringMatching(/^TLS_KEY must be given/) }]);
});

describe('of an installation that others reach', () => {
  const warned: readonly [string, Settings, RegExp][] = [
    ['listens on loopback alone', PUBLIC, /HOST is 127.0.0.1/],
    ['has the local certificate', { ...PUBLIC, HOST: '0.0.0.0' }, /local authority/],
    ['stores its keys unencrypted', PUBLIC, /keys are stored unencrypted/],
    ['has no backups', PUBLIC, /no backups are scheduled/],
    ['limits no requests', { RATE_LIMITS: 'off' }, /RATE_LIMITS is off/],
  ];

  test.each(warned)('warns where it %s', async (_, settings, detail) => {
    expect(await faults('settings', settings)).toContainEqual(['warning', expect.stringMatching(detail)]);
  });

  test('does not warn where a proxy is in front, keys are encrypted and backups are made', async () => {
    const secret = { KEY_ENCRYPTION_SECRET: 'a secret of at least thirty-two characters' };
    const settings = { ...PUBLIC, ...secret, TRUSTED_PROXIES: '10.0.0.0/8', BACKUP_DIR: await temporaryFolder() };
    expect(await faults('settings', settings)).toEqual([]);
  });
});

describe('of the configured certificate', () => {
  async function certificate(): Promise<Settings> {
    const folder = await temporaryFolder();
    await localCertificate(folder, []);
    return { TLS_CERT: join(folder, 'tls', 'server.pem'), TLS_KEY: join(folder, 'tls', 'server-key.pem') };
  }

  test.each([
    ['warns two weeks before it expires', 390, ['warning', expect.stringMatching(/^it expires in \d+ days$/)]],
    ['finds a problem once it has expired', 400, ['problem', expect.stringMatching(/^it expired on /)]],
    ['finds a problem before it begins', -30, ['problem', expect.stringMatching(/^it is valid only from /)]],
  ] as const)('%s', async (_, days, expected) => {
    const settings = await certificate();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS });
    expect(await faults('certificate', settings)).toEqual([expected]);
  });

  test('finds a problem where it does not name a public host, and only warns where a proxy is in front', async () => {
    const settings = { ...PUBLIC, ...(await certificate()) };
    const detail = expect.stringContaining('it does not name auth.bakery.example, www.bakery.example');
    expect(await faults('certificate', settings)).toEqual([['problem', detail]]);
    expect(await faults('certificate', { ...settings, TRUSTED_PROXIES: '10.0.0.1' })).toEqual([['warning', detail]]);
  });

  test('finds a problem where its file cannot be read', async () => {
    const settings = { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' };
    expect(await faults('settings', settings)).toEqual([['problem', expect.stringContaining('TLS_CERT')]]);
  });
});

test('of scheduled backups warns where there is none, and finds a problem where the newest is too old', async () => {
  const BACKUP_DIR = await temporaryFolder();
  expect(await faults('backups', { BACKUP_DIR })).toEqual([['warning', expect.stringContaining('there is no backup')]]);
  const file = join(BACKUP_DIR, 'waybridge-2026-11-01T000000Z.db');
  await writeFile(file, '');
  expect(await faults('backups', { BACKUP_DIR })).toEqual([]);
  const old = new Date(Date.now() - 3 * DAY_MS);
  await utimes(file, old, old);
  expect(await faults('backups', { BACKUP_DIR })).toEqual([['problem', 'the newest is 72 hours old']]);
});

test('of a folder that is a file finds that it cannot be used', async () => {
  const BACKUP_DIR = join(await temporaryFolder(), 'backups');
  await mkdir(BACKUP_DIR);
  expect(await faults('disk', { BACKUP_DIR })).toEqual([]);
  const file = join(BACKUP_DIR, 'file');
  await writeFile(file, '');
  const [[state, detail] = []] = await faults('disk', { BACKUP_DIR: join(file, 'below') });
  expect([state, detail]).toEqual(['problem', expect.stringMatching(/^BACKUP_DIR .* cannot be written \(ENOTDIR\)$/)]);
});

describe('of the database', () => {
  test('finds a problem where the clock is another one', async () => {
    const settings = await installation();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    expect(await faults('clock', settings)).toEqual([
      ['problem', expect.stringMatching(/^it differs from that of the database by \d+\.\d seconds/)],
    ]);
  });

  test('reads the clock of a database that has it as a number', async () => {
    const settings = await installation();
    const ahead = async () => ({ localTime: Date.now() + 5000, ok: 1 });
    const command = vi.spyOn(mongo.Db.prototype, 'command').mockImplementation(ahead);
    expect(await faults('clock', settings)).toEqual([
      ['problem', expect.stringMatching(/^it differs from that of the database by [45]\.\d seconds/)],
    ]);
    command.mockRestore();
  });

  test('warns of pending migrations, and finds a problem in data of a newer program', async () => {
    const settings = await installation();
    const set = (fields: object) => dataVersions(driverOf(testService)).updateOne({ _id: 'data' }, { $set: fields });
    await change(settings, () => set({ version: 9 }));
    expect(await faults('data', settings)).toEqual([
      ['warning', expect.stringMatching(/^\d+ migrations are pending$/)],
    ]);
    await change(settings, () => set({ version: 999, least_reader: 999 }));
    expect(await faults('data', settings)).toEqual([['problem', expect.stringContaining('version 999')]]);
  });

  test('warns of indexes that are missing', async () => {
    const settings = await installation();
    await change(settings, () => driverOf(testService).collection('vehicles').dropIndexes());
    const [[state, detail] = []] = await faults('indexes', settings);
    expect([state, detail]).toEqual(['warning', expect.stringMatching(/^vehicles: .* are missing$/)]);
  });

  test('warns of webhooks that are paused', async () => {
    const settings = await installation();
    const { nodes } = await askCommand(['account', 'list'], settings);
    const [{ key = '' } = {}] = nodes as { key: string }[];
    const events = ['--url', 'https://bakery.example/', '--event', 'trip_end'];
    const hook = await askCommand(['webhook', 'add', '--account', key, ...events], settings);
    await askCommand(['webhook', 'update', String(hook.key), '--status', 'paused'], settings);
    expect(await faults('webhooks', settings)).toEqual([['warning', '1 are paused or disabled']]);
  });

  test('reports what another database than the embedded one can do', async () => {
    const { uri } = await mongodbProxy();
    const settings = { MONGODB_URI: uri, DATA_DIR: await temporaryFolder() };
    await askCommand(['account', 'add', '--nickname', 'Bakery'], settings);
    const { findings } = await diagnose(settings);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'capabilities', state: 'sound' }));
  });

  test('finds a problem where it cannot be reached', async () => {
    const settings = { MONGODB_URI: 'mongodb://127.0.0.1:1/waybridge?serverSelectionTimeoutMS=100' };
    expect(await faults('database', settings)).toEqual([['problem', expect.stringContaining('does not answer')]]);
  });
});
