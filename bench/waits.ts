import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { answerText } from './answer-text.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { benchService } from './bench-service.ts';
import { LIMITS } from './duel/limits.ts';
import { HttpsLoad, type LoadRequest } from './https-load.ts';
import { tripMapRequest } from './trips/trip-map-request.ts';
import { byTurns, median, percentile } from './times.ts';
import type { Fleet } from './waits/fleet-records.ts';
import { FEW_DEVICES, type WaitRecords, waitRecords } from './waits/wait-records.ts';
import { gatewaySchema } from '../resolvers/gateway-schema.ts';
import { listsByGraphql, listsByRest, type ListRequests } from './waits/every-list.ts';
import { graphqlRequest, restRequest, type Sender } from './waits/send-requests.ts';
import { contentQueries, worstQueries } from './waits/worst-queries.ts';

/** Issuer of the tokens, which are signed before the port of the service is known. */
const ISSUER = 'https://localhost';

/** Rounds of the measurement beside each of the worst queries. */
const ROUNDS = 3;
/** The steady load: so many requests are due in each measurement, one each so many milliseconds. */
const STEADY = { count: 200, everyMs: 10 };
const WAIT_CEILING = 3;
/** The worst of all queries, which are printed. */
const PRINTED = 5;
/** Records to which a request applies a tag. */
const MAX_ENTITIES = 200;
/** Turns of a list of many and of few devices, and its requests in each: as many as are answered in the time. */
const TURNS = 4;
const LIST_LOAD = { count: 40, maxMs: 4000 };

