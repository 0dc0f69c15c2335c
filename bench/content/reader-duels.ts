import 'reflect-metadata';

import { atMost, type BenchRow } from '../bench-row.ts';
import { type ContenderAnswer, ContenderRecords } from '../contenders/contender-records.ts';
import { STORED_NONCE } from '../contenders/content-contender.ts';
import { cpuTime } from '../cpu-time.ts';
import { type Duel, runDuels } from '../duel/duel.ts';
import { type DuelHost, withDuelHost } from '../duel/duel-host.ts';
import { wholeAnswer } from '../duel/whole-answer.ts';
import { median } from '../times.ts';

import { type BenchSite, benchSite } from './content-records.ts';
import { wordpressRows, type WordpressHost } from './wordpress-cost.ts';

const POSTS = 20_000;
const ROUNDS = 5;

/** A request of anonymous readers: a path below the website's address. */
interface Reading {
  readonly what: string;
  readonly path: string;
  readonly count: number;
}

/** A request whose answer is computed anew each time, with a bound in milliseconds of CPU. */
interface Computation extends Reading {
  readonly bound: number;
}

/**
 * Measures what anonymous readers ask, against a route that sends stored bytes after one look-up, and against WordPress where
 * one is named; then what answers cost that nobody has asked for before.
 */
export async function measureReaders(wordpress: WordpressHost | null): Promise<BenchRow[]> {
  return withDuelHost(
    () => benchSite(POSTS),
    async (host) => {
      const readings = readingsOf(host.records);
      const computed = await computedRows(host);
      await storeAnswers(host, readings);
      const duels = readings.map((reading) => duelOf(reading));
      const rows = await runDuels(host, duels);
      const against = wordpress === null ? [] : await wordpressRows(wordpress, host, readings);
      return [...rows, ...against, ...computed];
    },
  );
}

function readingsOf({ post, page }: BenchSite): readonly Reading[] {
  const api = '/wp-json/wp/v2';
  return [
    { what: 'posts', path: `${api}/posts`, count: 400 },
    { what: 'posts/{id}', path: `${api}/posts/${post}`, count: 400 },
    { what: 'categories', path: `${api}/categories`, count: 400 },
    { what: 'posts?_embed', path: `${api}/posts?_embed`, count: 400 },
    { what: 'a page of the website', path: page, count: 400 },
    { what: 'the feed', path: '/feed.xml', count: 400 },
  ];
}

/** A query that no other request has, so that no earlier answer can be sent again. */
const ANEW = 'anew=%n';

const COMPUTED: readonly Computation[] = [
  { what: 'posts', path: `/wp-json/wp/v2/posts?${ANEW}`, count: 60, bound: 12 },
  { what: 'posts?_fields=id,slug', path: `/wp-json/wp/v2/posts?_fields=id,slug&${ANEW}`, count: 60, bound: 4 },
  { what: 'posts?_embed', path: `/wp-json/wp/v2/posts?_embed&${ANEW}`, count: 30, bound: 16 },
  { what: 'posts?per_page=100&_embed', path: `/wp-json/wp/v2/posts?per_page=100&_embed&${ANEW}`, count: 4, bound: 60 },
  { what: 'posts?search=, a rare word', path: `/wp-json/wp/v2/posts?search=ferry919&${ANEW}`, count: 4, bound: 20 },
  { what: 'posts?search=, two words', path: `/wp-json/wp/v2/posts?search=winter+deepot&${ANEW}`, count: 4, bound: 20 },
];

/** Measures answers that nothing is known of yet, with the work of the database, which is in this process. */
async function computedRows({ ours, load }: DuelHost<BenchSite>): Promise<BenchRow[]> {
  const times = new Map(COMPUTED.map((one): [Computation, number[]] => [one, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [{ path, count }, measured] of times) {
      const cpu = () => cpuTime(ours.pid) + cpuTime(process.pid);
      const before = cpu();
      await load.send({ url: ours.url + path, method: 'GET', headers: {}, body: '', count, concurrency: 2 });
      if (round > 0) measured.push((cpu() - before) / count / 1000);
    }
  }
  return [...times].map(([{ what, bound }, measured]) => {
    const scatter = `rounds ${Math.min(...measured).toFixed(1)} to ${Math.max(...measured).toFixed(1)}`;
    return atMost(`ms of CPU for ${what} that nobody asked for before`, median(measured), bound, scatter);
  });
}

/** Stores the answers of the service for the contender to send. */
async function storeAnswers({ ours, theirs }: DuelHost<BenchSite>, readings: readonly Reading[]): Promise<void> {
  const records = await ContenderRecords.connect(theirs.pipe.uri);
  try {
    for (const { path } of readings) await records.storeAnswer(await answerOf(ours.url, path));
  } finally {
    await records.close();
  }
}

const NOT_STORED = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

async function answerOf(url: string, path: string): Promise<ContenderAnswer> {
  const { status, headers, body } = await wholeAnswer({
    ...{ url: url + path, method: 'GET', headers: {}, body: '', count: 1, concurrency: 1 },
  });
  if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  const [, nonce] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
  const stored = (text: string) => (nonce === undefined ? text : text.replaceAll(nonce, STORED_NONCE));
  const kept = Object.entries(headers).filter(([name]) => !NOT_STORED.has(name));
  return {
    _id: path,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, stored(String(value))])),
    body: Buffer.from(stored(body)),
    hasNonce: nonce !== undefined,
  };
}

function duelOf({ what, path, count }: Reading): Duel {
  return { what, path, count, ceiling: 1.2, contender: 'Fastify with one look-up and stored bytes' };
}
