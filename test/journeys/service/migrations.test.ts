import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { dataVersions } from '../../../models/migrations/data-version.ts';
import type { Migration } from '../../../models/migrations/versions/migration.ts';
import { createProgram } from '../../../cli/program.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { driverOf } from '../../../server/database/database.ts';
import { runWaybridge } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { testService, openTestDatabase } from '../../services/database.ts';

const { migrations } = vi.hoisted(() => ({ migrations: [] as Migration[] }));
vi.mock('../../../models/migrations/versions/all-migrations.ts', () => ({ MIGRATIONS: migrations }));

/** Gives the second of two groups with one key a key that nobody has: before that, their unique index cannot be made. */
const tellGroupsApart: Migration = {
  number: 1,
  name: 'tell-groups-apart',
  description: 'Tells groups with the same key apart',
  pending: async (db) => ((await db.collection('groups').countDocuments({ key: 'twin' })) > 1 ? 1 : 0),
  run: async ({ db, count }) => {
    await db.collection('groups').updateOne({ key: 'twin' }, { $set: { key: 'other' } });
    await count(1);
  },
};

let DATA_DIR: string;

beforeEach(async () => {
  DATA_DIR = await temporaryFolder();
  vi.stubEnv('DATA_DIR', DATA_DIR);
  // Settings of the test runner's own.
  for (const name of ['MONGODB_URI', 'BASE_URL']) vi.stubEnv(name, '');
  migrations.splice(0, Infinity, tellGroupsApart);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function inDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const database = await openTestDatabase(readConfig({ DATA_DIR }), true, { migrations: 'ignore' });
  try {
    return await work();
  } finally {
    await database.close();
  }
}

async function writeOldData(): Promise<void> {
  await inDatabase(async () => {
    await driverOf(testService)
      .collection('groups')
      .insertMany([{ key: 'twin' }, { key: 'twin' }]);
  });
}

/** Runs a command in this process and answers what it prints. */
async function run(...args: string[]): Promise<string> {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return printed;
  } finally {
    write.mockRestore();
  }
}

test('a command refuses data that needs a migration, and waybridge migrate makes it welcome', async () => {
  await writeOldData();
  const rejection =
    'The data has version 0 and this program needs version 1: stop servers of the older version, then run waybridge ' +
    'migrate or start the service, which migrates too';
  await expect(run('account', 'add', '--nickname', 'Bakery')).rejects.toThrow(rejection);
  await expect(run('group', 'update', 'twin', '--name', 'North')).rejects.toThrow(rejection);
  expect(JSON.parse(await run('migrate', '--json'))).toEqual({
    data_version: 1,
    program_version: 1,
    least_reader: 1,
    migrations: [
      {
        number: 1,
        name: 'tell-groups-apart',
        description: 'Tells groups with the same key apart',
        state: 'done',
        started: expect.stringMatching(/\+00:00$/),
        finished: expect.stringMatching(/\+00:00$/),
        changed: 1,
        pending: null,
      },
    ],
    undeclared_indexes: [],
  });
  expect(await run('account', 'add', '--nickname', 'Bakery')).toContain('Account added');
});

test.each([
  ['--status', '  1  tell-groups-apart  pending: Tells groups with the same key apart\n'],
  ['--dry-run', '  1  tell-groups-apart  pending, would change 1: Tells groups with the same key apart\n'],
])('migrate %s says what is due and changes nothing', async (option, line) => {
  await writeOldData();
  expect(await run('migrate', option)).toBe(`The data has version 0, this program 1\n${line}`);
  const { keys, version } = await inDatabase(async () => ({
    keys: await driverOf(testService).collection('groups').distinct('key'),
    version: await dataVersions(driverOf(testService)).findOne(),
  }));
  expect(keys).toEqual(['twin']);
  expect(version).toBeNull();
});

test('--status and --dry-run together are refused', async () => {
  await expect(run('migrate', '--status', '--dry-run')).rejects.toThrow('Give either --status or --dry-run');
});

test('a start migrates before it makes the unique index that old data would not allow', async () => {
  await writeOldData();
  const database = await openTestDatabase(readConfig({ DATA_DIR }), true, { migrations: 'run' });
  const groups = driverOf(testService).collection('groups');
  expect((await groups.distinct('key')).sort()).toEqual(['other', 'twin']);
  await expect(groups.insertOne({ key: 'twin' })).rejects.toMatchObject({ code: 11_000 });
  await database.close();
});

test('duplicates that no migration puts right stop the start with the collection and what to do', async () => {
  migrations.splice(0);
  await writeOldData();
  await expect(openTestDatabase(readConfig({ DATA_DIR }), true, { migrations: 'run' })).rejects.toThrow(
    /^A unique index of groups cannot be created, because two documents have the same keys \(.*twin.*\); stop servers of an older/,
  );
});

test('an index with other options than declared stops the start with what to do', async () => {
  migrations.splice(0);
  await inDatabase(() => driverOf(testService).collection('groups').createIndex({ key: 1 }));
  await expect(openTestDatabase(readConfig({ DATA_DIR }), true)).rejects.toThrow(
    /^An index of groups exists with different keys or options \(.*\); drop it, and start again$/,
  );
});

test('an index that nothing declares stays and is listed', async () => {
  migrations.splice(0);
  await inDatabase(() => driverOf(testService).collection('groups').createIndex({ mine: 1 }));
  expect(await run('migrate')).toBe(
    'The data has version 0, this program 0\nIndexes that this version does not use, which are kept until you drop them: groups.mine_1\n',
  );
  expect(await inDatabase(() => driverOf(testService).collection('groups').indexExists('mine_1'))).toBe(true);
});

test.each(['account add --nickname Bakery', 'keys rotate', 'migrate', 'serve'])(
  '%s refuses data that only a newer program can use, in one sentence',
  async (command) => {
    await inDatabase(() =>
      dataVersions(driverOf(testService)).insertOne({
        _id: 'data',
        version: 9000,
        least_reader: 9000,
        lease: null,
        running: null,
        applied: [],
      }),
    );
    const outcome = await runWaybridge(command.split(' '), { DATA_DIR, PORT: '0', LOG_LEVEL: 'error' });
    expect(outcome.stderr).toMatch(
      /^The data has version 9000, which is newer than the version \d+ of this program: start the newer program that migrated it, or restore a backup from before\n$/,
    );
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
  },
);
