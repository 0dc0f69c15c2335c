import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { issueApiKey } from '../../../auth/api-keys.ts';
import { issueAccessToken } from '../../../auth/grants.ts';
import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { signTripToken, TRIP_TOKEN_ROLES } from '../../../auth/trip-token.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { Admission, type AdmissionQuotas } from '../../../http/admission/admission.ts';
import { configuredQuotas, readConfig } from '../../../server/configuration/config.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { tokenEndpoint } from '../../../server/endpoints/token-endpoint.ts';
import { account, appFor, device, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { gatewayEndpoint, ORIGIN } from '../../clients/graphql-client.ts';
import { openHost } from '../../hosts/open-host.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';

useDatabase();
const gpx = useGpxFiles();

const NOON = Date.UTC(2026, 2, 1, 12);
const PAGE = 'https://fleet.example';
const quotaOf = (name: string, points: number) => ({ name, points, seconds: 60 });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service in which nothing is limited but what is said. */
async function limited(quotas: Partial<Record<keyof AdmissionQuotas, number>>): Promise<FastifyInstance> {
  const requests = { caller: 1e6, account: 1e6, forwarder: 1e6, address: 1e6 };
  const all = { ...requests, points: 1e9, mapPoints: 1e9, appPoints: 1e9, accountPoints: 1e9, ...quotas };
  const isHidden = (name: string) => name.startsWith('account');
  const entries = Object.entries(all).map(([name, points]) => [
    name,
    { ...quotaOf(name, points), ...(isHidden(name) && { isHidden: true }) },
  ]);
  const endpoints = [
    await gatewayEndpoint(),
    await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)),
    await tokenEndpoint(testService, new URL(ORIGIN), ORIGIN),
    await oauthEndpoint(testService, ORIGIN),
    await contentEndpoint(testService, new URL(ORIGIN)),
  ];
  const app = await openHost(endpoints, { admission: new Admission(Object.fromEntries(entries) as AdmissionQuotas) });
  onTestFinished(() => app.close());
  return app;
}

function send(app: FastifyInstance, url: string, options: Omit<InjectOptions, 'url'> = {}) {
  return app.inject({
    url,
    remoteAddress: '192.0.2.1',
    ...options,
    headers: { host: 'localhost', ...options.headers },
  });
}

const asJson = { 'content-type': 'application/json' };

