import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { revokeApiKey } from '../../../auth/api-keys.ts';
import { revokeGrant } from '../../../auth/grants.ts';
import { identify, readCredentials } from '../../../auth/identify.ts';
import { issueIngestKey, revokeIngestKey } from '../../../auth/ingest-keys.ts';
import { signTripToken, TRIP_TOKEN_ROLES } from '../../../auth/trip-token.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { ApiKeyStore } from '../../../models/account/api-key.ts';
import { AppStore } from '../../../models/account/app.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { WebsiteUserStore } from '../../../content/models/website-user.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { UserStore } from '../../../models/account/user.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { deleteApp, rotateAppSecret } from '../../../resolvers/apps/app-resolver.ts';
import { addWebsiteUser, revokeApplicationPasswords } from '../../../content/users/manage-website-user.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { disableUser } from '../../../resolvers/users/manage-user.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { graphqlEndpoint } from '../../../graphql/endpoint/graphql-endpoint.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { tokenEndpoint } from '../../../server/endpoints/token-endpoint.ts';
import { account, app, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import {
  actionOf,
  authorize,
  authorizeUrl,
  CALLBACK,
  type OauthHost,
  oauthHost,
  registeredApp,
  scopesOf,
  send,
  signInUser,
  Visitor,
} from '../../hosts/oauth-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { at } from '../../hosts/ingest-host.ts';
import { type HeldAnswer, type HeldRequest, HoldingEndpoints } from '../../clients/held-request.ts';

useDatabase();

const PAGE = 'https://fleet.example';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const endpoints = new HoldingEndpoints();
let host: OauthHost;
beforeAll(async () => {
  host = await oauthHost(async (issuer) => {
    const rules = { endpoint: 'graphql', issuer, origin: issuer } as const;
    const contextOf = async ({ raw }: { raw: { rawHeaders: string[] } }) => ({
      service: testService,
      caller: await identify(testService, readCredentials(raw.rawHeaders), rules),
    });
    return [
      graphqlEndpoint(testService, { schema: await gatewaySchema(), path: '/graphql', contextOf }),
      await accountEndpoint(testService, new URL(`${issuer}/api/v2`), new URL(issuer)),
      await tokenEndpoint(testService, new URL(issuer), issuer),
      await oauthEndpoint(testService, issuer),
      await contentEndpoint(testService, new URL(issuer)),
    ].map((endpoint) => endpoints.hold(endpoint));
  });
});
afterAll(() => host.app.close());

/** A request that is allowed, and what takes the right to it away. */
interface Held {
  readonly request: HeldRequest;
  readonly takeAway: () => Promise<unknown>;
  /** Reads what the request would write. */
  readonly written: () => Promise<unknown>;
}

/** The answer to a request whose right was taken away. */
interface Rejection {
  readonly status: number;
  /** A part of head or body. */
  readonly says?: string;
}

type Row = readonly [
  endpoint: string,
  credential: string,
  right: string,
  make: () => Promise<Held>,
  rejection: Rejection,
];

function hold(request: HeldRequest, meanwhile: () => Promise<unknown> = async () => undefined): Promise<HeldAnswer> {
  return endpoints.send((host.app.server.address() as AddressInfo).port, request, meanwhile);
}

/** Holds one request and takes its right away, and another whose right stays. */
function rejects(rows: readonly Row[]): void {
  test.each(rows)(
    '%s by %s, %s meanwhile, is refused and writes nothing',
    async (_endpoint, _by, _right, make, rejection) => {
      const { request, takeAway, written } = await make();
      const before = await written();
      const refused = await hold(request, takeAway);
      expect([refused.status, `${refused.head}${refused.body}`]).toEqual([
        rejection.status,
        expect.stringContaining(rejection.says ?? ''),
      ]);
      expect(await written()).toEqual(before);

      const allowed = await make();
      const untouched = await allowed.written();
      const answer = await hold(allowed.request);
      expect([answer.status < 400, answer.body.includes('"errors"')]).toEqual([true, false]);
      expect(await allowed.written()).not.toEqual(untouched);
    },
  );
}

const post = (path: string, headers: Readonly<Record<string, string>>, body: unknown): HeldRequest => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});
const graphql = (headers: Readonly<Record<string, string>>, query: string): HeldRequest =>
  post('/graphql', headers, { query });
