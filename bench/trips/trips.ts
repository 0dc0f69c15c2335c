import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { identify, readCredentials } from '../../auth/identify.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import { readConfig } from '../../server/configuration/config.ts';
import { openDatabase } from '../../server/database/database.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { graphqlEndpoint } from '../../graphql/endpoint/graphql-endpoint.ts';
import { createHost } from '../../http/host.ts';
import { createLog } from '../../http/observing/logs.ts';
import { tlsCertificate } from '../../server/start/tls-certificate.ts';
import { AddressRanges } from '../../http/requests/address-ranges.ts';
import { answerText } from '../answer-text.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { HttpsLoad, type LoadRequest } from '../https-load.ts';
import { pointsOnDisk } from './points-on-disk.ts';
import { tripMapDuels } from './trip-map-duels.ts';
import { anew, PAGE_ORIGIN, tripMapRequest } from './trip-map-request.ts';
import { type BenchAccount, benchAccount, benchVehicles } from '../records.ts';
import { benchTrips } from './trips-records.ts';
import { byTurns, median } from '../times.ts';
import type { Service } from '../../models/store/service.ts';

const CONCURRENCY = 8;
const ISSUER = 'https://localhost';

/**
 * Measures trips by HTTPS GraphQL against a static handler of the same host that sends the same bytes, and against a service
 * written by hand that works them out from outlines encoded at rest.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const config = readConfig({ DATA_DIR: folder });
  const database = await openDatabase(config, true);
  const bodies = new Map<string, string>();
  const certificate = await tlsCertificate(config);
  const app = createHost({
    certificate,
    trustedProxies: AddressRanges.NONE,
    log: createLog('silent'),
    endpoints: [await graphql(database.service), staticEndpoint(bodies)],
    ping: database.ping,
    version: 'bench',
    metricsToken: null,
  });
  const load = new HttpsLoad();
  try {
    const rows = await measure(database.service, {
      base: await originOf(app),
      bodies,
      load,
    });
    return [...rows, ...(await tripMapDuels()), await pointsOnDisk(folder)];
  } finally {
    await load.close();
    await app.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function originOf(app: FastifyInstance): Promise<string> {
  return `https://${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).host}`;
}

/** The gateway as `waybridge serve` composes it. */
async function graphql(service: Service): Promise<Endpoint> {
  const rules = { endpoint: 'graphql', issuer: ISSUER, origin: ISSUER } as const;
  return graphqlEndpoint(service, {
    schema: await gatewaySchema(),
    path: '/graphql',
    contextOf: async ({ raw }) => ({
      service: service,
      caller: await identify(service, readCredentials(raw.rawHeaders), rules),
    }),
  });
}

/** Sends what it was given, with the headers and the compression of GraphQL's answers. */
function staticEndpoint(bodies: ReadonlyMap<string, string>): Endpoint {
  return {
    name: 'static',
    register: (app) => {
      app.post<{ Params: { name: string } }>('/static/:name', async ({ params }, reply) => {
        reply.header('Cache-Control', 'no-store').header('Content-Type', 'application/json; charset=utf-8');
        return bodies.get(params.name);
      });
    },
  };
}

interface Bench {
  readonly base: string;
  readonly bodies: Map<string, string>;
  readonly load: HttpsLoad;
}

async function measure(service: Service, bench: Bench): Promise<BenchRow[]> {
  const account = await benchAccount(service);
  const trips = (options: { count: number; perDay: number; withPoints: boolean }) => async (vehicle_key: string) => {
    await benchTrips(service, { account_key: account.key, vehicle_key, points: 1000, drives: 40, ...options });
    return vehicle_key;
  };
  const [few, many, busy] = [
    await benchVehicles(service, account.key, 1).then(trips({ count: 400, perDay: 20, withPoints: true })),
    await benchVehicles(service, account.key, 1).then(trips({ count: 40_000, perDay: 20, withPoints: false })),
    await benchVehicles(service, account.key, 1).then(trips({ count: 1000, perDay: 1000, withPoints: true })),
  ];
  const dayOf = async (vehicle_key: string, first: number, day: number): Promise<LoadRequest> => {
    const token = await account.tripToken(vehicle_key, ISSUER, PAGE_ORIGIN);
    const request = tripMapRequest({ url: `${bench.base}/graphql`, token, vehicle_key, first, day });
    return { ...request, concurrency: CONCURRENCY };
  };

  // Enough of those that are quick for their code to be compiled: what is measured is a service that has run a while.
  const day = await compare(bench, await dayOf(few, 50, 10), { again: 6400, anew: 400 });
  const thousand = await compare(bench, await dayOf(busy, 1000, 0), { again: 400, anew: 64 });
  const years = await alternate(bench, [anew(await dayOf(many, 50, 1000)), anew(await dayOf(few, 50, 10))], 400);
  const fleet = await benchAccount(service);
  await benchVehicles(service, fleet.key, 100_000);
  await benchVehicles(service, account.key, 47);
  const vehicles = await alternate(bench, [vehiclesOf(bench, fleet), vehiclesOf(bench, account)], 400);
  return [
    atMost('a day of 20 trips of 1,000 points, to the same bytes', day.ratio, 1.5, day.detail),
    atMost('1,000 trips of 1,000 points, to the same bytes', thousand.ratio, 2.5, thousand.detail),
    atMost('a day of a vehicle with 40,000 trips, to one with 400', ...ratioOf(years, 1.2)),
    atMost('50 of 100,000 vehicles, to 50 of 50', ...ratioOf(vehicles, 1.2)),
  ];
}

/** A page of an account's vehicles, for its owner. */
function vehiclesOf({ base }: Bench, { apiKey }: BenchAccount): LoadRequest {
  return {
    url: `${base}/graphql`,
    method: 'POST',
    headers: { 'service-api-key': apiKey, 'content-type': 'application/json', 'accept-encoding': 'br, gzip' },
    body: JSON.stringify({ query: '{ vehicles(first: 50) { nodes { key nickname device_keys group_keys } } }' }),
    count: 0,
    concurrency: CONCURRENCY,
  };
}

/** An answer that is given again, to the same bytes of a static handler; beside it, the time for a computed one. */
async function compare(bench: Bench, request: LoadRequest, counts: { readonly again: number; readonly anew: number }) {
  const [name, answer] = [`a${bench.bodies.size}`, await answerText(request)];
  bench.bodies.set(name, answer);
  const same = { ...request, url: `${bench.base}/static/${name}`, body: '{}' };
  const [measured, served] = await alternate(bench, [request, same], counts.again);
  if (!measured || !served) throw new RangeError('Nothing was measured');
  const [workedOut = Number.NaN] = await alternate(bench, [anew(request)], counts.anew);
  const detail = `p50 ${ms(measured)} to ${ms(served)}, ${answer.length} bytes; computed each time ${ms(workedOut)}`;
  return { ratio: measured / served, detail };
}

/** The medians of requests, sent in rounds by turns. */
async function alternate({ load }: Bench, requests: readonly LoadRequest[], count: number): Promise<number[]> {
  const rounds = 8;
  const timesOf = (request: LoadRequest) => async () =>
    (await load.send({ ...request, count: Math.ceil(count / rounds) })).times;
  return (await byTurns(rounds, 2, requests.map(timesOf))).map(median);
}

function ratioOf([one = Number.NaN, other = Number.NaN]: readonly number[], ceiling: number): [number, number, string] {
  return [one / other, ceiling, `p50 ${ms(one)} to ${ms(other)}`];
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