describe('requests that prove nobody', () => {
  test('count for their address, and are answered with Retry-After', async () => {
    const app = await limited({ address: 3 });
    for (let i = 0; i < 3; i++) expect((await send(app, '/wp-json/')).statusCode).toBe(200);
    vi.setSystemTime(NOON + 10_000);
    const answer = await send(app, '/nowhere');
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({
      'retry-after': '50',
      'ratelimit-policy': '"address";q=3;w=60',
      ratelimit: '"address";r=0;t=50',
    });
    expect((await send(app, '/wp-json/', { remoteAddress: '192.0.2.2' })).statusCode).toBe(200);
    vi.setSystemTime(NOON + 60_001);
    expect((await send(app, '/wp-json/')).statusCode).toBe(200);
  });

  test('count for all addresses of an IPv6 subscriber together', async () => {
    const app = await limited({ address: 1 });
    const status = async (remoteAddress: string) => (await send(app, '/wp-json/', { remoteAddress })).statusCode;
    expect(await status('2001:db8:0:1::1')).toBe(200);
    expect(await status('2001:db8:0:1:ffff::2')).toBe(429);
    expect(await status('2001:db8:0:2::1')).toBe(200);
    expect(await status('::ffff:192.0.2.9')).toBe(200);
    expect(await status('192.0.2.9')).toBe(429);
  });

  test('are refused after HTTPS was asked for and before anything else', async () => {
    const app = await limited({ address: 1 });
    await send(app, '/wp-json/');
    expect((await send(app, '/api/v2/account', { method: 'DELETE' })).statusCode).toBe(429);
    expect((await send(app, '/wp-json/', { headers: { host: 'no host' } })).statusCode).toBe(400);
  });

  test.each<[string, string, InjectOptions, unknown]>([
    ['the account API', '/api/v2/account', {}, ''],
    ['devices', '/api/v2/ingest', { method: 'POST', headers: asJson, payload: '{}' }, ''],
    [
      'the token endpoint',
      '/api/special-purpose/v1/token',
      { method: 'POST', headers: asJson, payload: '{}' },
      { errors: 'Rate limit exceeded; retry in 60 seconds' },
    ],
    [
      'GraphQL',
      '/graphql',
      { method: 'POST', headers: { ...asJson, origin: PAGE }, payload: { query: '{ __typename }' } },
      {
        errors: [
          {
            message: 'Rate limit exceeded; retry in 60 seconds',
            extensions: { code: 'TOO_MANY_REQUESTS' },
          },
        ],
      },
    ],
    [
      'the content interface',
      '/wp-json/wp/v2/posts',
      {},
      {
        code: 'rest_too_many_requests',
        message: 'Rate limit exceeded; retry in 60 seconds',
        data: { status: 429 },
      },
    ],
    [
      'OAuth',
      '/oauth/token',
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' },
      {
        error: 'temporarily_unavailable',
        error_description: 'Rate limit exceeded; retry in 60 seconds',
      },
    ],
    ['pages of sign-in', '/apps', {}, /<h1>The service is busy<\/h1>/],
    ['the start of sign-in', '/authorize', {}, /<h1>The service is busy<\/h1>/],
    [
      'people in front of a page',
      '/nowhere',
      { headers: { accept: 'text/html' } },
      'Rate limit exceeded; retry in 60 seconds\n',
    ],
  ])('are refused in the words of %s', async (_, url, options, body) => {
    const app = await limited({ address: 1 });
    await send(app, '/nowhere');
    const answer = await send(app, url, options);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '60']);
    if (body instanceof RegExp) expect(answer.body).toMatch(body);
    else expect(typeof body === 'string' ? answer.body : answer.json()).toEqual(body);
    if (url === '/graphql') expect(answer.headers['access-control-allow-origin']).toBe(PAGE);
  });

  test('are those whose credentials do not hold, too', async () => {
    const app = await limited({ address: 2 });
    const wrong = { headers: { 'service-api-key': 'wrong' } };
    expect((await send(app, '/api/v2/account', wrong)).statusCode).toBe(401);
    expect((await send(app, '/wp-json/', { headers: { authorization: 'Basic eDp5' } })).statusCode).toBe(200);
    expect((await send(app, '/api/v2/account', wrong)).statusCode).toBe(429);
  });
});

describe('pages that may read an answer', () => {
  const ALWAYS = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
  const graphql: InjectOptions = { method: 'POST', headers: asJson, payload: { query: '{ __typename }' } };

  test.each<[string, InjectOptions, string]>([
    ['/graphql', graphql, ALWAYS],
    ['/wp-json/wp/v2/posts', {}, `X-WP-Total, X-WP-TotalPages, ETag, ${ALWAYS}`],
    ['/api/v2/account', {}, `ETag, Deprecation, Sunset, Link, ${ALWAYS}`],
    ['/api/v2/trip/none.gpx', {}, `ETag, Deprecation, Sunset, Link, ${ALWAYS}`],
  ])(
    'of %s may read from it what is left, from a refusal when to try again, and the id of the request',
    async (url, options, exposed) => {
      const app = await limited({ address: 1 });
      const ask = () => send(app, url, { ...options, headers: { ...options.headers, origin: PAGE } });
      for (const answer of [await ask(), await ask()]) {
        expect(answer.headers['access-control-expose-headers']).toBe(exposed);
        expect(['*', PAGE]).toContain(answer.headers['access-control-allow-origin']);
      }
      expect((await ask()).headers).toHaveProperty('retry-after');
    },
  );

  test('read no headers where they may not', async () => {
    const app = await limited({ address: 1 });
    for (const url of ['/oauth/token', '/api/special-purpose/v1/token', '/graphql']) {
      const answer = await send(app, url, { ...graphql, headers: { ...asJson, origin: 'http://insecure.example' } });
      expect(answer.headers).not.toHaveProperty('access-control-expose-headers');
    }
  });
});