const form = (
  path: string,
  fields: Record<string, string>,
  headers: Readonly<Record<string, string>>,
): HeldRequest => ({
  method: 'POST',
  path,
  headers: { ...FORM_TYPE, ...headers },
  body: new URLSearchParams(fields).toString(),
});

const cancelled = (key: string) => async () =>
  (await DeviceStore.findOne(unrestricted(testService), { key }, { subscription_status: 1 }))?.subscription_status;

/** A user of one group with a device in it, an app that acts for the user, and another group. */
async function delegated(scope: string) {
  const owner = await account();
  const [here, elsewhere] = [await group(owner.key, 'Here'), await group(owner.key, 'Elsewhere')];
  const user_key = await user(owner.key, [here]);
  const app = await appFor(user_key, [scope]);
  const vehicle_key = await vehicle(owner.key, [here]);
  const { key: device_key } = await device(owner.key, { groups: [here], vehicle_key });
  return { owner, here, elsewhere, user_key, app, vehicle_key, device_key };
}
type Delegated = Awaited<ReturnType<typeof delegated>>;

/** Every right without which an app cannot act for a user. */
const RIGHTS = {
  'the grant being revoked': ({ app }: Delegated) => revokeGrant(testService, app.grant.grant_hash),
  'the app being deleted': ({ app }: Delegated) => deleteApp(app.client_id, { accessScope: unrestricted(testService) }),
  'the app losing the scope': ({ app }: Delegated) =>
    AppStore.updateOne(unrestricted(testService), { client_id: app.client_id }, { scopes: [] }),
  'the user being disabled': ({ user_key }: Delegated) => disableUser(testService, user_key),
  'the user being moved to another group': ({ user_key, elsewhere }: Delegated) =>
    UserStore.updateOne(
      unrestricted(testService),
      { key: user_key },
      { group_keys: [elsewhere.key], group_path: elsewhere.group_path },
    ),
} as const;
const rightsOf = (rejections: Readonly<Record<keyof typeof RIGHTS, Rejection>>) =>
  (Object.keys(RIGHTS) as (keyof typeof RIGHTS)[]).map((right) => [right, RIGHTS[right], rejections[right]] as const);

describe('the account API', () => {
  const byKey = async (takeAway: (owner: Awaited<ReturnType<typeof account>>) => Promise<unknown>): Promise<Held> => {
    const owner = await account();
    const { key } = await device(owner.key);
    return {
      request: post(`/api/v2/device/${key}`, owner.headers, { subscription_status: 'canceled' }),
      takeAway: () => takeAway(owner),
      written: cancelled(key),
    };
  };
  rejects([
    [
      'POST /device/{key}',
      'API key',
      'the key being revoked',
      () => byKey(({ apiKeyKey }) => revokeApiKey(apiKeyKey, unrestricted(testService))),
      { status: 401, says: 'www-authenticate: Bearer' },
    ],
    [
      'POST /device/{key}',
      'API key',
      'the plan being lowered',
      () => byKey(({ key }) => AccountStore.updateOne(unrestricted(testService), { key }, { account_plan: 'basic' })),
      { status: 403 },
    ],
    ...rightsOf({
      'the grant being revoked': { status: 401 },
      'the app being deleted': { status: 401 },
      'the app losing the scope': { status: 403 },
      'the user being disabled': { status: 401 },
      'the user being moved to another group': { status: 404 },
    }).map(
      ([right, takeAway, rejection]): Row => [
        'POST /device/{key}',
        'OAuth bearer',
        right,
        async () => {
          const made = await delegated('devices.manage');
          return {
            request: post(`/api/v2/device/${made.device_key}`, made.app.headers, { subscription_status: 'canceled' }),
            takeAway: () => takeAway(made),
            written: cancelled(made.device_key),
          };
        },
        rejection,
      ],
    ),
  ]);
});

