import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { databaseMetrics } from '../../../server/database/database-metrics.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { serviceMetrics } from '../../../server/service/service-metrics.ts';
import { TRIPS_QUERY } from '../../../schema/trips/trips-query.ts';
import { gatewayEndpoint, ORIGIN } from '../../clients/graphql-client.ts';
import { account, device, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';

useDatabase();

const measured = serviceMetrics(testService);
let app: FastifyInstance;
beforeAll(async () => {
  const endpoints = [
    await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)),
    await contentEndpoint(testService, new URL(ORIGIN)),
    await gatewayEndpoint(),
  ];
  app = await openHost(endpoints, { metrics: [measured.metrics, databaseMetrics(testService)] });
});
afterAll(async () => {
  await app.close();
  await measured.close();
});

/** The value of a series; undefined if it is not exported. */
async function seriesValue(series: string): Promise<number | undefined> {
  const { body } = await app.inject('/metrics');
  const line = body.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function sender() {
  const { key, headers } = await account();
  const vehicle_key = await vehicle(key);
  const made = await device(key, { vehicle_key });
  const { secret } = await issueIngestKey(testService, { account_key: key, device_key: made.key });
  return { headers, authorization: `Bearer ${secret}` };
}

const pointAt = (secondsAgo: number) => ({
  point: { lat: 53.1 - secondsAgo / 10_000, lon: 8.8 },
  timestamp: new Date(Date.now() - secondsAgo * 1000).toISOString().replace(/\..*/, '+00:00'),
});

test('counts positions, their lag, and the trip that they open', async () => {
  const { authorization } = await sender();
  const points = [pointAt(100), pointAt(90)];
  const send = () =>
    app.inject({ method: 'POST', url: '/api/v2/ingest', headers: { authorization }, payload: { points } });
  expect((await send()).json()).toMatchObject({ accepted: 2 });
  expect((await send()).json()).toMatchObject({ duplicates: 2 });
  expect(await seriesValue('waybridge_ingest_positions_total{result="accepted"}')).toBe(2);
  expect(await seriesValue('waybridge_ingest_positions_total{result="duplicate"}')).toBe(2);
  expect(await seriesValue('waybridge_ingest_positions_total{result="refused"}')).toBe(0);
  expect(await seriesValue('waybridge_ingest_lag_seconds_bucket{le="60"}')).toBe(0);
  expect(await seriesValue('waybridge_ingest_lag_seconds_bucket{le="300"}')).toBe(2);
  expect(await seriesValue('waybridge_open_trips')).toBe(1);
});

test('names operations of trusted documents alone, whatever names clients send', async () => {
  const { headers } = await account();
  const ask = (query: string) => app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
  await ask('query Own1 { trips(first: 1) { nodes { key } } }');
  await ask('query Own2 { nonsense }');
  await ask('mutation Own3 { createGroup(name: "") { key } }');
  await ask(TRIPS_QUERY);
  const count = 'waybridge_graphql_operation_duration_seconds_count';
  expect(await seriesValue(`${count}{operation="other",type="query",outcome="answered"}`)).toBe(1);
  expect(await seriesValue(`${count}{operation="other",type="unknown",outcome="rejected"}`)).toBe(1);
  expect(await seriesValue(`${count}{operation="other",type="mutation",outcome="rejected"}`)).toBe(1);
  expect((await app.inject('/metrics')).body).toMatch(/operation="ServiceTripsMap"/);
  expect((await app.inject('/metrics')).body).not.toMatch(/Own\d/);
});

test('counts what the cache of content answers', async () => {
  const hits = 'waybridge_cache_requests_total{cache="content",result="hit"}';
  // Answers are kept once there is content.
  await addWebsiteUser(testService, 'author', 'author@example.com', 'author');
  const before = (await seriesValue(hits)) ?? 0;
  for (let times = 0; times < 3; times++) await app.inject('/wp-json/wp/v2/posts');
  expect(await seriesValue(hits)).toBeGreaterThan(before);
});

test('counts database commands and connections', async () => {
  const { headers } = await account();
  const seconds = 'waybridge_database_command_duration_seconds_count';
  const devices = 'waybridge_database_operations_total{collection="devices",operation="find"}';
  const before = { commands: (await seriesValue(seconds)) ?? 0, finds: (await seriesValue(devices)) ?? 0 };
  expect((await app.inject({ url: '/api/v2/devices', headers })).statusCode).toBe(200);
  expect(await seriesValue(devices)).toBe(before.finds + 1);
  expect(await seriesValue(seconds)).toBeGreaterThanOrEqual(before.commands + 2);
  expect(await seriesValue('waybridge_database_connections{state="idle"}')).toBeGreaterThan(0);
  expect(await seriesValue('waybridge_database_connections{state="waiting"}')).toBe(0);
});
