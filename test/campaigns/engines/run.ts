import 'reflect-metadata';

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command, InvalidArgumentError, Option } from 'commander';
import mongoose from 'mongoose';

import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { missingCapabilities } from '../../../server/database/capabilities.ts';
import { inDatabase } from '../../services/in-database.ts';
import { allKinds } from '../kill/all-kinds.ts';
import { holds, resultRows } from '../kill/result-table.ts';
import { runCampaign } from '../kill/run-campaign.ts';

import { runTests, type TestResults } from './run-tests.ts';

/** Tests that an engine must pass, by the columns of the table. */
const COLUMNS = {
  models: ['test/models/'],
  resolvers: ['test/resolvers/'],
  'two servers': ['test/journeys/live/', 'test/journeys/two-services', 'test/journeys/service/ingest-processes'],
} as const;

type Column = keyof typeof COLUMNS | 'kills';

interface RunOptions {
  readonly uri?: string;
  readonly name?: string;
  readonly only?: readonly Column[];
  readonly rounds: number;
}

await new Command('npm run test:engines --')
  .description(
    'Runs the tests of models, resolvers and two servers, and kills of servers, against an engine. Prints its row of docs/scale.md.',
  )
  .option('--uri <uri>', 'server on which databases are made and dropped; the embedded database by default')
  .option('--name <name>', 'name of the engine in the table; what the server says of itself by default')
  .addOption(
    new Option('--only <columns...>', 'columns of the table to run').choices([...Object.keys(COLUMNS), 'kills']),
  )
  .addOption(new Option('--rounds <count>', 'kills').default(10).argParser(readCount))
  .addHelpText(
    'after',
    '\nExit codes: 0 if no test failed and no write was lost or doubled, else 1.\n\nExample:\n  $ npm run test:engines -- --uri mongodb://localhost:27017/',
  )
  .action(run)
  .parseAsync();

async function run({ uri, name, only, rounds }: RunOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-engines-'));
  const embedded = uri === undefined ? await startEmbeddedDatabase({ file: join(folder, 'engine.db') }) : null;
  const address = uri ?? embedded?.uri ?? '';
  const client = await mongoose.mongo.MongoClient.connect(address);
  const dbName = `kills_${process.pid}`;
  try {
    const db = client.db(dbName);
    const { version } = await db.command({ buildInfo: 1 });
    const lacking = await missingCapabilities(db);
    for (const capability of lacking) print(`It lacks ${capability.name}: ${capability.cost}.`);
    const cells: string[] = [];
    const isRun = (column: string) => !only || only.some((one) => one === column);
    for (const [column, files] of Object.entries(COLUMNS)) {
      if (!isRun(column)) {
        cells.push('not run');
        continue;
      }
      const results = await runTests(address, files);
      for (const test of results.failed) print(`failed: ${test}`);
      for (const [note, count] of results.skipped) print(`${count} skipped: ${note}`);
      cells.push(cellOf(results));
      if (results.failed.length > 0) process.exitCode = 1;
    }
    cells.push(isRun('kills') ? await kill(inDatabase(address, dbName), rounds, folder) : 'not run');
    cells.push(lacking.map((capability) => capability.name).join(', ') || 'nothing');
    const engine = name ?? (embedded ? 'embedded' : `MongoDB ${version}`);
    print(`\n| engine | ${Object.keys(COLUMNS).join(' | ')} | kills | lacks |`);
    print(`| ${[engine, ...cells].join(' | ')} |`);
    await db.dropDatabase();
  } finally {
    await client.close();
    await embedded?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function cellOf({ passed, failed, skipped }: TestResults): string {
  const others = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  const notPassed = Object.entries({ failed: failed.length, skipped: others }).filter(([, count]) => count > 0);
  return [`${passed} passed`, ...notPassed.map(([state, count]) => `${count} ${state}`)].join(', ');
}

/** Kills servers over a database; returns what became of their writes. */
async function kill(mongodbUri: string, rounds: number, folder: string): Promise<string> {
  const dataDir = join(folder, 'data');
  const options = {
    folder,
    dataDir,
    rounds,
    mongodbUri,
    seed: '1',
    devices: 2,
    servers: 'both',
    kinds: allKinds(),
  } as const;
  const result = await runCampaign({ ...options, onProgress: print });
  if (!holds(result)) process.exitCode = 1;
  const { acknowledged, lost, doubled, unseen, half } = resultRows(result.kinds).at(-1) ?? {};
  const faults = Object.entries({ lost, doubled, unseen, half, faults: result.faults.length });
  const found = faults.filter(([, count]) => count !== 0).map(([fault, count]) => `${count} ${fault}`);
  return `${result.rounds} rounds, ${acknowledged} writes: ${found.join(', ') || 'none lost or doubled'}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return count;
}