describe('ingestion', () => {
  const sending = async (of: 'device' | 'forwarder', takeAway: (key: string, device: string) => Promise<unknown>) => {
    const owner = await account();
    const { key: device_key, serial } = await device(owner.key, { vehicle_key: await vehicle(owner.key) });
    const issued = await issueIngestKey(testService, {
      account_key: owner.key,
      device_key: of === 'device' ? device_key : null,
    });
    const body = { points: [at(0), at(10)], ...(of === 'forwarder' && { serial }) };
    return {
      request: post('/api/v2/ingest', { authorization: `Bearer ${issued.secret}` }, body),
      takeAway: () => takeAway(issued.key, device_key),
      written: () => DeviceMinuteStore.countDocuments(unrestricted(testService), { device_key }),
    };
  };
  rejects([
    ...(['device', 'forwarder'] as const).map(
      (of): Row => [
        'POST /ingest',
        `${of} key`,
        'the key being revoked',
        () => sending(of, (key) => revokeIngestKey(testService, key, of)),
        { status: 401 },
      ],
    ),
    [
      'POST /ingest',
      'device key',
      'the device being removed',
      () =>
        sending('device', (_, key) => DeviceStore.updateOne(unrestricted(testService), { key }, { status: 'removed' })),
      { status: 401 },
    ],
  ]);
});

describe('GraphQL', () => {
  rejects([
    [
      'issueApiKey',
      'API key',
      'the key being revoked',
      async () => {
        const owner = await account();
        return {
          request: graphql(owner.headers, 'mutation { issueApiKey { api_key } }'),
          takeAway: () => revokeApiKey(owner.apiKeyKey, unrestricted(testService)),
          written: () => ApiKeyStore.countDocuments(unrestricted(testService), { account_key: owner.key }),
        };
      },
      { status: 401, says: '"code":"UNAUTHENTICATED"' },
    ],
    ...rightsOf({
      'the grant being revoked': { status: 401, says: '"code":"UNAUTHENTICATED"' },
      'the app being deleted': { status: 401, says: '"code":"UNAUTHENTICATED"' },
      'the app losing the scope': { status: 403, says: '"code":"FORBIDDEN"' },
      'the user being disabled': { status: 401, says: '"code":"UNAUTHENTICATED"' },
      'the user being moved to another group': { status: 404, says: '"code":"NOT_FOUND"' },
    }).map(
      ([right, takeAway, rejection]): Row => [
        'updateDevice',
        'OAuth bearer',
        right,
        async () => {
          const made = await delegated('devices.manage');
          const change = `updateDevice(key: "${made.device_key}", input: { subscription_status: canceled }) { key }`;
          return {
            request: graphql(made.app.headers, `mutation { ${change} }`),
            takeAway: () => takeAway(made),
            written: cancelled(made.device_key),
          };
        },
        rejection,
      ],
    ),
  ]);

  /** A page that shows the trips of a vehicle, which has one. */
  async function shown() {
    const made = await delegated('account_activity.read');
    const { secret } = await issueIngestKey(testService, { account_key: made.owner.key, device_key: made.device_key });
    const points = [at(0, 'engine_start'), at(10), at(20), at(30, 'engine_stop')];
    const recorded = post('/api/v2/ingest', { authorization: `Bearer ${secret}` }, { points });
    expect((await hold(recorded)).status).toBe(200);
    const claims = { aud: PAGE, scope: 'loc-past', client_id: made.app.client_id, grant: made.app.grant.grant_hash };
    const token = await signTripToken(testService, host.issuer, { sub: `vehicle:${made.vehicle_key}`, ...claims });
    const trips = `{ trips(vehicle_key: "${made.vehicle_key}") { nodes { point_count } } }`;
    return { ...made, request: graphql({ authorization: `Bearer ${token}`, origin: PAGE }, trips) };
  }

  test.each(Object.entries(RIGHTS))(
    'trips by special-purpose token, %s meanwhile, are refused',
    async (_, takeAway) => {
      const made = await shown();
      expect((await hold(made.request)).body).toContain('"point_count":4');
      const refused = await hold(made.request, () => takeAway(made));
      expect([refused.status, refused.body]).toEqual([401, expect.stringContaining('"code":"UNAUTHENTICATED"')]);
    },
  );

  test('trips by special-purpose token, the vehicle being moved to another group meanwhile, are refused', async () => {
    const { request, vehicle_key, elsewhere } = await shown();
    const refused = await hold(request, () =>
      VehicleStore.updateOne(
        unrestricted(testService),
        { key: vehicle_key },
        { group_keys: [elsewhere.key], group_path: elsewhere.group_path },
      ),
    );
    expect(refused.status).toBe(401);
  });

  test('a privacy zone made meanwhile hides what it covers, also from who was answered before', async () => {
    const { request, owner } = await shown();
    expect((await hold(request)).body).toContain('"point_count":4');
    const { point } = at(0);
    const zone = { ...point, radius_meters: 100 };
    const answer = await hold(request, () => createPrivacyZone(accountAccessScope(testService, owner.key), zone));
    expect(answer.body).not.toContain('"point_count":4');
    expect(answer.body).toBe((await hold(request)).body);
  });
});

