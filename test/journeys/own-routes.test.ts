import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test, vi } from 'vitest';

import { usedNames } from '../../auth/usage/read-usage.ts';
import { usageOf } from '../../auth/usage/usage-counter.ts';
import { documentIdOf } from '../../graphql/endpoint/trusted-documents.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { accountPaths } from '../../server/endpoints/account-paths.ts';
import { AccountClient, type Headers } from '../clients/account-client.ts';
import { gatewayEndpoint, ORIGIN } from '../clients/graphql-client.ts';
import { at, post, recordingDevice, timeAt } from '../hosts/ingest-host.ts';
import { openHost } from '../hosts/open-host.ts';
import { appFor, group, user, vehicle } from '../services/account-fixture.ts';
import { testService, useDatabase } from '../services/database.ts';

useDatabase();

const FOLDER = join(import.meta.dirname, '../../docs/routes');

let app: FastifyInstance;
/** Checks every response against the OpenAPI document. */
let client: AccountClient;
let van: Awaited<ReturnType<typeof recordingDevice>>;
let owner: Headers;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:30Z') });
  const paths = await accountPaths(FOLDER);
  expect(paths.warnings).toEqual([]);
  app = await openHost([
    await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN), paths),
    await gatewayEndpoint({ trustedDocuments: FOLDER }),
  ]);
  client = await AccountClient.of(app);
  van = await recordingDevice();
  owner = van.owner.headers;
  const points = [at(0, 'engine_start'), at(10), at(20), at(30, 'engine_stop')];
  expect(await post(app, { authorization: `Bearer ${van.secret}` }, { points })).toMatchObject({ status: 200 });
  return async () => {
    vi.useRealTimers();
    await app.close();
  };
});

test('each document of the folder is an operation of the OpenAPI document, and has a test here', async () => {
  const { paths } = (await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } })).json();
  const routes = Object.entries(paths as Record<string, Record<string, { tags: string[]; operationId: string }>>)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation }) => operation.tags.includes('route'))
    .map(({ path, method, operation }) => `${operation.operationId}: ${method.toUpperCase()} ${path}`);
  expect(routes.toSorted()).toEqual([
    'closeAlert: DELETE /alerts/{id}',
    'fleetStatus: GET /fleet/{group_key}/status',
    'lastPositions: GET /positions/last.php',
    'registerTracker: POST /trackers/register',
    'tripsOfDay: GET /vehicles/{vehicle}/trips/{day}',
  ]);
  expect(readdirSync(FOLDER)).toHaveLength(routes.length);
});

test('fleet-status: vehicles of a group, of which the list and the place on it are flat', async () => {
  const north = await group(van.owner.key, 'North');
  const inGroup = await vehicle(van.owner.key, [north]);
  const answer = await client.get(`/fleet/${north.key}/status?size=1`, owner);
  expect(answer.json()).toEqual({
    group: { name: 'North' },
    vehicles: [{ key: inGroup, nickname: 'Van', motion_status: null, since: null }],
    next: expect.any(String),
    more: false,
  });
  expect((await client.get('/fleet/none/status', owner)).statusCode).toBe(404);
});

test('last-positions: a list as the body, of flat objects with other names', async () => {
  const answer = await client.get('/positions/last.php?limit=1', owner);
  const { point } = at(30);
  expect(answer.json()).toEqual([
    { id: van.vehicle_key, name: 'Van', lat: point.lat, lng: point.lon, speed: 30, course: 90, time: timeAt(30) },
  ]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('at GraphQL, the same document is answered by its id as any other', async () => {
  const documentId = documentIdOf(readFileSync(join(FOLDER, 'last-positions.graphql'), 'utf8'));
  const answer = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { host: 'localhost', ...owner },
    payload: { documentId, variables: { limit: 1 } },
  });
  const { point } = at(30);
  const vehicle_location = { point: { lat: point.lat, lng: point.lon }, speed: 30, course: 90, time: timeAt(30) };
  expect(answer.json()).toEqual({
    data: { vehicles: { nodes: [{ id: van.vehicle_key, name: 'Van', vehicle_location }] } },
  });
});

test('what a route uses is counted: its path with parameters, its document, and the fields of that', async () => {
  await client.get('/positions/last.php?limit=1', owner);
  await usageOf(testService).write();
  const names = (await usedNames(testService, new Date(0))).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'GET /positions/last.php',
      'GET /positions/last.php(limit:)',
      'document LastPositions',
      'Query.vehicles(first:)',
      'VehicleLocation.heading',
    ]),
  );
});

