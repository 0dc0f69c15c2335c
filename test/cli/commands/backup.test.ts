import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { httpsClient, jsonOf } from '../../clients/https-client.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

/** Numbers of writes before and after the start of a backup. */
const SOME = 5;

interface Group {
  readonly key: string;
}

test('what was acknowledged before a backup of a service that writes is there when it is restored elsewhere', async () => {
  const folder = await temporaryFolder();
  const copy = join(folder, "monday's.db");
  const { acknowledged, apiKey } = await serving(join(folder, 'one'), async (service) => {
    const { api_key: key } = await askCommand(['account', 'add', '--nickname', 'Bakery'], service.settings);
    const writer = startWriting(service, String(key));
    await writer.reach(SOME);
    const before = [...writer.acknowledged];
    const answer = await askCommand(['backup', copy], service.settings);
    expect(answer).toEqual({ database: join(folder, 'one/waybridge.db'), backup: copy });
    await writer.reach(writer.acknowledged.length + SOME);
    await writer.end();
    return { acknowledged: before, apiKey: String(key) };
  });
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  const DATA_DIR = join(folder, 'two');
  expect(await askCommand(['restore', copy], { DATA_DIR })).toEqual({
    database: join(DATA_DIR, 'waybridge.db'),
    backup: copy,
  });
  const groups = await serving(DATA_DIR, async (service) => {
    const { groups } = jsonOf(await (await clientOf(service))('/groups', apiKey));
    return JSON.stringify(groups);
  });
  expect(acknowledged.filter((key) => !groups.includes(key))).toEqual([]);
});

test('a restore brings back that moment, and is refused while a process has the file open', async () => {
  const folder = await temporaryFolder();
  const DATA_DIR = join(folder, 'data');
  const copy = join(folder, 'copy.db');
  const first = await createAccount({ DATA_DIR });
  await askCommand(['backup', copy], { DATA_DIR });
  const second = await createAccount({ DATA_DIR });
  await serving(DATA_DIR, async ({ settings }) => {
    const { code, stderr } = await runCommand(['restore', copy], settings);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${join(DATA_DIR, 'waybridge.db')} is in use: stop the service first\n`,
    });
    expect(await issueKey(settings, second)).toBe(0);
  });
  await askCommand(['restore', copy], { DATA_DIR });
  expect(await issueKey({ DATA_DIR }, first)).toBe(0);
  expect(await issueKey({ DATA_DIR }, second)).toBe(1);
  expect(existsSync(join(DATA_DIR, 'waybridge.db.restoring'))).toBe(false);
});

test('a backup of a newer format, of nothing, or of something else is refused and changes nothing', async () => {
  const folder = await temporaryFolder();
  const DATA_DIR = join(folder, 'data');
  const account = await createAccount({ DATA_DIR });
  const newer = join(folder, 'newer.db');
  await askCommand(['backup', newer], { DATA_DIR });
  const sqlite = findSqliteEngine().open(newer);
  sqlite.exec('PRAGMA user_version = 99');
  sqlite.close();
  const empty = join(folder, 'empty.db');
  await writeFile(empty, '');
  const letter = join(folder, 'letter.txt');
  await writeFile(letter, 'Dear Ada, '.repeat(100));
  const sentences: [file: string, sentence: string | RegExp][] = [
    [newer, `${newer} has format 99, which is newer than this program reads (1): use a newer version of Waybridge\n`],
    [empty, `${empty} is empty, not a database\n`],
    [letter, expect.stringContaining(`${letter} cannot be used`)],
    [join(folder, 'none.db'), `There is no backup at ${join(folder, 'none.db')}\n`],
  ];
  for (const [file, sentence] of sentences) {
    const { code, stdout, stderr } = await runCommand(['restore', file, '--json'], { DATA_DIR });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: sentence });
  }
  expect(await issueKey({ DATA_DIR }, account)).toBe(0);
});

test('a backup overwrites nothing, and needs a database and a place', async () => {
  const folder = await temporaryFolder();
  const precious = join(folder, 'precious.db');
  await writeFile(precious, 'precious');
  const DATA_DIR = join(folder, 'data');
  const nothing = await runCommand(['backup', join(folder, 'copy.db')], { DATA_DIR });
  expect(nothing).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no database at ${join(DATA_DIR, 'waybridge.db')}\n`,
  });
  await createAccount({ DATA_DIR });
  const { code, stderr } = await runCommand(['backup', precious], { DATA_DIR });
  expect({ code, stderr }).toEqual({ code: 1, stderr: `${precious} exists already: a backup overwrites nothing\n` });
  expect(await readFile(precious, 'utf8')).toBe('precious');
  const placeless = await runCommand(['backup', join(folder, 'no/where.db')], { DATA_DIR });
  expect(placeless).toMatchObject({ code: 1, stderr: expect.stringContaining('no/where.db cannot be made (ENOENT') });
});

test.each(['backup', 'restore'])('%s is refused where the data is in MongoDB', async (command) => {
  const MONGODB_URI = 'mongodb://127.0.0.1:1/fleet';
  const { code, stdout, stderr } = await runCommand([command, 'copy.db'], { MONGODB_URI });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    'MONGODB_URI is set, so the data is in MongoDB: use mongodump and mongorestore, or unset it for the embedded database\n',
  );
});

async function serving<T>(DATA_DIR: string, work: (service: ServiceProcess) => Promise<T>): Promise<T> {
  const service = await serveProcess({ DATA_DIR, LOG_LEVEL: 'error' }, '--no-demo');
  try {
    return await work(service);
  } finally {
    await service.end();
  }
}

async function clientOf({ url, settings: { DATA_DIR = '' } }: ServiceProcess) {
  const ask = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));
  return (path: string, apiKey: string, body?: object) =>
    ask(`${url}/api/v2${path}`, {
      headers: { 'service-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
}

/** Makes groups one after the other, and notes those that the service has acknowledged. */
function startWriting(service: ServiceProcess, apiKey: string) {
  const acknowledged: string[] = [];
  let ended = false;
  const writing = (async () => {
    const ask = await clientOf(service);
    while (!ended) {
      const { key } = jsonOf(
        await ask('/groups', apiKey, { name: `Group ${acknowledged.length}` }),
      ) as unknown as Group;
      acknowledged.push(key);
    }
  })();
  return {
    acknowledged,
    /** Waits until so many are acknowledged; throws what hinders the writing. */
    async reach(count: number): Promise<void> {
      while (acknowledged.length < count) {
        await Promise.race([writing, new Promise((resolve) => setTimeout(resolve, 10))]);
      }
    },
    async end(): Promise<void> {
      ended = true;
      await writing;
    },
  };
}

async function createAccount(settings: { readonly DATA_DIR: string }): Promise<string> {
  const { key: account_key } = await askCommand(['account', 'add', '--nickname', 'A'], settings);
  return String(account_key);
}

/** Issues a key to an account, for the exit code: 0 where the account is there. */
async function issueKey(settings: Readonly<Record<string, string>>, account: string): Promise<number | null> {
  const { code } = await runCommand(['api-key', 'add', '--account', account], settings);
  return code;
}
