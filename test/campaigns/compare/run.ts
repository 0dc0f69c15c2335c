import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Command, Option } from 'commander';

import { listenOnLoopback } from '../../hosts/loopback.ts';
import { type BuiltCommit, buildCommit } from './build-commit.ts';
import { callersOf } from './callers.ts';
import { Comparison, type EndpointCount } from './comparison.ts';
import { accountEndpoint } from './endpoints/account-endpoint.ts';
import { commandsEndpoint } from './endpoints/commands-endpoint.ts';
import { contentEndpoint } from './endpoints/content-endpoint.ts';
import { deploymentEndpoint } from './endpoints/deployment-endpoint.ts';
import { graphqlEndpoint } from './endpoints/graphql-endpoint.ts';
import { ingestEndpoint } from './endpoints/ingest-endpoint.ts';
import { oauthEndpoint } from './endpoints/oauth-endpoint.ts';
import { pagesEndpoint } from './endpoints/pages-endpoint.ts';
import { serviceEndpoint } from './endpoints/service-endpoint.ts';
import { settingsEndpoint } from './endpoints/settings-endpoint.ts';
import { siteEndpoint } from './endpoints/site-endpoint.ts';
import { tokenEndpoint } from './endpoints/token-endpoint.ts';
import { keepTrips } from './keep-trips.ts';
import { Random } from './random.ts';
import { tableOf, formatFinding } from './report.ts';
import { type Seed, seed } from './seed.ts';
import { Side } from './side.ts';
import { regex, whole } from '../option-values.ts';

/** Endpoints in the order of their requests, with their share of the requests; those that change most come last. */
const ENDPOINTS: readonly {
  readonly endpoint: string;
  readonly share: number;
  readonly ask: typeof accountEndpoint;
}[] = [
  { endpoint: 'service', share: 0, ask: serviceEndpoint },
  { endpoint: 'site', share: 0.05, ask: siteEndpoint },
  { endpoint: 'account', share: 0.18, ask: accountEndpoint },
  { endpoint: 'token', share: 0.05, ask: tokenEndpoint },
  { endpoint: 'ingest', share: 0.06, ask: ingestEndpoint },
  { endpoint: 'graphql', share: 0.11, ask: graphqlEndpoint },
  { endpoint: 'oauth', share: 0, ask: oauthEndpoint },
  { endpoint: 'pages', share: 0, ask: pagesEndpoint },
  { endpoint: 'content', share: 0.22, ask: contentEndpoint },
  { endpoint: 'commands', share: 0, ask: commandsEndpoint },
  { endpoint: 'settings', share: 0, ask: settingsEndpoint },
  { endpoint: 'deployment', share: 0, ask: deploymentEndpoint },
];

interface Options {
  readonly against: string;
  readonly seed: number;
  readonly requests: number;
  readonly show: number;
  readonly only?: RegExp;
  readonly endpoint?: readonly string[];
  readonly folder?: string;
  readonly json?: true;
}

/** Written into a seeded folder when it is complete. */
const SEED_FILE = 'seed.json';

/** The tree that is compared: the folder above `build/`. */
const TREE = join(import.meta.dirname, '../../../..');

await new Command('npm run compare --')
  .description(
    'Builds a commit beside the tree, seeds a folder with it, starts both on copies of the folder, asks both the same in step, ' +
      'and says where their answers differ: status, headers and bodies, and exit codes and output of commands.',
  )
  .requiredOption('--against <commit>', 'commit to compare the tree with')
  .option('--seed <number>', 'chooses the requests; the same number chooses the same ones', whole, 1)
  .option('--requests <number>', 'about how many requests to ask', whole, 2000)
  .option('--show <number>', 'how many differing requests to show', whole, 20)
  .option('--only <regex>', 'ask only requests whose line "endpoint METHOD path … as caller" it matches', regex)
  .addOption(
    new Option('--endpoint <name...>', 'ask only these endpoints').choices(ENDPOINTS.map(({ endpoint }) => endpoint)),
  )
  .option(
    '--folder <path>',
    'keep the built commit and the seeded data there, for the next run against the same commit',
  )
  .option('--json', 'print exactly one JSON object')
  .addHelpText(
    'after',
    '\nExit code: 0 where nothing differs, 1 where something does.\n\nExample:\n  $ npm run compare -- --against HEAD~1 --only ^graphql',
  )
  .action(compare)
  .parseAsync();

