import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { atMost, type BenchRow } from '../bench-row.ts';
import { cpuTime, residentMemory } from '../cpu-time.ts';
import { LIMITS } from '../duel/limits.ts';
import { median, percentile } from '../times.ts';
import { EventReaders } from './event-readers.ts';
import { issueIngestKey } from '../../auth/ingest-keys.ts';
import type { Service } from '../../models/store/service.ts';
import { benchService, withService } from '../bench-service.ts';
import { benchAccount, type SendingVehicle, sendingVehicles } from '../records.ts';

/** Numbers of streams, each of one vehicle. */
const SIZES = [500, 5000] as const;
/** Devices of a batch, each with one position. */
const BATCH = 50;
/** Batches of different vehicles, among all that are followed. */
const BATCHES = 4;
/** Batches to followed and to other vehicles that are compared, and those before, until the code is compiled. */
const ROUNDS = 40;
const WARM_UPS = 40;
/** Time for which the memory of the service is watched; it collects garbage when it has nothing to do. */
const WATCHED_MS = 12_000;
const WATCHED_EVERY_MS = 250;

const MAX_EVENT_MICROSECONDS = 150;
const MAX_STREAM_KB = 60;
const MAX_LATENCY_MS = 500;
/** Maximum ratio of what is to be flat. */
const FLAT = 1.2;

/** Costs of a number of streams. */
interface StreamCosts {
  /** CPU of a delivered event, in microseconds. */
  readonly event: number;
  /** CPU of a position that nobody follows, in microseconds. */
  readonly position: number;
  /** Memory of the service, in kB. */
  readonly kB: number;
  /** CPU in a second without events, in milliseconds. */
  readonly idle: number;
  /** Times from the answer to a sender to the arrival of the event, in milliseconds. */
  readonly latencies: readonly number[];
}

/** An account with a device in each of its vehicles, and a key of a forwarder that sends for all of them. */
interface LiveFleet {
  readonly apiKey: string;
  readonly secret: string;
  readonly vehicles: readonly SendingVehicle[];
}

/**
 * Measures streams of one vehicle each, with a connection each: the CPU of a delivered event, which is that of a position of a
 * followed vehicle less that of one that nobody follows, the memory of a stream, and the time until events arrive.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const most = Math.max(...SIZES);
  const fleets = await withService({ DATA_DIR: folder }, async (service) => ({
    followed: await liveFleet(service, most + BATCH),
    other: await liveFleet(service, BATCH),
  }));
  const service = await benchService({ DATA_DIR: folder, ...LIMITS });
  const pid = service.child.pid ?? 0;
  const readers = new EventReaders(`${service.url}/graphql`, fleets.followed.apiKey);
  try {
    const send = senderTo(`${service.url}/api/v2/ingest`);
    // Of vehicles that are not among those that are counted.
    const first = fleets.followed.vehicles.slice(most);
    const warmUp = new EventReaders(`${service.url}/graphql`, fleets.followed.apiKey);
    await warmUp.follow(first.map(({ key }) => key));
    for (let round = 0; round < WARM_UPS; round++) {
      await send(fleets.followed, first);
      await warmUp.take(BATCH);
      await send(fleets.other, fleets.other.vehicles);
    }
    warmUp.close();
    const costs: StreamCosts[] = [];
    for (const size of SIZES) {
      await readers.follow(fleets.followed.vehicles.slice(readers.count, size).map(({ key }) => key));
      const resting = await restingMemory(pid);
      costs.push({ kB: resting.kB, idle: resting.cpu, ...(await delivery(pid, send, readers, fleets)) });
      process.stderr.write(`  ${size} streams: ${JSON.stringify(described(costs.at(-1)))}, load ${loadavg()[0]}\n`);
    }
    return rowsOf(costs);
  } finally {
    readers.close();
    await service.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function liveFleet(service: Service, count: number): Promise<LiveFleet> {
  const { key: account_key, apiKey } = await benchAccount(service);
  const { secret } = await issueIngestKey(service, { account_key, device_key: null });
  return { apiKey, secret, vehicles: await sendingVehicles(service, account_key, count) };
}

type Send = ReturnType<typeof senderTo>;

async function delivery(
  pid: number,
  send: Send,
  readers: EventReaders,
  fleets: Readonly<Record<'followed' | 'other', LiveFleet>>,
): Promise<Pick<StreamCosts, 'event' | 'position' | 'latencies'>> {
  const [followed, other]: [number[], number[]] = [[], []];
  const latencies: number[] = [];
  const step = Math.floor(readers.count / (BATCHES * BATCH));
  const sent = fleets.followed.vehicles.slice(0, readers.count).filter((_, at) => at % step === 0);
  const batchOf = (round: number) => {
    const from = (round % BATCHES) * BATCH;
    return sent.slice(from, from + BATCH);
  };
  // Their trips begin before they are measured.
  for (let round = 0; round < 2 * BATCHES; round++) {
    await send(fleets.followed, batchOf(round));
    await readers.take(BATCH);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuTime(pid);
    const answered = await send(fleets.followed, batchOf(round));
    const arrivals = await readers.take(BATCH);
    const between = cpuTime(pid);
    await send(fleets.other, fleets.other.vehicles);
    followed.push((between - before) / BATCH);
    other.push((cpuTime(pid) - between) / BATCH);
    latencies.push(...arrivals.map((arrived) => Math.max(0, arrived - answered)));
  }
  const differences = followed.map((microseconds, round) => microseconds - (other[round] ?? Number.NaN));
  return { event: median(differences), position: median(other), latencies };
}

/** Makes a function that sends a position of each of some vehicles, and resolves with the time of the answer. */
function senderTo(url: string) {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return ({ secret }: LiveFleet, vehicles: LiveFleet['vehicles']): Promise<number> => {
    const timestamp = new Date().toISOString();
    const point = { lat: 53 + Math.random(), lon: 8 + Math.random() };
    const batch = vehicles.map(({ serial }) => ({ serial, points: [{ point, timestamp, speed: 18, heading: 90 }] }));
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
        const answered = performance.now();
        answer.resume().once('end', () => {
          if (answer.statusCode === 200) resolve(answered);
          else reject(new Error(`Positions were answered with ${answer.statusCode}`));
        });
      });
      sent.once('error', reject).end(JSON.stringify({ batch }));
    });
  };
}

