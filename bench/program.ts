import { loadavg } from 'node:os';

import { Command, InvalidArgumentError, Option } from 'commander';

import type { BenchRow } from './bench-row.ts';
import type { WordpressHost } from './content/wordpress-cost.ts';
import { type BenchResult, writePerformancePage } from './performance-page.ts';

/** Number of documents of a bench, or the size of its file. */
interface Sizes {
  readonly small: number;
  readonly large: number;
  readonly megabytes: number;
}

/** Sizes of a bench, and its peers. */
interface BenchInput extends Sizes {
  readonly wordpress: WordpressHost | null;
  readonly pocketbase: string | undefined;
}

/** A bench: what it compares with what, and how it is run. */
interface Bench {
  readonly about: string;
  run(input: BenchInput): Promise<BenchRow[]>;
}

/** The benches, by their names. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  rest: {
    about:
      'REST, against Fastify and the driver by hand with the same look-ups and answers; needs `npm run build:server`',
    run: async () => (await import('./rest.ts')).run(),
  },
  routes: {
    about: 'routes of documents, against the built-in paths that respond alike; needs `npm run build:server`',
    run: async () => (await import('./routes.ts')).run(),
  },
  graphql: {
    about: 'GraphQL, against Mercurius with jit over the same look-ups; needs `npm run build:server`',
    run: async () => (await import('./graphql.ts')).run(),
  },
  tokens: {
    about:
      'special-purpose tokens, against the same checks, look-ups and signature by hand; needs `npm run build:server`',
    run: async () => (await import('./tokens.ts')).run(),
  },
  peer: {
    about:
      'one record, a list and a create by REST, against the PocketBase that is named; needs `npm run build:server`',
    run: async ({ pocketbase = '' }) => (await import('./peer.ts')).run(pocketbase),
  },
  scale: {
    about:
      'requests a CPU-second of two processes on the same data, and of two workers, against one; needs `npm run build:server`',
    run: async () => (await import('./scale.ts')).run(),
  },
  servers: {
    about:
      'four servers of one database and 20,000 vehicles: requests a CPU-second against those of one, and the delay of changes; needs `npm run build:server`',
    run: async () => (await import('./servers.ts')).run(),
  },
  embedded: {
    about: "the embedded database, against the same SQLite calls without the protocol and against the driver's ping",
    run: async ({ small, large }) => (await import('./embedded.ts')).run(small, large),
  },
  content: {
    about:
      'what anonymous readers ask of the website, against a Fastify route by hand that sends stored bytes after one look-up, and against WordPress where one is named; lists among many posts against the same among a hundred; needs `npm run build:server`',
    run: async ({ small, wordpress }) => (await import('./content/run-content.ts')).run(small, wordpress),
  },
  element: {
    about:
      'the component in the pinned browser, with each engine against that engine drawing the same lines, or lines and stops; needs `npm run build:element`',
    run: async () => (await import('./element/element.ts')).run(),
  },
  'content-import': {
    about:
      'an import of 10,000 generated posts, against the CPU and memory that it may take; needs `npm run build:server`',
    run: async () => (await import('./content/content-import.ts')).run(),
  },
  documents: {
    about:
      'documents in the pinned browser, on a slow connection and processor, against the time they may take; needs `npm run build:server`',
    run: async () => (await import('./documents.ts')).run(),
  },
  start: {
    about:
      'a start on existing data, against Fastify, driver and embedded database by hand; needs `npm run build:server`',
    run: async () => (await import('./start.ts')).run(),
  },
  trips: {
    about:
      'trips by HTTPS GraphQL, against a static handler of the same host that sends the same bytes, and a service by hand',
    run: async () => (await import('./trips/trips.ts')).run(),
  },
  'trips-import': {
    about: 'imports of generated NDJSON, against parsing it alone and against a tenth of it',
    run: async ({ megabytes }) => (await import('./trips/trip-import.ts')).run(megabytes),
  },
  ingest: {
    about: 'positions from devices and a forwarder, against storing them by hand; needs `npm run build:server`',
    run: async () => (await import('./ingest/ingest.ts')).run(),
  },
  capacity: {
    about:
      'what positions of a simulated fleet cost, and what fleets of up to a million vehicles would at that price; needs `npm run build:server`',
    run: async () => (await import('./ingest/capacity.ts')).run(),
  },
  places: {
    about:
      'the places of a position among 10,000 and its city in the world, found by R-trees, against the time that they may take',
    run: async () => (await import('./places.ts')).run(),
  },
  lists: {
    about:
      'pages of lists of 10,000 vehicles, 1,000 users, groups, tags and places, against the same pages at a tenth of the size, and counts of 100,000 members against counts of 100; needs `npm run build:server`',
    run: async () => (await import('./lists/lists.ts')).run(),
  },
  live: {
    about:
      'streams of one vehicle each, against the CPU, memory and time that they may take; needs `npm run build:server`',
    run: async () => (await import('./live/live.ts')).run(),
  },
  replica: {
    about:
      'a copy by the client that reads a million changes, against the time that it may take; needs `npm run build:server`',
    run: async () => (await import('./live/replica.ts')).run(),
  },
  waits: {
    about:
      'one device of a served account beside every list, export, import, feed, search and page, against the same alone; prints the worst five; needs `npm run build:server`',
    run: async ({ small }) => (await import('./waits.ts')).run(small),
  },
};

const LIST = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);

/** The benches by command line; it throws nothing but what a bench throws. */
export function createProgram(): Command {
  return new Command('npm run bench --')
    .description(
      'Runs benches, all or those that are named, and prints ratios beside the floors and ceilings they keep.',
    )
    .argument('[bench...]', 'benches to run (default: all)')
    .addOption(documents('--small', 'documents in a small collection', 100_000))
    .addOption(documents('--large', 'documents in a large collection', 1_000_000))
    .addOption(megabytes())
    .option('--wordpress <url>', 'a WordPress on this machine, beside which `content` measures')
    .option('--processes <pids>', 'processes of that WordPress: PHP-FPM, database and HTTP server, parted by commas')
    .option('--editor <login:password>', 'an editor of that WordPress, with an application password')
    .option(
      '--pocketbase <file>',
      'the program of a PocketBase, beside which `peer` measures; without it, that bench is left out',
    )
    .option('--json', 'print exactly one JSON object')
    .option('--write', 'write the results into docs/performance.md')
    .addHelpText('after', `\nBenches:\n${LIST.join('\n')}\n\nExample:\n  $ npm run bench -- embedded --large 200000`)
    .action(runBenches);
}