async function compare(options: Options): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'waybridge-compare-'));
  const folder = resolve(options.folder ?? temporary);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  let built: BuiltCommit | null = null;
  const sides: Side[] = [];
  try {
    await mkdir(folder, { recursive: true });
    built = await buildCommit(TREE, options.against, folder, say);
    const { root } = built;
    const seedOf = join(folder, `seed-${built.commit}`);
    const seeded = (await readSeed(seedOf)) ?? (await seedFolder(built, seedOf, say));
    for (const [name, at] of [
      [built.commit, root],
      ['the tree', TREE],
    ] as const) {
      const own = join(temporary, `compared-side-${sides.length}`);
      await cp(seedOf, own, { recursive: true });
      sides.push(new Side({ name, root: at, folder: own, port: await freePort() }));
    }
    const [left, right] = sides;
    if (left === undefined || right === undefined) throw new Error('Two sides are compared');
    const comparison = new Comparison({
      sides: [left, right],
      random: new Random(options.seed),
      only: options.only ?? null,
      onProgress: progress(say),
    });
    await ask(comparison, seeded, options);
    report(comparison, built.commit, options);
  } finally {
    await Promise.all(sides.map((side) => side.end()));
    if (options.folder === undefined) await built?.remove();
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The seed that an earlier run left in a folder; null where there is none. */
async function readSeed(folder: string): Promise<Seed | null> {
  const text = await readFile(join(folder, SEED_FILE), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Seed);
}

/** Fills a folder by the program of a checkout, and leaves nothing running on it. */
async function seedFolder({ commit, root }: BuiltCommit, folder: string, say: (line: string) => void): Promise<Seed> {
  say(`seeding a folder with ${commit}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const side = new Side({ name: commit, root, folder, port: await freePort() });
  try {
    await side.start();
    const seeded = await seed(side);
    const demo = JSON.parse(await readFile(join(folder, 'data/demo.json'), 'utf8')) as {
      readonly vehicles: readonly { readonly key: string }[];
    };
    await side.end();
    const all = { ...seeded, demo_vehicle: demo.vehicles[0]?.key ?? '' };
    await writeFile(join(folder, SEED_FILE), JSON.stringify(all));
    return all;
  } finally {
    await side.end();
  }
}

async function ask(comparison: Comparison, seeded: Seed, { requests, endpoint: endpoints }: Options): Promise<void> {
  comparison.give(seeded);
  for (const [name, headers] of callersOf(seeded)) comparison.callers.set(name, headers);
  comparison.begin('start');
  await comparison.restart({});
  await keepTrips(comparison);
  for (const { endpoint, share, ask: askEndpoint } of ENDPOINTS) {
    if (endpoints !== undefined && !endpoints.includes(endpoint)) continue;
    comparison.begin(endpoint);
    await askEndpoint(comparison, Math.floor(share * requests));
  }
}

function report(
  { counts, findings, missing, serverErrors }: Comparison,
  commit: string,
  { json, show, seed: number }: Options,
): void {
  const holds = findings.length === 0 && missing.size === 0;
  if (json) {
    const shown = findings.slice(0, show);
    const result = {
      against: commit,
      seed: number,
      holds,
      endpoints: counts,
      findings: shown,
      missing: [...missing],
      serverErrors,
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } else {
    const shown = findings.slice(0, show).map(formatFinding);
    const rest =
      findings.length > show ? [`… and ${findings.length - show} more; --show ${findings.length} shows them`] : [];
    const names = missing.size > 0 ? [`No answer gave what later requests need: ${[...missing].join(', ')}`] : [];
    const errors =
      serverErrors.length > 0
        ? [`Answered by the commit with 5xx:\n  ${serverErrors.slice(0, show).join('\n  ')}`]
        : [];
    process.stdout.write(`${[...shown, ...rest, ...names, ...errors, tableOf(counts)].join('\n\n')}\n`);
  }
  if (!holds) process.exitCode = 1;
}

/** Says how far it is, every so many requests. */
function progress(say: (line: string) => void): (count: EndpointCount) => void {
  return ({ endpoint, requests, differing }) => {
    if (requests % 50 === 0) say(`${endpoint}: ${requests} requests, ${differing} differing`);
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
