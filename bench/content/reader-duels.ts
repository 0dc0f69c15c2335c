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
/** Rounds before, until the code of the server is compiled. */
const WARM_UPS = 4;

/** A request of readers: a path below the website's address. */
interface Reading {
  readonly what: string;
  readonly path: string;
  readonly count: number;
  /** Those of an editor; anonymous readers send none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request whose answer is computed again each time, with a bound in milliseconds of CPU. */
interface Computation extends Reading {
  readonly bound: number;
  /** Obstacle because of which the bound may not be kept. */
  readonly why?: string;
}

/**
 * Measures what anonymous readers ask, against a route that sends stored bytes after one look-up, and against WordPress if
 * one is named; then what answers cost that nobody has asked for before.
 */
export async function measureReaders(wordpress: WordpressHost | null): Promise<BenchRow[]> {
  return withDuelHost(
    (service) => benchSite(service, POSTS),
    async (host) => {
      const readings = readingsOf(host.records);
      const computed = await computedRows(host);
      await storeAnswers(host, readings);
      const duels = readings.map((reading) => duelOf(reading));
      const rows = await runDuels(host, duels);
      const compared = readings.filter(({ headers }) => headers === undefined || wordpress?.editor !== null);
      const against = wordpress === null ? [] : await wordpressRows(wordpress, host, compared);
      return [...rows, ...against, ...computed];
    },
  );
}

function readingsOf({ post, page, authorization }: BenchSite): readonly Reading[] {
  const api = '/wp-json/wp/v2';
  return [
    { what: 'posts', path: `${api}/posts`, count: 400 },
    { what: 'posts/{id}', path: `${api}/posts/${post}`, count: 400 },
    { what: 'categories', path: `${api}/categories`, count: 400 },
    { what: 'posts?_embed', path: `${api}/posts?_embed`, count: 400 },
    { what: 'a page of the website', path: page, count: 400 },
    { what: 'the feed', path: '/feed.xml', count: 400 },
    {
      what: 'posts?context=edit of an editor',
      path: `${api}/posts?context=edit`,
      count: 400,
      headers: { authorization },
    },
  ];
}

/** A query that no other request has, so that no earlier answer can be sent again. */
const ANEW = 'anew=%n';

const COMPUTED: readonly Computation[] = [
  { what: 'posts', path: `/wp-json/wp/v2/posts?${ANEW}`, count: 60, bound: 12 },
  { what: 'posts?_fields=id,slug', path: `/wp-json/wp/v2/posts?_fields=id,slug&${ANEW}`, count: 60, bound: 4 },
  { what: 'posts?_embed', path: `/wp-json/wp/v2/posts?_embed&${ANEW}`, count: 30, bound: 16 },
  { what: 'posts?per_page=100&_embed', path: `/wp-json/wp/v2/posts?per_page=100&_embed&${ANEW}`, count: 8, bound: 60 },
  { what: 'posts?search=, a rare word', path: `/wp-json/wp/v2/posts?search=ferry919&${ANEW}`, count: 20, bound: 20 },
  { what: 'posts?search=, two words', path: `/wp-json/wp/v2/posts?search=winter+deepot&${ANEW}`, count: 20, bound: 20 },
  {
    what: 'posts?search=, two words of 500 posts',
    path: `/wp-json/wp/v2/posts?search=winter+ferry&${ANEW}`,
    count: 8,
    bound: 20,
    why: 'the texts of all 500 are compared with the words and with the whole search, since WordPress ranks them so',
  },
];

/** CPU time of an answer, in milliseconds: that of the service, and that of this process, which has database and client. */
interface Cost {
  readonly service: number;
  readonly rest: number;
}

/** Measures answers that nothing is known of yet, with the work of the database, which is in this process. */
async function computedRows({ ours, load }: DuelHost<BenchSite>): Promise<BenchRow[]> {
  const costs = new Map(COMPUTED.map((one): [Computation, Cost[]] => [one, []]));
  for (let round = 1 - WARM_UPS; round <= ROUNDS; round++) {
    for (const [{ path, count }, measured] of costs) {
      const before = { service: cpuTime(ours.pid), rest: cpuTime(process.pid) };
      await load.send({ url: ours.url + path, method: 'GET', headers: {}, body: '', count, concurrency: 2 });
      const perAnswer = (since: number, pid: number) => (cpuTime(pid) - since) / count / 1000;
      const cost = { service: perAnswer(before.service, ours.pid), rest: perAnswer(before.rest, process.pid) };
      if (round > 0) measured.push(cost);
    }
  }
  return [...costs].map(([{ what, bound, why }, measured]) => {
    const sums = measured.map(({ service, rest }) => service + rest);
    const [service, rest] = [median(measured.map((cost) => cost.service)), median(measured.map((cost) => cost.rest))];
    const detail = `service ${service.toFixed(1)}, database and client ${rest.toFixed(1)}`;
    const scatter = `rounds ${Math.min(...sums).toFixed(1)} to ${Math.max(...sums).toFixed(1)}`;
    return atMost(`ms of CPU for ${what} without a cached response`, median(sums), bound, `${detail}; ${scatter}`, why);
  });
}

/** Stores the answers of the service for the contender to send. */
async function storeAnswers({ ours, theirs }: DuelHost<BenchSite>, readings: readonly Reading[]): Promise<void> {
  const records = await ContenderRecords.connect(theirs.pipe.uri);
  try {
    for (const reading of readings) await records.storeAnswer(await answerOf(ours.url, reading));
  } finally {
    await records.close();
  }
}

const NOT_STORED = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

async function answerOf(url: string, { path, headers: sent = {} }: Reading): Promise<ContenderAnswer> {
  const { status, headers, body } = await wholeAnswer({
    ...{ url: url + path, method: 'GET', headers: sent, body: '', count: 1, concurrency: 1 },
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

function duelOf({ what, path, count, headers }: Reading): Duel {
  const contender = 'Fastify with one look-up and stored bytes';
  if (headers === undefined) return { what, path, count, ceiling: 1.2, contender };
  // WordPress takes 45 times as long as the contender for a list of posts; a tenth of that is the bound.
  return { what, path, count, headers, ceiling: 4.5, contender };
}