interface Options extends Sizes {
  readonly json?: true;
  readonly write?: true;
  readonly wordpress?: string;
  readonly pocketbase?: string;
  readonly processes?: string;
  readonly editor?: string;
}

async function runBenches(names: string[], options: Options, program: Command) {
  const { json, write, wordpress: url, pocketbase, processes: pids = '', editor: login, ...sizes } = options;
  const processes = pids.split(',').filter(Boolean).map(Number);
  if (url !== undefined && processes.length === 0) program.error('--wordpress needs --processes');
  const editor = login === undefined ? null : `Basic ${Buffer.from(login).toString('base64')}`;
  const wordpress = url === undefined ? null : { url: url.replace(/\/$/, ''), processes, editor };
  const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined) program.error(`There is no bench ${unknown}; there is ${Object.keys(BENCHES).join(', ')}`);
  if (names.includes('peer') && pocketbase === undefined) program.error('peer needs --pocketbase');
  const usual = (name: string) => name !== 'peer' || pocketbase !== undefined;
  const chosen = Object.entries(BENCHES).filter(([name]) => (names.length === 0 ? usual(name) : names.includes(name)));
  if (!json) process.stdout.write(`Benches:\n${LIST.join('\n')}\n`);
  const results: Record<string, BenchRow[]> = {};
  for (const [name, bench] of chosen) {
    const rows = await bench.run({ ...sizes, wordpress, pocketbase });
    results[name] = rows;
    if (!json) process.stdout.write(`\n${name}\n${rows.map(formatRow).join('\n')}\n`);
  }
  if (write) writePerformancePage(withAbout(results), Object.keys(BENCHES));
  const load = loadavg().map((value) => Number(value.toFixed(2)));
  process.stdout.write(json ? `${JSON.stringify({ sizes, load, benches: results })}\n` : `\nload ${load.join(' ')}\n`);
  if (Object.values(results).some((rows) => rows.some(({ holds }) => !holds))) process.exitCode = 1;
}

function withAbout(results: Readonly<Record<string, BenchRow[]>>): Record<string, BenchResult> {
  return Object.fromEntries(
    Object.entries(results).map(([name, rows]) => [name, { about: BENCHES[name]?.about ?? '', rows }]),
  );
}

function documents(flag: string, about: string, count: number): Option {
  return new Option(`${flag} <documents>`, about).default(count).argParser((text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1000) throw new InvalidArgumentError('It must be a number from 1000 on.');
    return number;
  });
}

function megabytes(): Option {
  return new Option('--megabytes <count>', 'size of an imported file').default(100).argParser((text) => {
    const count = Number(text);
    if (!(count >= 10)) throw new InvalidArgumentError('It must be a number from 10 on.');
    return count;
  });
}

function formatRow({ what, ratio, bound, holds, detail }: BenchRow): string {
  return `  ${holds ? 'holds' : 'FAILS'}  ${ratio.toFixed(2).padStart(5)} ${bound}  ${what} (${detail})`;
}