describe('requests that prove somebody', () => {
  test('never count for an address: not those of many devices, and not those of an office', async () => {
    const app = await limited({ address: 1, caller: 1 });
    const { key, headers } = await account();
    const secrets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { key: device_key } = await device(key);
        return (await issueIngestKey(testService, { account_key: key, device_key })).secret;
      }),
    );
    await send(app, '/nowhere');
    expect((await send(app, '/nowhere')).statusCode).toBe(429);
    for (const secret of secrets) {
      const sent = { authorization: `Bearer ${secret}`, ...asJson };
      const answer = await send(app, '/api/v2/ingest', { method: 'POST', headers: sent, payload: { points: [] } });
      expect(answer.statusCode).not.toBe(429);
    }
    expect((await send(app, '/api/v2/account', { headers })).statusCode).toBe(200);
  });

  test('count for their credential, whose answers tell what is left', async () => {
    const app = await limited({ caller: 2 });
    const [one, other] = [await account(), await account()];
    const first = await send(app, '/api/v2/account', { headers: one.headers });
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"caller";q=2;w=60', ratelimit: '"caller";r=1;t=60' });
    await send(app, '/api/v2/groups', { headers: one.headers, remoteAddress: '192.0.2.2' });
    const refused = await send(app, '/api/v2/account', { headers: one.headers, remoteAddress: '192.0.2.3' });
    expect([refused.statusCode, refused.body, refused.headers['retry-after']]).toEqual([429, '', '60']);
    expect((await send(app, '/api/v2/account', { headers: other.headers })).statusCode).toBe(200);
    vi.setSystemTime(NOON + 60_001);
    expect((await send(app, '/api/v2/account', { headers: one.headers })).statusCode).toBe(200);
  });

  test('are refused before permission, size and parameters', async () => {
    const app = await limited({ caller: 1 });
    const { headers } = await appFor(await user((await account()).key), []);
    expect((await send(app, '/api/v2/account', { headers })).statusCode).toBe(403);
    expect((await send(app, '/api/v2/account', { headers })).statusCode).toBe(429);
    const large = { method: 'POST', headers: { ...headers, ...asJson }, payload: 'x'.repeat(2 ** 21) } as const;
    expect((await send(app, '/graphql', large)).statusCode).toBe(429);
  });

  test('count for a grant, whichever of its tokens they have', async () => {
    const app = await limited({ caller: 1 });
    const { key } = await account();
    const { grant, headers } = await appFor(await user(key), ['account.read']);
    const again = { authorization: `Bearer ${await issueAccessToken(testService, grant)}` };
    expect((await send(app, '/api/v2/account', { headers })).statusCode).toBe(200);
    expect((await send(app, '/api/v2/account', { headers: again })).statusCode).toBe(429);
  });

  test('of all API keys and apps count for their account, which no answer shows', async () => {
    const app = await limited({ account: 3 });
    const [one, other] = [await account(), await account()];
    const second = { 'service-api-key': (await issueApiKey(testService, one.key)).secret };
    const acting = await appFor(await user(one.key), ['account.read']);
    for (const headers of [one.headers, second, acting.headers]) {
      const answer = await send(app, '/api/v2/account', { headers });
      expect([answer.statusCode, answer.headers.ratelimit]).toEqual([200, '"caller";r=999999;t=60']);
    }
    const refused = await send(app, '/api/v2/account', { headers: second });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(JSON.stringify(refused.headers)).not.toContain('account');
    expect((await send(app, '/api/v2/account', { headers: other.headers })).statusCode).toBe(200);
  });

  test('of forwarders count for their account, and those of devices for each alone', async () => {
    const app = await limited({ forwarder: 2, account: 1 });
    const { key } = await account();
    const issue = (device_key: string | null) => issueIngestKey(testService, { account_key: key, device_key });
    const forwarders = [await issue(null), await issue(null)];
    const devices = await Promise.all([1, 2, 3].map(async () => issue((await device(key)).key)));
    const statusOf = async ({ secret }: { readonly secret: string }) => {
      const headers = { authorization: `Bearer ${secret}`, ...asJson };
      return (await send(app, '/api/v2/ingest', { method: 'POST', headers, payload: '{"points":[]}' })).statusCode;
    };
    const statuses = [];
    for (const one of [...devices, ...forwarders, ...forwarders]) statuses.push(await statusOf(one));
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, false, false, true, true]);
  });

  test('are given back to their address where the endpoint finds out by itself who asks', async () => {
    const app = await limited({ address: 1, caller: 2 });
    const shown = await mapOf(await account());
    const body = {
      client_id: shown.client_id,
      client_secret: shown.client_secret,
      roles: TRIP_TOKEN_ROLES,
      sub: `vehicle:${shown.vehicle_key}`,
      aud: PAGE,
      scope: 'loc-past',
    };
    const mint = () =>
      send(app, '/api/special-purpose/v1/token', {
        method: 'POST',
        headers: { ...asJson, authorization: `Bearer ${shown.access_token}` },
        payload: body,
      });
    expect((await mint()).json()).toHaveProperty('token');
    expect((await mint()).statusCode).toBe(200);
    expect((await mint()).json()).toEqual({ errors: expect.stringMatching(/retry in/) });
  });
});

