import 'reflect-metadata';

import { Command, InvalidArgumentError, Option } from 'commander';

import { type CampaignReport, holds, runCampaign } from './campaign.ts';
import { formatReport } from './format-report.ts';

/** Least time between two lines of progress, in milliseconds. */
const PROGRESS_MS = 5000;

interface Options {
  readonly requests: number;
  readonly seed: string;
  readonly limits: 'on' | 'off' | 'both';
  readonly warmUp: number;
  readonly lanes: number;
  readonly only?: number;
  readonly json?: true;
}

const program = new Command('npm run test:hostile --')
  .description(
    'Sends hostile requests to every endpoint of a service of its own, and holds it to its promises: no status 500, no fault in the log, no answer later than 30 seconds, no heap that grows, no secret in the log.',
  )
  .addOption(whole('--requests <count>', 'requests with each setting of limits', 100_000))
  .addOption(new Option('--seed <text>', 'other requests').default('1'))
  .addOption(new Option('--limits <setting>', 'limits on volume').choices(['on', 'off', 'both']).default('both'))
  // By then V8 has compiled what it compiles, and bounded caches are full: 25,000 and 100,000 requests end alike.
  .addOption(whole('--warm-up <count>', 'further requests before the heap is measured first', 25_000))
  .addOption(whole('--lanes <count>', 'requests at a time', 12))
  .addOption(new Option('--only <number>', 'send just this request, and show the answer').argParser(wholeNumber))
  .option('--json', 'print exactly one JSON object')
  .addHelpText(
    'after',
    '\nSIGTERM ends the sending; what was sent is evaluated.\nExit codes: 0 where all promises hold, 1 where not.\n\nExample:\n  $ npm run test:hostile -- --requests 5000 --limits off',
  )
  .action(run);

await program.parseAsync();

async function run({ limits, json, ...options }: Options): Promise<void> {
  const reports: CampaignReport[] = [];
  const interrupt = new AbortController();
  process.once('SIGTERM', () => interrupt.abort());
  const { signal } = interrupt;
  for (const setting of limits === 'both' ? (['off', 'on'] as const) : [limits]) {
    const report = await runCampaign({
      ...options,
      limits: setting,
      measures: true,
      signal,
      progress: progressOf(setting),
    });
    reports.push(report);
    if (json) continue;
    if (report.only) process.stdout.write(`${report.only.request}\n\n${report.only.outcome}\n\n`);
    process.stdout.write(`${formatReport(report)}\n\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify({ reports, holds: reports.every(holds) })}\n`);
  if (!reports.every(holds)) process.exitCode = 1;
}

function progressOf(setting: string): (done: number, all: number) => void {
  const started = performance.now();
  let reported = started;
  return (done, all) => {
    const now = performance.now();
    if (now - reported < PROGRESS_MS) return;
    reported = now;
    process.stderr.write(
      `limits ${setting}: ${done} of ${all}, ${Math.round((done / (now - started)) * 1000)} a second\n`,
    );
  };
}

function whole(flags: string, about: string, count: number): Option {
  return new Option(flags, about).default(count).argParser(wholeNumber);
}

function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) throw new InvalidArgumentError('It must be a whole number.');
  return count;
}