test('a request that arrives in one piece is identified once, one whose body comes later twice', async () => {
  const owner = await account();
  const ask = graphql(owner.headers, '{ account { key } }');
  const identifications = async (work: () => Promise<unknown>) => {
    const queries = await queriesDuring(async () => void (await work()));
    return queries.filter(({ collection, method }) => `${collection}.${method}` === 'api_keys.aggregate').length;
  };
  const port = (host.app.server.address() as AddressInfo).port;
  expect(await identifications(() => endpoints.sendWhole(port, ask))).toBe(1);
  expect(await identifications(() => hold(ask))).toBe(2);
});

describe('the special-purpose token endpoint', () => {
  const invalid = (errors: string): Rejection => ({ status: 401, says: JSON.stringify({ errors }) });
  test.each([
    ...rightsOf({
      'the grant being revoked': invalid('Invalid token'),
      'the app being deleted': invalid('Invalid client credentials'),
      'the app losing the scope': invalid('Invalid token'),
      'the user being disabled': invalid('Invalid token'),
      'the user being moved to another group': invalid('Invalid token'),
    }),
    [
      'the secret being replaced',
      ({ app }: Delegated) => rotateAppSecret(app.client_id, { accessScope: unrestricted(testService) }),
      invalid('Invalid client credentials'),
    ] as const,
  ])('by OAuth bearer and secret, %s meanwhile, gives no token', async (_, takeAway, { status, says }) => {
    const made = await delegated('account_activity.read');
    const { client_id, client_secret, headers } = made.app;
    const claims = { sub: `vehicle:${made.vehicle_key}`, aud: PAGE, roles: TRIP_TOKEN_ROLES, scope: 'loc-past' };
    const request = post('/api/special-purpose/v1/token', headers, { client_id, client_secret, ...claims });
    expect((await hold(request)).body).toContain('"token":"');
    const refused = await hold(request, () => takeAway(made));
    expect([refused.status, refused.body]).toEqual([status, says]);
  });
});