/** The least memory of a process while it rests, in kB, and its CPU in a second, in milliseconds. */
async function restingMemory(pid: number): Promise<{ readonly kB: number; readonly cpu: number }> {
  let kB = Number.POSITIVE_INFINITY;
  const [began, before] = [performance.now(), cpuTime(pid)];
  while (performance.now() - began < WATCHED_MS) {
    await setTimeout(WATCHED_EVERY_MS);
    kB = Math.min(kB, residentMemory(pid));
  }
  return { kB, cpu: (cpuTime(pid) - before) / (performance.now() - began) };
}

function described(costs: StreamCosts | undefined) {
  const { latencies = [], ...rest } = costs ?? {};
  return { ...rest, p99: percentile(latencies, 0.99) };
}

function rowsOf(costs: readonly StreamCosts[]): BenchRow[] {
  const [few, many] = costs as [StreamCosts, StreamCosts];
  const rows = costs.flatMap(({ event, position, idle, latencies }, at) => {
    const streams = `${SIZES[at]} streams`;
    const p99 = percentile(latencies, 0.99);
    return [
      atMost(
        `CPU of a delivered event at ${streams}, to ${MAX_EVENT_MICROSECONDS} µs`,
        event / MAX_EVENT_MICROSECONDS,
        1,
        `${event.toFixed(0)} µs, beside ${position.toFixed(0)} µs of its position; ${idle.toFixed(1)} ms of CPU a second without events`,
      ),
      atMost(
        `p99 from the answer to a position to its event at ${streams}, to ${MAX_LATENCY_MS} ms`,
        p99 / MAX_LATENCY_MS,
        1,
        `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      ),
    ];
  });
  const [less, more] = SIZES;
  const further = (many.kB - few.kB) / (more - less);
  const ratio = (one: number, other: number) => `${one.toFixed(1)} to ${other.toFixed(1)}`;
  return [
    ...rows,
    atMost(
      `CPU of a delivered event at ${more} streams, to that at ${less}`,
      many.event / few.event,
      FLAT,
      `${ratio(many.event, few.event)} µs`,
    ),
    atMost(
      `memory of a further stream, from ${less} to ${more}, to ${MAX_STREAM_KB} kB`,
      further / MAX_STREAM_KB,
      1,
      `${further.toFixed(1)} kB with its TLS connection; the service has ${(many.kB / 1000).toFixed(0)} MB`,
    ),
  ];
}
