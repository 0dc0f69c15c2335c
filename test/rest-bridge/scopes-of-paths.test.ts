import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { SCOPES, type Scope } from '../../auth/scopes/scope.ts';
import { accountRoutes, messageRoutes } from '../../rest-bridge/account-routes.ts';
import { administrationRoutes } from '../../rest-bridge/administration-routes.ts';
import type { AccountRole } from '../../schema/account/user.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import type { Headers } from '../clients/account-client.ts';
import { account, appFor, user } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';

useDatabase();

/** The paths that each scope opens. Decisions: "Who may do what"; fleet API: "Paths". */
const PATHS_OF_SCOPES: Readonly<Record<Scope, readonly string[]>> = {
  'account.read': [
    'GET /account',
    'GET /devices',
    'GET /device/{key}',
    'GET /groups',
    'GET /group/{group_key}',
    'GET /users',
    'GET /user/{key}',
    'GET /tags',
    'GET /tag/{key}',
  ],
  'account.manage': [
    ...['POST /account', 'POST /account/trip_settings'],
    'POST /groups',
    'POST /group/{group_key}',
    'DELETE /group/{group_key}',
    'POST /groups/apply',
    'POST /tags',
    'POST /tag/{key}',
    'DELETE /tag/{key}',
    'POST /tag/{key}/apply',
  ],
  'billing.read': ['GET /subscriptions', 'GET /subscription/{key}'],
  'devices.manage': [
    ...['POST /devices', 'POST /device/{key}', 'DELETE /device/{key}', 'POST /device/{key}/restore'],
    'POST /device/{key}/trip_settings',
  ],
  'vehicles.read': ['GET /vehicles', 'GET /vehicles/nearby', 'GET /vehicle/{key}'],
  'vehicles.manage': ['POST /vehicles', 'POST /vehicle/{key}', 'DELETE /vehicle/{key}', 'POST /vehicle/{key}/restore'],
  'account_activity.read': [
    ...['GET /trips', 'GET /trip/{key}', 'GET /stays', 'GET /events', 'GET /event/{key}'],
    ...['GET /shares', 'GET /share/{key}', 'GET /rules', 'GET /rule/{key}'],
    ...['GET /webhooks', 'GET /webhook/{key}', 'GET /webhook/{webhook_key}/deliveries'],
    'GET /import/{key}',
  ],
  'account_activity.manage': [
    ...['POST /trip/{key}', 'POST /webhooks', 'POST /webhook/{key}', 'DELETE /webhook/{key}'],
    ...['POST /shares', 'POST /share/{key}', 'DELETE /share/{key}'],
    ...['POST /vehicle/{vehicle_key}/imports', 'DELETE /import/{key}'],
    ...['POST /rules', 'POST /rule/{key}', 'DELETE /rule/{key}'],
    ...['POST /webhook/{key}/rotate_secret', 'POST /webhook/{key}/test', 'POST /webhook/{key}/replay'],
  ],
  'trippoints.read': ['GET /trip/{trip_key}/points'],
  'user.read': ['GET /user'],
  'user.manage': ['POST /users', 'POST /user/{key}', 'DELETE /user/{key}', 'POST /user/{key}/restore'],
  'places.read': ['GET /places', 'GET /place/{key}', 'GET /places/visits'],
  'places.manage': ['POST /places', 'POST /place/{key}', 'DELETE /place/{key}'],
};

/** Paths that each of several scopes opens, and then show what it lets an app see. */
const OF_SEVERAL_SCOPES: readonly (readonly [string, readonly Scope[]])[] = [
  ['GET /changes', ['account.read', 'account_activity.read', 'places.read', 'user.read', 'vehicles.read']],
];

/** Paths that no scope opens: of API keys alone. */
const OF_API_KEYS = [
  'POST /user/{key}/invite',
  ...Object.keys(administrationRoutes).filter((path) => !/\/trip_settings$|^GET \/subscription/.test(path)),
];
/** Paths that no scope opens to others than drivers. */
const OF_API_KEYS_AND_DRIVERS = ['GET /trip/{key}.gpx', 'GET /trip/{key}.geojson'];
const OF_DEVICES = ['POST /ingest', ...Object.keys(messageRoutes)];

/** The paths of a driver, who sees itself, its trips, the stays after them, and its visits. */
const OF_DRIVERS = [
  ...OF_API_KEYS_AND_DRIVERS,
  ...[
    'GET /user',
    'GET /trips',
    'GET /stays',
    'GET /trip/{key}',
    'GET /trip/{trip_key}/points',
    'GET /places/visits',
    'GET /changes',
  ],
];

