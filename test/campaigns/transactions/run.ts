import { randomInt } from 'node:crypto';

import { Command, Option } from 'commander';

import { whole } from '../option-values.ts';

import { runTransactions } from './campaign.ts';

await new Command('npm run test:transactions --')
  .description(
    'Runs transactions on two processes that serve one embedded database, kills the processes, and looks for anomalies of isolation.',
  )
  .addOption(new Option('--transactions <count>', 'transactions that are tried').default(1_000_000).argParser(whole))
  .option('--seed <seed>', 'what kills and transactions are drawn from', String(randomInt(1_000_000)))
  .addHelpText(
    'after',
    '\nExit codes: 0 if there is no anomaly, else 1.\n\nExample:\n  $ npm run test:transactions -- --transactions 20000 --seed 7',
  )
  .action(run)
  .parseAsync();

async function run({ transactions, seed }: { transactions: number; seed: string }): Promise<void> {
  const began = performance.now();
  const onProgress = (line: string) => process.stdout.write(`${line}\n`);
  const { counts, kills, anomalies, damage } = await runTransactions({ transactions, seed, onProgress });
  for (const { kind, detail } of anomalies) onProgress(`${kind}: ${detail}`);
  for (const line of damage) onProgress(`damage: ${line}`);
  const { committed, aborted, unknown } = counts;
  const seconds = Math.round((performance.now() - began) / 1000);
  onProgress(
    `${committed} committed, ${aborted} aborted, ${unknown} unknown, ${kills} kills, ${anomalies.length} anomalies in ${seconds} s, seed ${seed}`,
  );
  // Clients of killed processes may never end.
  process.exit(anomalies.length + damage.length > 0 ? 1 : 0);
}
