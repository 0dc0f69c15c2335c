import 'reflect-metadata';

import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command, InvalidArgumentError, Option } from 'commander';

import { allKinds } from './all-kinds.ts';
import { holds, resultRows, resultTable } from './result-table.ts';
import { type CampaignOptions, runCampaign } from './run-campaign.ts';

interface RunOptions extends Pick<CampaignOptions, 'rounds' | 'seed' | 'servers' | 'mongodbUri'> {
  readonly minutes?: number;
  readonly keep?: true;
  readonly json?: true;
}

await new Command('npm run test:kill --')
  .description(
    'Kills servers by SIGKILL under mixed writes, starts them again, and looks for every write that was acknowledged.',
  )
  .addOption(new Option('--rounds <count>', 'kills').default(100).argParser(readCount))
  .addOption(
    new Option('--servers <count>', 'servers over the data folder: both alternates')
      .choices(['1', '2', 'both'])
      .default('both'),
  )
  .addOption(new Option('--minutes <count>', 'begin no further round after so many minutes').argParser(readCount))
  .option('--seed <seed>', 'what the moments of the kills are drawn from', String(randomInt(1_000_000)))
  .option('--mongodb-uri <uri>', 'empty database to use in place of the embedded one')
  .option('--keep', 'keep the data folder where something is wrong')
  .option('--json', 'print exactly one JSON object')
  .addHelpText(
    'after',
    '\nExit codes: 0 where every acknowledged write was there exactly once, else 1.\n\nExample:\n  $ npm run test:kill -- --rounds 100 --seed 7',
  )
  .action(run)
  .parseAsync();

async function run({ minutes, keep, json, ...options }: RunOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-kill-'));
  const onProgress = (line: string) => process[json ? 'stderr' : 'stdout'].write(`${line}\n`);
  onProgress(`seed ${options.seed}`);
  const started = Date.now();
  const until = minutes === undefined ? Number.POSITIVE_INFINITY : started + minutes * 60_000;
  const dataDir = join(folder, 'data');
  const result = await runCampaign({ ...options, until, folder, dataDir, kinds: allKinds(), devices: 2, onProgress });
  const isHeld = holds(result);
  const rows = resultRows(result.kinds);
  const troubles = resultRows(result.troubles);
  const { seed } = options;
  const { rounds, faults, damage } = result;
  if (json)
    process.stdout.write(
      `${JSON.stringify({ seed, rounds, holds: isHeld, writes: rows, troubles, faults, damage })}\n`,
    );
  else {
    const seconds = Math.round((Date.now() - started) / 1000);
    const sound = damage.length === 0 ? 'waybridge check: sound' : `waybridge check: ${damage.join('; ')}`;
    const unexplained = `answers that no kill explains: ${faults.length}`;
    process.stdout.write(
      `\n${resultTable('writes', rows)}\n\n${resultTable('trouble', troubles)}\n\n${sound}\n${unexplained}\n${rounds} rounds in ${seconds} s, seed ${seed}\n`,
    );
  }
  if (!isHeld) process.exitCode = 1;
  if (keep && !isHeld) onProgress(`The data folder is kept: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}

function readCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return count;
}