const scopes = Object.keys(SCOPES) as Scope[];
const scopesAndPaths = Object.entries(PATHS_OF_SCOPES).flatMap(([scope, paths]) =>
  paths.map((path) => [path, scope as Scope] as const),
);
/** The paths of API keys. */
const paths = [
  ...[...scopesAndPaths, ...OF_SEVERAL_SCOPES].map(([path]) => path),
  ...[...OF_API_KEYS, ...OF_API_KEYS_AND_DRIVERS],
];

let app: FastifyInstance;
let owner: Awaited<ReturnType<typeof account>>;
/** Users of the account, by their roles. */
let users: Record<AccountRole, string>;
beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
  owner = await account();
  const roles = ['administrator', 'viewer', 'driver'] as const;
  const keys = await Promise.all(roles.map(async (role) => [role, await user(owner.key, [], { account_role: role })]));
  users = Object.fromEntries(keys);
});
afterAll(() => app.close());

/** The headers of apps, by users and scopes: made once. */
const headersOfApps = new Map<string, Promise<Headers>>();

function appOf(role: AccountRole, granted: readonly Scope[]): Promise<Headers> {
  const name = [role, ...granted].join(' ');
  const headers = headersOfApps.get(name) ?? appFor(users[role], granted).then((made) => made.headers);
  headersOfApps.set(name, headers);
  return headers;
}

/** The status of a request of an object that does not exist, or with the body of the example. */
async function statusOf(path: string, headers: Headers): Promise<number> {
  const [method, url = ''] = path.split(' ');
  const example = accountRoutes[path as keyof typeof accountRoutes]?.example ?? {};
  const { statusCode } = await app.inject({
    method: method as 'GET' | 'POST' | 'DELETE',
    url: `/api/v2${url.replace(/\{\w+\}/, 'none')}`,
    headers: { host: 'localhost', ...headers },
    ...(method === 'POST' && { payload: example }),
  });
  return statusCode;
}

async function isForbidden(path: string, headers: Headers): Promise<boolean> {
  const status = await statusOf(path, headers);
  expect([200, 201, 400, 403, 404]).toContain(status);
  return status === 403;
}

test('every path is opened by a scope, or by none', () => {
  expect([...paths, ...OF_DEVICES].toSorted()).toEqual(Object.keys(accountRoutes).toSorted());
});

test.each(scopesAndPaths)('%s is opened by %s, and by no other scope', async (path, scope) => {
  expect(await isForbidden(path, await appOf('administrator', [scope]))).toBe(false);
  const others = scopes.filter((one) => one !== scope);
  expect(await isForbidden(path, await appOf('administrator', others))).toBe(true);
});

test.each(OF_SEVERAL_SCOPES)('%s is opened by each of %s, and by no other scope', async (path, opening) => {
  for (const scope of opening) expect(await isForbidden(path, await appOf('administrator', [scope]))).toBe(false);
  const others = scopes.filter((one) => !opening.includes(one));
  expect(await isForbidden(path, await appOf('administrator', others))).toBe(true);
});

test.each([...OF_API_KEYS, ...OF_API_KEYS_AND_DRIVERS])('%s is opened by an API key, and by no scope', async (path) => {
  expect(await isForbidden(path, owner.headers)).toBe(false);
  expect(await isForbidden(path, await appOf('administrator', scopes))).toBe(true);
});

test.each(OF_DEVICES)('%s is opened by no API key and no scope', async (path) => {
  expect(await statusOf(path, owner.headers)).toBe(401);
  expect(await statusOf(path, await appOf('administrator', scopes))).toBe(401);
});

test('a viewer reads what an administrator reads, and changes nothing', async () => {
  const headers = await appOf('viewer', scopes);
  const forbidden: string[] = [];
  for (const [path] of scopesAndPaths) if (await isForbidden(path, headers)) forbidden.push(path);
  expect(forbidden).toEqual(scopesAndPaths.map(([path]) => path).filter((path) => !path.startsWith('GET ')));
});

test('a driver sees itself, its trips and its visits, and changes nothing', async () => {
  const headers = await appOf('driver', scopes);
  const open: string[] = [];
  for (const path of paths) if (!(await isForbidden(path, headers))) open.push(path);
  expect(open.toSorted()).toEqual(OF_DRIVERS.toSorted());
});