test('trips-of-day: parameters in path and query, by the names that clients know', async () => {
  const path = `/vehicles/${van.vehicle_key}/trips`;
  const trips = (await client.get(`${path}/2026-03-01?until=2026-03-02`, owner)).json();
  expect(trips).toEqual({
    trips: [{ id: expect.any(String), miles: expect.any(Number), seconds: 30, started: timeAt(0), ended: timeAt(30) }],
  });
  expect((await client.get(`${path}/2026-03-02?until=2026-03-03`, owner)).json()).toEqual({ trips: [] });
  const wrong = [
    [`${path}/2026-03-01`, 'until is required'],
    [`${path}/monday?until=2026-03-02`, 'day is not an ISO 8601 date-time'],
    [`${path}/2026-03-01?until=tuesday`, 'until is not an ISO 8601 date-time'],
    [`${path}/2026-03-01?until=2026-03-02&until=2026-03-03`, 'until must be given once'],
  ] as const;
  for (const [url, message] of wrong) {
    const answer = await client.get(url, owner);
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 400, { errors: message }]);
  }
});

test('register-tracker: variables are members of a JSON body, and the status is the old one', async () => {
  const created = await client.post('/trackers/register', { imei: '3569', vehicle: van.vehicle_key }, owner);
  expect([created.statusCode, created.json()]).toEqual([
    201,
    { id: expect.any(String), imei: '3569', vehicle: van.vehicle_key, state: 'installed' },
  ]);
  for (const [body, errors] of [
    [{}, 'imei is required'],
    [{ imei: 3569 }, 'imei must be a string'],
    [{ imei: '' }, expect.stringMatching(/^imei must /)],
  ] as const) {
    const answer = await client.post('/trackers/register', body, owner);
    expect([body, answer.statusCode, answer.json()]).toEqual([body, 400, { errors }]);
  }
  const once = { ...owner, 'idempotency-key': 'a' };
  const [first, second] = [
    await client.post('/trackers/register', { imei: '3570' }, once),
    await client.post('/trackers/register', { imei: '3570' }, once),
  ];
  expect([second.statusCode, second.body]).toEqual([201, first.body]);
});

test('close-alert: a deletion by DELETE, with an empty answer', async () => {
  const rule = (await client.post('/rules', { name: 'Too fast', speed_limit: 75 }, owner)).json();
  const closed = await client.delete(`/alerts/${rule.key}`, owner);
  expect([closed.statusCode, closed.body]).toEqual([204, '']);
  expect((await client.delete(`/alerts/${rule.key}`, owner)).statusCode).toBe(404);
  expect((await client.get(`/rule/${rule.key}`, owner)).statusCode).toBe(404);
});

test('a route has the entity tag, the methods and the CORS of a built-in path', async () => {
  const url = '/positions/last.php';
  const first = await client.get(url, owner);
  expect(first.headers).toMatchObject({ etag: expect.stringMatching(/^".{22}"$/), 'access-control-allow-origin': '*' });
  const again = await client.get(url, { ...owner, 'if-none-match': String(first.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const host = { host: 'localhost', ...owner };
  for (const [method, path, allow] of [
    ['POST', '/positions/last.php', 'GET, HEAD, OPTIONS'],
    ['GET', '/trackers/register', 'OPTIONS, POST'],
    ['PUT', '/alerts/none', 'DELETE, OPTIONS'],
  ] as const) {
    const answer = await app.inject({ method, url: `/api/v2${path}`, headers: host });
    expect([answer.statusCode, answer.headers.allow, answer.body]).toEqual([405, allow, '']);
  }
});

test('a route is open to the callers of its root fields, and its scopes are in the OpenAPI document', async () => {
  const { paths } = (await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } })).json();
  const security = (path: string, method: string) => paths[path][method].security;
  expect(security('/fleet/{group_key}/status', 'get')).toEqual([
    { apiKey: [] },
    { oauth2: expect.arrayContaining(['account.read', 'vehicles.read']) },
  ]);
  expect(security('/trackers/register', 'post')).toEqual([{ apiKey: [] }, { oauth2: ['devices.manage'] }]);
  const of = async (...scopes: string[]) =>
    (await appFor(await user(van.owner.key, [], { account_role: 'administrator' }), scopes)).headers;
  const url = '/positions/last.php';
  expect((await client.get(url)).statusCode).toBe(401);
  expect((await client.get(url, { 'service-api-key': 'wrong' })).statusCode).toBe(401);
  expect((await client.get(url, await of('vehicles.read', 'account_activity.read'))).statusCode).toBe(200);
  const lacking = await client.get(url, await of('account.read'));
  expect([lacking.statusCode, lacking.body]).toEqual([403, '']);
  expect(lacking.headers['www-authenticate']).toContain('scope="vehicles.read"');
  const part = (await client.get('/positions/last.php?limit=1', await of('vehicles.read'))).json();
  expect(part).toEqual([expect.objectContaining({ id: van.vehicle_key, lat: null, time: null })]);
  const restricted = await user(van.owner.key, [await group(van.owner.key, 'South')]);
  const { headers } = await appFor(restricted, ['vehicles.read']);
  expect((await client.get(url, headers)).json()).toEqual([]);
  expect((await client.get(`/vehicles/${van.vehicle_key}/trips/2026-03-01?until=2026-03-02`, headers)).statusCode).toBe(
    403,
  );
});