/** Measures one device beside the worst queries against the same alone, and lists of many devices against those of few. */
export async function run(devices: number): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const [steady, other] = [new HttpsLoad(), new HttpsLoad()];
  try {
    printProgress(`storing ${devices} devices, trips and posts`);
    const records = await waitRecords(folder, devices, ISSUER);
    printProgress('starting the service');
    const service = await benchService({ ...LIMITS, DATA_DIR: folder, AUTH_URL: ISSUER });
    try {
      const bench = { base: service.url, steady, other };
      return [...(await besideWorst(bench, records)), ...(await ofManyAndFew(bench, records, devices))];
    } finally {
      await service.end();
    }
  } finally {
    await Promise.all([steady.close(), other.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Bench {
  /** Address of the service, without a path. */
  readonly base: string;
  /** Sends what is measured. */
  readonly steady: HttpsLoad;
  /** Sends the worst queries beside it. */
  readonly other: HttpsLoad;
}

/** The steady load in one measurement. */
interface Waits {
  readonly p50: number;
  readonly p99: number;
  /** Maximum delay of the event loop of the service, in milliseconds; it is sampled each 10 ms, which are part of it. */
  readonly loopDelay: number;
}

/** Measurements alone and beside one of the worst queries. */
interface Round {
  readonly alone: Waits;
  readonly beside: Waits;
  /** Median time of the worst query itself. */
  readonly query: number;
}

async function besideWorst(bench: Bench, records: WaitRecords): Promise<BenchRow[]> {
  const { base } = bench;
  const { many } = records;
  const device = restRequest({ base, apiKey: many.apiKey }, `/device/${many.deviceKey}`);
  const queries: (readonly [string, LoadRequest])[] = [];
  for (const [name, requests] of await everyQuery(bench, records)) {
    const { request, length } = await firstPermitted(requests);
    printProgress(`${name}: ${length} bytes`);
    queries.push([name, request]);
  }
  // Warms up.
  await steadyWaits(bench, device);
  const rounds = new Map<string, Round[]>(queries.map(([name]) => [name, []]));
  for (let number = 1; number <= ROUNDS; number++) {
    for (const [name, query] of queries) {
      const round = await roundBeside(bench, device, query);
      rounds.get(name)?.push(round);
      printProgress(`round ${number} beside ${name}: p99 ${ms(round.beside.p99)} to ${ms(round.alone.p99)}`);
    }
  }
  const rows = [...rounds].map(([name, measured]) => waitRow(name, measured));
  const worst = rows.toSorted((one, other) => other.ratio - one.ratio).slice(0, PRINTED);
  return worst.map((row, at) => ({ ...row, what: `${row.what} (number ${at + 1} of ${rows.length})` }));
}

/** All lists, exports, imports, feeds, searches and pages, each with its requests. */
async function everyQuery({ base }: Bench, records: WaitRecords): Promise<ListRequests[]> {
  const { many, mapToken: token, busyVehicle: vehicle_key, listed } = records;
  const tripMap = tripMapRequest({ url: `${base}/graphql`, token, vehicle_key, first: 1000, day: 0 });
  const sender = { base, apiKey: listed.apiKey };
  const keys = { ...records.listKeys, after: await logChanges(sender, listed.tagKey) };
  const single = {
    ...worstQueries({ ...records, ...many, base, tripMap }),
    ...contentQueries({ base }, records.postPath),
  };
  return [
    ...Object.entries(single).map(([name, request]): ListRequests => [name, [request]]),
    ...listsByRest(sender, keys),
    ...listsByGraphql(await gatewaySchema(), sender, keys),
  ];
}

/** Lets an account have a thousand changes, of vehicles to which a tag is applied; returns the cursor before them. */
async function logChanges(sender: Sender, tagKey: string): Promise<string> {
  const { cursor } = JSON.parse(await answerText(restRequest(sender, '/changes')));
  const { data } = JSON.parse(await answerText(graphqlRequest(sender, '{ vehicles(first: 1000) { nodes { key } } }')));
  const entity_keys: string[] = data.vehicles.nodes.map(({ key }: { readonly key: string }) => key);
  const { headers, ...request } = restRequest(sender, `/tag/${tagKey}/apply?action=add`);
  const json = { ...headers, 'content-type': 'application/json' };
  for (let at = 0; at < entity_keys.length; at += MAX_ENTITIES) {
    const body = JSON.stringify({ entity_keys: entity_keys.slice(at, at + MAX_ENTITIES) });
    await answerText({ ...request, method: 'POST', headers: json, body });
  }
  return cursor;
}

/** The first of some requests that is not rejected, with the length of its answer. */
async function firstPermitted([first, ...others]: readonly LoadRequest[]) {
  if (!first) throw new RangeError('All requests are rejected');
  try {
    return { request: first, length: (await answerText(first)).length };
  } catch (error) {
    if (others.length === 0) throw error;
    return firstPermitted(others);
  }
}

async function roundBeside(bench: Bench, device: LoadRequest, query: LoadRequest): Promise<Round> {
  const alone = await steadyWaits(bench, device);
  const repeated = bench.other.send({ ...query, count: Number.POSITIVE_INFINITY });
  const measured = steadyWaits(bench, device).finally(() => bench.other.stop());
  const [beside, { times }] = await Promise.all([measured, repeated]);
  return { alone, beside, query: median(times) };
}

async function steadyWaits({ base, steady }: Bench, device: LoadRequest): Promise<Waits> {
  await maxLoopDelay(base);
  const { times } = await steady.send({ ...device, ...STEADY });
  return { p50: median(times), p99: percentile(times, 0.99), loopDelay: await maxLoopDelay(base) };
}

/** The maximum delay of the event loop of the service since this was last read, in milliseconds. */
async function maxLoopDelay(base: string): Promise<number> {
  const request = { url: `${base}/metrics`, method: 'GET', headers: {}, body: '', count: 1, concurrency: 1 } as const;
  const metrics = await answerText(request);
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1]) * 1000;
}

function waitRow(name: string, rounds: readonly Round[]): BenchRow {
  const middle = (read: (round: Round) => number) => ms(median(rounds.map(read)));
  const maxDelay = (of: 'alone' | 'beside') => ms(Math.max(...rounds.map((round) => round[of].loopDelay)));
  const detail = [
    `p99 ${middle(({ beside }) => beside.p99)} to ${middle(({ alone }) => alone.p99)}`,
    `p50 ${middle(({ beside }) => beside.p50)} to ${middle(({ alone }) => alone.p50)}`,
    `event loop delayed by up to ${maxDelay('beside')} to ${maxDelay('alone')}`,
    `the query itself ${middle(({ query }) => query)}`,
  ];
  const ratios = rounds.map(({ beside, alone }) => beside.p99 / alone.p99);
  const what = `GET /device/{key} beside ${name}, to that alone`;
  return atMost(what, median(ratios), WAIT_CEILING, detail.join('; '));
}

/** Lists of the accounts with many and with few devices. */
const LISTS = [
  { name: 'GET /devices?q= with a rare part', path: ({ rarePart }: Fleet) => `/devices?q=${rarePart}`, ceiling: 1.5 },
  // As many devices of few have it as fit on the page.
  { name: 'GET /devices?q= with a common part', path: () => '/devices?q=1&size=20', ceiling: 1.5 },
  // Counted in an index: it grows with the devices, by a quarter of a microsecond each.
  { name: 'GET /subscriptions', path: () => '/subscriptions', ceiling: 8 },
];

async function ofManyAndFew(bench: Bench, { many, few }: WaitRecords, devices: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { name, path, ceiling } of LISTS) {
    const [ofMany = Number.NaN, ofFew = Number.NaN] = await medians(
      bench,
      [many, few].map((fleet) => restRequest({ base: bench.base, apiKey: fleet.apiKey }, path(fleet))),
    );
    const what = `${name}: p50 at ${devices} devices to that at ${FEW_DEVICES}`;
    rows.push(atMost(what, ofMany / ofFew, ceiling, `p50 ${ms(ofMany)} to ${ms(ofFew)}`));
    printProgress(`${what}: ${ms(ofMany)} to ${ms(ofFew)}`);
  }
  return rows;
}

/** The medians of requests, sent by turns. */
async function medians({ steady }: Bench, requests: readonly LoadRequest[]): Promise<number[]> {
  const timesOf = (request: LoadRequest) => async () => (await steady.send({ ...request, ...LIST_LOAD })).times;
  return (await byTurns(TURNS, 1, requests.map(timesOf))).map(median);
}

/** Prints on standard error how far the bench is; standard output is for its rows. */
function printProgress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
