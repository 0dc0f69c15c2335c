import 'reflect-metadata';

import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';

import { Command, Option } from 'commander';

import { whole } from '../option-values.ts';

import { makeFleet } from './fleet.ts';
import { type DayResult, failEachAccess, simulateDay } from './simulate-day.ts';

await new Command('npm run test:virtual --')
  .description('Simulates days of several servers in virtual time, with faults of processes, network, disk and clocks.')
  .addOption(new Option('--days <count>', 'days, each with a seed of its own').default(10).argParser(whole))
  .option(
    '--seed <seed>',
    'what the first day follows from; the others from the numbers after it',
    String(randomInt(1_000_000)),
  )
  .addOption(
    new Option(
      '--accesses <step>',
      'instead of days: the disk fails once an hour, at every step-th access to it',
    ).argParser(whole),
  )
  .option('--counts', 'print how often each thing happened')
  .addHelpText(
    'after',
    '\nExit codes: 0 if nothing was found, else 1.\n\nExample, which repeats a day:\n  $ npm run test:virtual -- --days 1 --seed 7',
  )
  .action(run)
  .parseAsync();

/** Options of the program. */
interface Options {
  readonly days: number;
  readonly seed: string;
  readonly accesses?: number;
  readonly counts?: true;
}

async function run({ days, seed, accesses, counts }: Options): Promise<void> {
  const fleet = await makeFleet();
  // What modules do when they are first used takes time that is not virtual.
  await simulateDay(fleet, 'warm-up', 1);
  const total = new Map<string, number>();
  let [failed, slowest] = [0, 0];
  const count = accesses === undefined ? days : 1;
  for (let day = 0; day < count; day++) {
    const began = performance.now();
    const result = await (accesses === undefined
      ? simulateDay(fleet, String(Number(seed) + day))
      : failEachAccess(fleet, Number(seed) % accesses, accesses));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`${lineOf(result)}, ${seconds} s\n`);
    for (const finding of result.findings) process.stdout.write(`  ${finding}\n`);
    for (const [name, count] of result.counts) total.set(name, (total.get(name) ?? 0) + count);
    if (result.findings.length > 0) failed += 1;
    slowest = Math.max(slowest, result.slowest);
  }
  await rm(fleet.folder, { recursive: true });
  if (counts)
    for (const [name, times] of [...total].toSorted()) process.stdout.write(`${String(times).padStart(8)} ${name}\n`);
  process.stdout.write(`${count - failed} of ${count} days held; the slowest answer took ${Math.round(slowest)} ms\n`);
  if (failed > 0) process.exitCode = 1;
}

function lineOf({ seed, happened, trace, findings }: DayResult): string {
  return `seed ${seed}: ${happened} happenings, trace ${trace}, ${findings.length === 0 ? 'held' : `${findings.length} FINDINGS`}`;
}