describe('the content interface', () => {
  let users = 0;
  const RIGHTS_OF_USERS = {
    'the password being deleted': (login: string) => revokeApplicationPasswords(testService, login, null),
    'the user being deleted': (login: string) => WebsiteUserStore.deleteOne(testService, { username: login }),
    'the role being lowered': (login: string) =>
      WebsiteUserStore.updateOne(testService, { username: login }, { roles: ['subscriber'] }),
  } as const;
  const rejections = (name: string) =>
    ({
      'the password being deleted': { status: 401, says: name },
      'the user being deleted': { status: 401, says: name },
      'the role being lowered': { status: 403, says: name },
    }) as const;
  const items = () => ContentItemStore.countDocuments(testService);
  const requests: readonly (readonly [string, string, (headers: Readonly<Record<string, string>>) => HeldRequest])[] = [
    ['JSON', 'rest_cannot_create', (headers) => post('/wp-json/wp/v2/posts', headers, { title: 'Held' })],
    [
      'a form',
      'rest_cannot_create',
      (headers) => form('/wp-json/wp/v2/posts', { title: 'Held', content: 'Half-way' }, headers),
    ],
    [
      'a form at ?rest_route=',
      'rest_cannot_create',
      (headers) => form('/?rest_route=/wp/v2/posts', { title: 'Held', content: 'Half-way' }, headers),
    ],
    [
      'a GET that counts as a POST',
      'rest_cannot_create',
      (headers) => ({ ...post('/wp-json/wp/v2/posts?_method=POST', headers, { title: 'Held' }), method: 'GET' }),
    ],
    [
      'a file',
      'rest_cannot_create',
      (headers) => ({
        method: 'POST',
        path: '/wp-json/wp/v2/media',
        headers: { ...headers, 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="held.txt"' },
        body: 'half and half',
      }),
    ],
    [
      'a file in parts',
      'rest_cannot_create',
      (headers) => ({
        method: 'POST',
        path: '/wp-json/wp/v2/media',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
        body: `--b\r\nContent-Disposition: form-data; name="file"; filename="held.txt"\r\nContent-Type: text/plain\r\n\r\nhalf\r\n--b--\r\n`,
      }),
    ],
  ];
  rejects(
    requests.flatMap(([form, name, requestOf]) =>
      (Object.keys(RIGHTS_OF_USERS) as (keyof typeof RIGHTS_OF_USERS)[]).map(
        (right): Row => [
          form,
          'application password',
          right,
          async () => {
            const login = `held${users++}`;
            const { application_password } = await addWebsiteUser(testService, login, `${login}@example.com`, 'author');
            const authorization = `Basic ${Buffer.from(`${login}:${application_password}`).toString('base64')}`;
            return {
              request: requestOf({ authorization }),
              takeAway: () => RIGHTS_OF_USERS[right](login),
              written: items,
            };
          },
          rejections(name)[right],
        ],
      ),
    ),
  );
});

describe('the OAuth endpoints', () => {
  /** An app and its user, who allowed it something. */
  async function granted() {
    const person = await signInUser();
    const app = await registeredApp({ scopes: ['account.read'] });
    const answer = await authorize(host, person, { client_id: app.client_id });
    const code = answer.searchParams.get('code') ?? '';
    return { person, app, code };
  }
  const tokens = (client_id: string) => () =>
    OauthRecordStore.countDocuments(testService, { kind: 'AccessToken', client_id });
  type Granted = Awaited<ReturnType<typeof granted>>;
  const rights: readonly (readonly [string, (granted: Granted) => Promise<unknown>, Rejection])[] = [
    [
      'the grant being revoked',
      ({ app }) => OauthRecordStore.deleteMany(testService, { kind: 'Grant', client_id: app.client_id }),
      { status: 400, says: 'invalid_grant' },
    ],
    [
      'the app being deleted',
      ({ app }) => deleteApp(app.client_id, { accessScope: unrestricted(testService) }),
      { status: 401, says: 'invalid_client' },
    ],
    [
      'the secret being replaced',
      ({ app }) => rotateAppSecret(app.client_id, { accessScope: unrestricted(testService) }),
      { status: 401, says: 'invalid_client' },
    ],
    [
      'the user being disabled',
      ({ person }) => disableUser(testService, person.key),
      { status: 400, says: 'invalid_grant' },
    ],
  ];
  rejects(
    rights.flatMap(([right, takeAway, rejection]): Row[] => [
      [
        'POST /oauth/token',
        'authorization code',
        right,
        async () => {
          const made = await granted();
          const fields = { grant_type: 'authorization_code', code: made.code, redirect_uri: CALLBACK, ...made.app };
          return {
            request: form('/oauth/token', fields, {}),
            takeAway: () => takeAway(made),
            written: tokens(made.app.client_id),
          };
        },
        rejection,
      ],
      [
        'POST /oauth/token',
        'refresh token',
        right,
        async () => {
          const made = await granted();
          const first = { grant_type: 'authorization_code', code: made.code, redirect_uri: CALLBACK, ...made.app };
          const { refresh_token } = (await send(host, '/oauth/token', first)).body;
          const fields = { grant_type: 'refresh_token', refresh_token: String(refresh_token), ...made.app };
          const { client_id } = made.app;
          return {
            request: form('/oauth/token', fields, {}),
            takeAway: () => takeAway(made),
            // Ending a grant takes its tokens away; none may come.
            written: async () => {
              const records = await OauthRecordStore.find(testService, { kind: 'RefreshToken', client_id });
              return records.filter(({ consumed }) => consumed !== null).length;
            },
          };
        },
        rejection,
      ],
    ]),
  );

  test('an app whose secret is replaced meanwhile learns nothing of a token, and ends none', async () => {
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      const { app, code } = await granted();
      const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...app };
      const { access_token } = (await send(host, '/oauth/token', fields)).body;
      const request = form(path, { token: String(access_token), ...app }, {});
      const refused = await hold(request, () =>
        rotateAppSecret(app.client_id, { accessScope: unrestricted(testService) }),
      );
      expect([refused.status, refused.body]).toEqual([401, expect.stringContaining('invalid_client')]);
      expect(await tokens(app.client_id)()).toBe(1);
    }
  });
});

