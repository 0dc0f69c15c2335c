import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { Command } from 'commander';

import { Random } from '../compare/random.ts';
import { Campaign } from './campaign.ts';
import { documentationPath, writeDocumentation } from './documentation.ts';
import { endpointsOf, type SiteIndex } from './endpoint.ts';
import type { GeneratedRequest } from './generated-request.ts';
import { makeRequests } from './make-requests.ts';
import { OurSite } from './our-site.ts';
import { formatReport } from './report.ts';
import { readSeededSite } from './seeded-site.ts';
import { SiteClient } from './site-client.ts';
import { regex, whole } from '../option-values.ts';

/** Least time between two lines of progress, in milliseconds. */
const PROGRESS_MS = 5000;

interface Options {
  readonly wordpress: string;
  readonly seedFile: string;
  readonly reset: string;
  readonly requests: number;
  readonly seed: number;
  readonly show: number;
  readonly only?: RegExp;
  readonly json?: true;
  readonly fresh?: true;
  readonly ca?: string;
}

const program = new Command('npm run compare:wordpress --').description(
  'Compares the content interface with a WordPress site.',
);

program
  .command('run', { isDefault: true })
  .description(
    'Starts the service with the content of a WordPress site, sends generated requests to both, and reports where ' +
      'statuses, headers and bodies differ: every parameter of every path with good and odd values, by users of every ' +
      'role, for objects of every state. Reads are sent in parallel. Writes are sent in order; both sites are put back ' +
      'to the content of the file after some of them, and where they went different ways.',
  )
  .requiredOption('--wordpress <url>', 'address of the site, without a path')
  .requiredOption('--seed-file <file>', 'content of the site with application passwords, as content import reads it')
  .requiredOption('--reset <command>', 'command of a shell that puts the site back to that content')
  .option(
    '--fresh',
    'add that content to a new service instead of replacing all of it: for a WordPress that was only installed',
  )
  .option('--ca <file>', 'certificate authority of the site, as PEM, if it is served by https')
  .option('--requests <number>', 'requests to generate; looks at what was written come on top', whole, 20_000)
  .option('--seed <number>', 'chooses the requests; the same number chooses the same ones', whole, 1)
  .option('--only <regex>', 'send only requests whose line "METHOD route parameters" it matches', regex)
  .option('--show <number>', 'kinds of differences to show', whole, 50)
  .option('--json', 'print exactly one JSON object')
  .addHelpText(
    'after',
    '\nSIGTERM ends the sending; what was sent is reported.\nDifferences that are meant are listed in test/campaigns/wordpress/explained.ts.\n' +
      'Exit code: 0 where every difference is explained, 1 where one is not.\n\n' +
      'Example:\n  $ npm run compare:wordpress -- --wordpress http://127.0.0.1:8081 --seed-file seed.json ' +
      '--reset "bash reset.sh" --only "/wp/v2/posts .*search"',
  )
  .action(run);

program
  .command('document')
  .description('Writes docs/wordpress.md from the list of explained differences.')
  .action(() => {
    writeDocumentation();
    process.stdout.write(`${documentationPath}\n`);
  });

await program.parseAsync();

async function run(options: Options): Promise<void> {
  const site = readSeededSite(options.seedFile);
  const ourSite = await OurSite.start(options.seedFile, options.fresh);
  const ca = options.ca === undefined ? undefined : readFileSync(options.ca, 'utf8');
  const theirs = new SiteClient(options.wordpress.replace(/\/+$/, ''), site, ca);
  const ours = new SiteClient(ourSite.url, site, ourSite.ca);
  try {
    const interrupt = new AbortController();
    process.once('SIGTERM', () => interrupt.abort());
    const campaign = new Campaign({
      signal: interrupt.signal,
      theirs,
      ours,
      administrator: site.credentials[0]?.login ?? '',
      reset: async () => {
        await Promise.all([ourSite.reset(), promisify(execFile)('sh', ['-c', options.reset])]);
      },
      onProgress: progress(),
    });
    const tally = await campaign.run(await drawRequests(site, ours, theirs, options));
    const holds = tally.differing === 0;
    const { requests, differing, explained } = tally;
    const text = options.json
      ? JSON.stringify({
          seed: options.seed,
          holds,
          requests,
          differing,
          explained,
          endpoints: tally.endpoints(),
          differences: tally.groups(false),
          explained_differences: tally
            .groups(true)
            .map((group) => ({ ...group, explanation: group.explanation?.what })),
        })
      : formatReport(tally, site, theirs.url, options.show);
    process.stdout.write(`${text}\n`);
    if (!holds) process.exitCode = 1;
  } finally {
    for (const client of [theirs, ours]) client.close();
    await ourSite.end();
  }
}

/** Draws the requests of a run from what both sites have. */
async function drawRequests(
  site: ReturnType<typeof readSeededSite>,
  ours: SiteClient,
  theirs: SiteClient,
  { requests, seed, only }: Options,
): Promise<GeneratedRequest[]> {
  const asked = { method: 'GET', path: '/wp-json/', login: null, body: null };
  const [index, other] = await Promise.all(
    [ours, theirs].map(async (client) => JSON.parse((await client.send(asked)).body) as SiteIndex),
  );
  if (index === undefined || other === undefined) throw new Error('Two indexes are compared');
  const drawn: GeneratedRequest[] = [];
  let tries = 0;
  for (const request of makeRequests(site, endpointsOf(index, other), new Random(seed))) {
    const line = `${request.endpoint} ${request.about}`;
    if (only?.test(line) ?? true) drawn.push(request);
    tries += 1;
    // An expression that matches nothing would be tried for ever.
    if (drawn.length >= requests || tries >= 100 * requests + 100_000) break;
  }
  return drawn;
}

function progress(): (done: number) => void {
  const started = performance.now();
  let reported = started;
  return (done) => {
    const now = performance.now();
    if (now - reported < PROGRESS_MS) return;
    reported = now;
    process.stderr.write(`${done} requests, ${Math.round((done / (now - started)) * 1000)} a second\n`);
  };
}
