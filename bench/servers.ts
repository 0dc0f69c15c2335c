import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { localCertificate } from '../http/tls/local-ca.ts';
import { httpsClient } from '../test/clients/https-client.ts';
import type { ServiceProcess } from '../test/processes/waybridge-process.ts';
import { atLeast, atMost, type BenchRow } from './bench-row.ts';
import { benchService, withService } from './bench-service.ts';
import { cpuTime } from './cpu-time.ts';
import { LIMITS } from './duel/limits.ts';
import { serverProcess } from './duel/server-process.ts';
import { HttpsLoad } from './https-load.ts';
import { median, percentile } from './times.ts';
import { benchFleet, type Fleet } from './waits/fleet-records.ts';

const SERVERS = 4;
const VEHICLES = 20_000;
const ROUNDS = 9;
/** Requests of a round at each server, and before all of them. */
const [COUNT, WARM_UP] = [300, 1000];
/** Interval of the requests to each server, in milliseconds: four servers must not need more than the cores of the machine. */
const ASKED_EVERY_MS = 20;
/** Changes whose way to a reader at another server is measured, and the time that it may take in 99 of 100 cases, in milliseconds. */
const [CHANGES, LAG_MS] = [200, 1000];

/** A server, and the client that asks it. */
interface Server {
  readonly service: ServiceProcess;
  readonly load: HttpsLoad;
}

/** Measures several servers of one database, the embedded one in a process of its own, whose CPU time does not count. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const database = await serverProcess('duel/serve-database', [join(folder, 'database.db')]);
    ends.push(database.end);
    const env = { MONGODB_URI: database.url, DATA_DIR: folder, AUTH_URL: 'https://localhost', ...LIMITS };
    const sizes = { devices: VEHICLES, groups: 200, vehicles: VEHICLES, users: 10, subscriptions: 5 };
    const fleet = await withService(env, (service) => benchFleet(service, sizes));
    await localCertificate(folder, ['localhost']);
    const servers: Server[] = [];
    for (let number = 0; number < SERVERS; number++) {
      const server = { service: await benchService(env), load: new HttpsLoad() };
      servers.push(server);
      ends.push(() => Promise.all([server.service.end(), server.load.close()]));
    }
    const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
    return [await requestsRow(servers, fleet), await lagRow(servers, fleet, ca)];
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

async function requestsRow(servers: readonly Server[], fleet: Fleet): Promise<BenchRow> {
  await Promise.all(servers.map((server) => ask(server, fleet, WARM_UP)));
  const rounds: { readonly one: number; readonly all: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await requestsPerCpuSecond([servers[round % SERVERS] as Server], fleet);
    rounds.push({ one, all: await requestsPerCpuSecond(servers, fleet) });
  }
  const [one, all] = [median(rounds.map((round) => round.one)), median(rounds.map((round) => round.all))];
  const what = `GET /device/{key} of ${VEHICLES} vehicles, ${1000 / ASKED_EVERY_MS} a second at each server: requests a CPU-second of ${SERVERS} servers, to those of one`;
  const ratios = rounds.map((round) => round.all / round.one);
  return atLeast(what, median(ratios), 0.9, `${all.toFixed(0)} to ${one.toFixed(0)} a CPU-second`);
}

async function requestsPerCpuSecond(asked: readonly Server[], fleet: Fleet): Promise<number> {
  const cpu = () => asked.reduce((sum, { service }) => sum + cpuTime(service.child.pid ?? 0), 0);
  const before = cpu();
  await Promise.all(asked.map((server) => ask(server, fleet, COUNT)));
  return ((COUNT * asked.length) / (cpu() - before)) * 1_000_000;
}

function ask({ service, load }: Server, { deviceKey, apiKey }: Fleet, count: number): Promise<unknown> {
  const url = `${service.url}/api/v2/device/${deviceKey}`;
  const headers = { 'service-api-key': apiKey };
  return load.send({ url, method: 'GET', headers, body: '', count, concurrency: 1, everyMs: ASKED_EVERY_MS });
}

/** The time from the answer to a change until a reader who waits at the next server has it, beside requests at all of them. */
async function lagRow(servers: readonly Server[], fleet: Fleet, ca: string): Promise<BenchRow> {
  const send = httpsClient(ca, { keepAlive: true });
  const headers = { 'service-api-key': fleet.apiKey, 'content-type': 'application/json' };
  const beside = servers.map((server) => ask(server, fleet, Number.POSITIVE_INFINITY));
  const read = async ({ service }: Server, cursor: string) => {
    const { text } = await send(`${service.url}/api/v2/changes?wait=30${cursor && `&cursor=${cursor}`}`, { headers });
    return JSON.parse(text) as { readonly cursor: string; readonly changes: readonly { readonly key: string }[] };
  };
  const lags: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const [writer, reader] = [servers[change % SERVERS], servers[(change + 1) % SERVERS]] as [Server, Server];
    const { cursor } = await read(reader, '');
    const body = JSON.stringify({ name: `Shift ${change}` });
    const arrival = read(reader, encodeURIComponent(cursor)).then(() => performance.now());
    await send(`${writer.service.url}/api/v2/groups`, { method: 'POST', headers, body });
    const answered = performance.now();
    lags.push(Math.max(0, (await arrival) - answered));
  }
  for (const { load } of servers) load.stop();
  await Promise.all(beside);
  const [half, most] = [percentile(lags, 0.5), percentile(lags, 0.99)];
  const what = `a change by one of ${SERVERS} servers, until a reader at another has it: p99 to ${LAG_MS / 1000} s`;
  return atMost(what, most / LAG_MS, 1, `p50 ${half.toFixed(0)} ms, p99 ${most.toFixed(0)} ms, ${CHANGES} changes`);
}
