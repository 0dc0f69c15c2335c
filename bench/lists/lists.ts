import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { benchService, withService } from '../bench-service.ts';
import type { ServiceProcess } from '../../test/processes/waybridge-process.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { cpuTime } from '../cpu-time.ts';
import { LIMITS } from '../duel/limits.ts';
import { HttpsLoad } from '../https-load.ts';
import { byTurns, median } from '../times.ts';
import { benchFleet } from '../waits/fleet-records.ts';
import type { Service } from '../../models/store/service.ts';
import { type ListedAccount, listedAccount } from './list-records.ts';

const VEHICLES = 10_000;
/** Vehicles and devices of accounts whose members are counted; a tenth as many are users. */
const MEMBERS = [100_000, 100] as const;
const COUNTING_GROUPS = 10;
const CEILING = 1.2;
const ROUNDS = 9;
const WARM_UPS = 2;
/** Requests of each measurement, and how many are under way. */
const COUNT = 24;
const CONCURRENCY = 4;

/** Lists by API key. */
const LISTS: readonly ((account: ListedAccount) => string)[] = [
  () => '/vehicles',
  () => '/vehicles?q=Van%200',
  ({ groupKey }) => `/vehicles?group_keys=${groupKey}`,
  ({ tagKey }) => `/vehicles?tag_keys=${tagKey}`,
  () => '/vehicles?expand=tags&expand=groups&expand=devices&expand=last_trip',
  ({ vehicleKey }) => `/vehicles?cursor=${vehicleKey}`,
  () => '/users?expand=tags&expand=groups',
  () => '/trips',
  ({ vehicleKey }) => `/trips?vehicle_key=${vehicleKey}`,
  ({ driverKey }) => `/trips?user_key=${driverKey}`,
  () => '/devices',
  () => '/tags',
  () => '/places',
  () => '/events',
  ({ vehicleKey }) => `/events?vehicle_key=${vehicleKey}`,
  () => '/places/visits',
  ({ placeKey }) => `/places/visits?place_key=${placeKey}`,
  ({ driverKey }) => `/places/visits?driver_key=${driverKey}`,
  ({ groupKey }) => `/groups?group_keys=${groupKey}`,
];

/** Lists of a user who is restricted to a group of ten vehicles. */
const RESTRICTED_LISTS = ['/vehicles', '/trips', '/users', '/devices', '/events', '/places/visits', '/groups'];

/** Answers that count members of groups, devices of subscriptions and users. */
const COUNTING_LISTS = ['/groups', '/subscriptions', '/account'];

/** A request of an account. */
interface ListRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Measures pages of lists of a large account against the same pages of an account of a tenth of its size, and counts of many
 * members against counts of few, by CPU time.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const env = { DATA_DIR: folder, AUTH_URL: 'https://localhost', ...LIMITS };
  const load = new HttpsLoad();
  let service: ServiceProcess | undefined;
  try {
    const { accounts, counted } = await withService(env, async (service) => ({
      accounts: [await listedAccount(service, VEHICLES), await listedAccount(service, VEHICLES / 10)],
      counted: [await countedAccount(service, MEMBERS[0]), await countedAccount(service, MEMBERS[1])],
    }));
    const started = await benchService(env);
    service = started;
    const rows: BenchRow[] = [];
    for (const { what, requestOf } of allLists()) {
      const row = `GET ${what}, to the same at a tenth of the size`;
      rows.push(await listRow(row, started, load, accounts.map(requestOf)));
    }
    for (const path of COUNTING_LISTS) {
      const row = `GET ${path} with ${MEMBERS.join(' members, to the same with ')}`;
      const requests = counted.map((apiKey) => requestBy(apiKey, path));
      rows.push(await listRow(row, started, load, requests));
    }
    return rows;
  } finally {
    await Promise.all([service?.end(), load.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function allLists() {
  const byKey = LISTS.map((pathOf) => ({
    what: nameOf(pathOf),
    requestOf: (account: ListedAccount): ListRequest => {
      return requestBy(account.apiKey, pathOf(account));
    },
  }));
  const restricted = RESTRICTED_LISTS.map((path) => ({
    what: `${path} by a user of one group`,
    requestOf: ({ accessToken }: ListedAccount): ListRequest => {
      return { path, headers: { authorization: `Bearer ${accessToken}` } };
    },
  }));
  return [...byKey, ...restricted];
}

function requestBy(apiKey: string, path: string): ListRequest {
  return { path, headers: { 'service-api-key': apiKey } };
}

/** Makes an account of some groups and one subscription, with as many devices as vehicles; returns its API key. */
async function countedAccount(service: Service, count: number): Promise<string> {
  const members = { vehicles: count, devices: count, users: count / 10 };
  return (await benchFleet(service, { ...members, groups: COUNTING_GROUPS, subscriptions: 1 })).apiKey;
}

function nameOf(pathOf: (account: ListedAccount) => string): string {
  const key = 'KEY';
  const names = { key, apiKey: key, accessToken: key, groupKey: key, tagKey: key, vehicleKey: key };
  return pathOf({ ...names, driverKey: key, placeKey: key });
}

async function listRow(
  what: string,
  service: ServiceProcess,
  load: HttpsLoad,
  requests: readonly ListRequest[],
): Promise<BenchRow> {
  const costOf = (request: ListRequest) => () => microsecondsOf(service, load, request);
  const costs = await byTurns(ROUNDS, WARM_UPS, requests.map(costOf));
  const [large, small] = costs.map(median);
  const ratios = (costs[0] ?? []).map((cost, round) => cost / (costs[1]?.[round] ?? Number.NaN));
  const scatter = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const detail = `${large?.toFixed(0)} µs to ${small?.toFixed(0)} µs of CPU a request; ${scatter}`;
  process.stderr.write(`  ${what}: ${detail}\n`);
  return atMost(what, median(ratios), CEILING, detail);
}

/** CPU time of the service for a request, in microseconds. */
async function microsecondsOf({ child, url }: ServiceProcess, load: HttpsLoad, request: ListRequest): Promise<number> {
  const before = cpuTime(child.pid ?? 0);
  const { path, headers } = request;
  await load.send({
    url: `${url}/api/v2${path}`,
    method: 'GET',
    headers,
    body: '',
    count: COUNT,
    concurrency: CONCURRENCY,
  });
  return (cpuTime(child.pid ?? 0) - before) / COUNT;
}