/** A vehicle with trips, which a page shows. */
async function mapOf({ key }: { key: string }) {
  const vehicle_key = await vehicle(key);
  const app = await appFor(await user(key), ['account_activity.read']);
  return { ...app, account_key: key, vehicle_key };
}

type Shown = Awaited<ReturnType<typeof mapOf>>;

async function drive({ account_key, vehicle_key }: Shown, hour: number): Promise<void> {
  const start = NOON - 86_400_000 + hour * 3_600_000;
  const positions = Array.from({ length: 100 }, (_, i) => {
    return { lat: 53 + i / 1000 + (i % 2) / 5000, lon: 8.8, time: start + i * 10_000 };
  });
  const files = [await gpx.write(`${vehicle_key}-${hour}.gpx`, [positions])];
  await importTrips(testService, { files, vehicle: { account_key, key: vehicle_key } });
}

async function mapHeaders({ vehicle_key, client_id, grant }: Shown): Promise<Record<string, string>> {
  const claims = { sub: `vehicle:${vehicle_key}`, aud: PAGE, scope: 'loc-past', client_id, grant: grant.grant_hash };
  return { authorization: `Bearer ${await signTripToken(testService, ORIGIN, claims)}`, origin: PAGE };
}

let names = 0;

/** Asks for the positions of all trips of a vehicle, by a name that nobody has asked by before. */
function askTrips(app: FastifyInstance, vehicle_key: string, headers: Record<string, string>, name = `Q${names++}`) {
  const query = `query ${name} { trips(vehicle_key: "${vehicle_key}", started_after: "2026-02-28T00:00:00Z") {
    nodes { encoded_polyline } } }`;
  return send(app, '/graphql', { method: 'POST', headers, payload: { query } });
}