describe('a browser session', () => {
  /** Somebody who is signed in to the developer platform. */
  async function developer() {
    const person = await signInUser();
    const browser = new Visitor(host);
    const signIn = await browser.get(`${host.issuer}/apps`);
    const { email, password } = person;
    const page = await browser.post(`${host.issuer}/apps/sign-in`, {
      email,
      password,
      form_token: tokenIn(signIn.text),
    });
    const stored = await UserStore.findOne(unrestricted(testService), { key: person.key });
    const headers = { cookie: browser.cookieHeader(), origin: host.issuer };
    return { person, browser, headers, account_key: stored?.account_key ?? '', form_token: tokenIn(page.text) };
  }
  const tokenIn = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  type Developer = Awaited<ReturnType<typeof developer>>;
  const apps = (account_key: string) => () => AppStore.countDocuments(unrestricted(testService), { account_key });
  const rights: readonly (readonly [string, (developer: Developer) => Promise<unknown>])[] = [
    ['the user being disabled', ({ person }) => disableUser(testService, person.key)],
    ['the session ending', ({ browser, form_token }) => browser.post(`${host.issuer}/apps/sign-out`, { form_token })],
  ];
  rejects(
    rights.map(
      ([right, takeAway]): Row => [
        'POST /apps/register',
        'cookie',
        right,
        async () => {
          const made = await developer();
          const fields = { name: 'Held', redirect_uris: 'https://held.example/cb', form_token: made.form_token };
          return {
            request: form('/apps/register', fields, made.headers),
            takeAway: () => takeAway(made),
            written: apps(made.account_key),
          };
        },
        { status: 303, says: `location: ${host?.issuer ?? ''}` },
      ],
    ),
  );

  rejects([
    [
      'POST /apps/delete',
      'cookie',
      'the user being restricted to a group',
      async () => {
        const { account_key, form_token, headers, person } = await developer();
        const { client_id } = await app(account_key, { scopes: ['account.read'] });
        const { key, group_path } = await group(account_key, 'Here');
        const restriction = { group_keys: [key], group_path };
        return {
          request: form('/apps/delete', { client_id, form_token }, headers),
          takeAway: () => UserStore.updateOne(unrestricted(testService), { key: person.key }, restriction),
          written: apps(account_key),
        };
      },
      { status: 303 },
    ],
  ]);

  /** A user before the page of consent. */
  async function beforeConsent() {
    const person = await signInUser();
    const app = await registeredApp({ scopes: ['account.read'] });
    const browser = new Visitor(host);
    const consent = await browser.signIn(authorizeUrl(host, { client_id: app.client_id }), person);
    const fields = { decision: 'allow', scope: scopesOf(consent)[0] ?? '' };
    const headers = { cookie: browser.cookieHeader(), origin: host.issuer };
    const request = form(new URL(actionOf(consent)).pathname, fields, headers);
    return { person, app, request };
  }
  rejects([
    [
      'POST /authorize/request',
      'cookie',
      'the user being disabled',
      async () => {
        const { person, app, request } = await beforeConsent();
        return {
          request,
          takeAway: () => disableUser(testService, person.key),
          written: () => OauthRecordStore.countDocuments(testService, { kind: 'Grant', client_id: app.client_id }),
        };
      },
      { status: 409 },
    ],
    [
      'POST /authorize/request',
      'cookie',
      'the app being deleted',
      async () => {
        const { app, request } = await beforeConsent();
        return {
          request,
          takeAway: () => deleteApp(app.client_id, { accessScope: unrestricted(testService) }),
          written: () => OauthRecordStore.countDocuments(testService, { kind: 'Grant', client_id: app.client_id }),
        };
      },
      { status: 410 },
    ],
  ]);

  test('a password that is right does not sign in a user who is disabled meanwhile', async () => {
    const { email, password, key } = await signInUser();
    const browser = new Visitor(host);
    const { text } = await browser.get(`${host.issuer}/apps`);
    const headers = { cookie: browser.cookieHeader(), origin: host.issuer };
    const request = form('/apps/sign-in', { email, password, form_token: tokenIn(text) }, headers);
    const refused = await hold(request, () => disableUser(testService, key));
    expect([refused.status, refused.head.includes('waybridge_session')]).toEqual([422, false]);
  });
});
