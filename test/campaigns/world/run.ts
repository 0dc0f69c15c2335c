import 'reflect-metadata';

import { Command, InvalidArgumentError, Option } from 'commander';

import { Dice } from '../hostile/dice.ts';

import { runCampaign } from './campaign.ts';
import { inventedDrives, recordedDrives } from './drives.ts';
import { faultsOf, tableOf } from './table.ts';

/** Drives that are invented if none are recorded. */
const INVENTED = 12;

await new Command('npm run test:world --')
  .description(
    'Simulates days of faulty devices, and compares the trips that are cut with what the vehicles really did.',
  )
  .addOption(new Option('--days <count>', 'days of each kind of device').default(200).argParser(readCount))
  .option('--recordings <folder>', 'GPX files of drives; drives are invented if there are none', '../shared/data/trips')
  .option('--seed <text>', 'other days', '1')
  .addHelpText(
    'after',
    '\nExit codes: 0 if 98 % of everything is right for each kind of device, else 1.\n\nExample:\n  $ npm run test:world -- --days 20 --seed 7',
  )
  .action(run)
  .parseAsync();

async function run({ days, recordings, seed }: { days: number; recordings: string; seed: string }): Promise<void> {
  const recorded = await recordedDrives(recordings);
  const drives = recorded.length > 0 ? recorded : inventedDrives(new Dice(seed), INVENTED);
  const rows = runCampaign(drives, days, seed);
  const faults = faultsOf(rows);
  const kind = recorded.length > 0 ? 'recorded' : 'invented';
  process.stdout.write(`${drives.length} ${kind} drives, seed ${seed}\n\n${tableOf(rows)}\n`);
  if (faults.length > 0) process.stdout.write(`\n${faults.join('\n')}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

function readCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return count;
}