describe('the work of GraphQL', () => {
  let shown: Shown;
  let headers: Record<string, string>;
  beforeEach(async () => {
    shown = await mapOf(await account());
    headers = await mapHeaders(shown);
    for (const hour of [1, 2, 3]) await drive(shown, hour);
  });

  test('is counted by positions, and what is beyond the budget is refused before it is done', async () => {
    const app = await limited({ mapPoints: 500 });
    const first = await askTrips(app, shown.vehicle_key, headers);
    expect(first.json().data.trips.nodes).toHaveLength(3);
    expect(first.headers.ratelimit).toBe('"caller";r=999999;t=60');
    expect((await askTrips(app, shown.vehicle_key, headers)).statusCode).toBe(200);
    const refused = await askTrips(app, shown.vehicle_key, headers);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().errors).toMatchObject([{ extensions: { code: 'TOO_MANY_REQUESTS' } }]);
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'access-control-allow-origin': PAGE });
    vi.setSystemTime(NOON + 60_001);
    expect((await askTrips(app, shown.vehicle_key, headers)).statusCode).toBe(200);
  });

  test('costs nothing where the answer is kept, whatever is left', async () => {
    const app = await limited({ mapPoints: 100 });
    const ask = () => askTrips(app, shown.vehicle_key, headers, 'Same');
    const first = await ask();
    expect(first.statusCode).toBe(200);
    for (let i = 0; i < 3; i++) expect((await ask()).body).toBe(first.body);
    expect((await askTrips(app, shown.vehicle_key, headers)).statusCode).toBe(429);
  });

  test('is that of all maps of a vehicle and grant, and not that of another vehicle', async () => {
    const app = await limited({ mapPoints: 100 });
    await askTrips(app, shown.vehicle_key, headers);
    const sameSubject = await mapHeaders(shown);
    expect((await askTrips(app, shown.vehicle_key, sameSubject)).statusCode).toBe(429);
    const other = { ...shown, vehicle_key: await vehicle(shown.account_key) };
    await drive(other, 1);
    expect((await askTrips(app, other.vehicle_key, await mapHeaders(other))).statusCode).toBe(200);
  });

  test.each(['points', 'appPoints', 'accountPoints'] as const)(
    'of maps counts for %s of grant, app and account as well',
    async (name) => {
      const app = await limited({ [name]: 100 });
      await askTrips(app, shown.vehicle_key, headers);
      const asApp = { authorization: shown.headers.authorization };
      expect((await askTrips(app, shown.vehicle_key, asApp)).statusCode).toBe(429);
    },
  );

  test('that many simultaneous requests ask for stops when their budget is used up', async () => {
    const app = await limited({ mapPoints: 400 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => askTrips(app, shown.vehicle_key, headers)));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(7);
    expect(new Set(statuses)).toEqual(new Set(statuses.includes(200) ? [200, 429] : [429]));
  });
});

test('exports of trips are charged to the budget of positions, and refused before they are read', async () => {
  const app = await limited({ points: 150 });
  const owner = await account();
  const shown = await mapOf(owner);
  await drive(shown, 1);
  const query = `{ trips(vehicle_key: "${shown.vehicle_key}", started_after: "2026-02-28T00:00:00Z") { nodes { key } } }`;
  const list = () => send(app, '/graphql', { method: 'POST', headers: owner.headers, payload: { query } });
  const { key } = (await list()).json().data.trips.nodes[0];
  const download = (name: string) => send(app, `/api/v2/trip/${name}`, { headers: owner.headers });
  const first = await download(`${key}.gpx`);
  expect([first.statusCode, first.headers.ratelimit]).toEqual([200, expect.stringContaining('"points";r=50;t=60')]);
  expect((await download(`${key}.geojson`)).statusCode).toBe(200);
  const refused = await download(`${key}.gpx`);
  expect([refused.statusCode, refused.body, refused.headers['retry-after']]).toEqual([429, '', '60']);
  expect((await list()).statusCode).toBe(429);
  expect((await download('none.gpx')).statusCode).toBe(404);
  vi.setSystemTime(NOON + 60_001);
  expect((await download(`${key}.gpx`)).statusCode).toBe(200);
});

describe('the settings', () => {
  test('switch everything off', async () => {
    expect(configuredQuotas(readConfig({ RATE_LIMITS: 'off' }))).toBeNull();
    const { key, headers } = await account();
    const app = await openHost([await gatewayEndpoint()], { admission: new Admission(null) });
    onTestFinished(() => app.close());
    const answer = await askTrips(app, await vehicle(key), headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.ratelimit).toBeUndefined();
  });

  test('say how much of each is admitted', () => {
    expect(configuredQuotas(readConfig({ RATE_LIMIT_CALLER: '7' }))).toMatchObject({
      caller: { name: 'caller', points: 7, seconds: 60 },
      address: { name: 'address', points: 12_000, seconds: 60 },
    });
    expect(() => readConfig({ RATE_LIMIT_CALLER: '0' })).toThrow(/RATE_LIMIT_CALLER must be a whole number/);
  });
});
