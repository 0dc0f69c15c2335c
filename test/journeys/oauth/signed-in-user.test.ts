import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { issueApiKey } from '../../../auth/api-keys.ts';
import { gatewayEndpoint } from '../../../graphql/endpoint/gateway-endpoint.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { UserStore } from '../../../models/account/user.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { enter, formTokenOf, oauthHost, type OauthHost, signInUser, Visitor } from '../../hosts/oauth-host.ts';
import { account, group, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let host: OauthHost;
beforeAll(async () => {
  host = await oauthHost(async (issuer) => [
    await oauthEndpoint(testService, issuer),
    await gatewayEndpoint(testService, new URL(`${issuer}/api/graphql`), issuer, {}),
    await accountEndpoint(testService, new URL(`${issuer}/api/v2`), new URL(issuer)),
  ]);
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.useRealTimers();
});

type Fields = Parameters<typeof signInUser>[2];

/** A user of an account who is signed in. */
async function signedIn(account_key: string, groups: readonly string[] = [], fields: Fields = {}) {
  const user = await signInUser(account_key, groups, fields);
  const visitor = new Visitor(host);
  const page = await enter(host, visitor, '/security', user);
  return { user, visitor, page };
}

/** Sends a query as a page of the auth host would. */
async function ask({ visitor }: { readonly visitor: Visitor }, query: string, headers: Record<string, string> = {}) {
  return askAt('/graphql', visitor, query, { origin: host.issuer, ...headers });
}

async function askAt(path: string, visitor: Visitor, query: string, headers: Record<string, string>) {
  const answer = await host.fetch(host.issuer + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: visitor.cookieHeader(), ...headers },
    body: JSON.stringify({ query }),
  });
  const body = JSON.parse(await answer.text());
  return { status: answer.status, headers: answer.headers, data: body.data, code: body.errors?.[0]?.extensions.code };
}

const NAME = '{ account { nickname } }';

describe('A signed-in user is a caller', () => {
  test('for a page of the auth host, by the cookie alone', async () => {
    const { key } = await account({ nickname: 'Bakery' });
    const administrator = await signedIn(key);
    expect(await ask(administrator, NAME)).toMatchObject({ status: 200, data: { account: { nickname: 'Bakery' } } });
    const me = await ask(administrator, '{ me { key } }');
    expect(me.data).toEqual({ me: { key: administrator.user.key } });
  });

  test.each([
    ['a page of another origin', { origin: 'https://shop.example' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['nobody says which page', {}],
  ])('but not if %s sends the request', async (_, headers) => {
    const { visitor } = await signedIn((await account()).key);
    expect(await askAt('/graphql', visitor, NAME, headers)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  test('and no page of another origin can read what is answered to it', async () => {
    const { visitor } = await signedIn((await account()).key);
    const answer = await askAt('/graphql', visitor, NAME, { origin: 'https://shop.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBe(null);
  });

  test('and nowhere else', async () => {
    const { visitor } = await signedIn((await account()).key);
    const headers = { origin: host.issuer };
    expect(await askAt('/api/graphql', visitor, NAME, headers)).toMatchObject({ status: 401 });
    const rest = await host.fetch(`${host.issuer}/api/v2/account`, {
      method: 'GET',
      headers: { cookie: visitor.cookieHeader(), ...headers },
    });
    expect(rest.status).toBe(401);
  });

  test('only if the request has no other credentials, valid or not', async () => {
    const administrator = await signedIn((await account({ nickname: 'Bakery' })).key);
    const { key } = await account({ nickname: 'Florist' });
    const { secret: api_key } = await issueApiKey(testService, key);
    const other = await ask(administrator, NAME, { 'service-api-key': api_key });
    expect(other.data).toEqual({ account: { nickname: 'Florist' } });
    expect(await ask(administrator, NAME, { 'service-api-key': 'wrong' })).toMatchObject({ status: 401 });
    expect(await ask(administrator, NAME, { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
  });
});

describe('The role and the groups of a signed-in user decide', () => {
  const ISSUE = 'mutation { issueForwarderKey { key } }';

  test('an administrator does what the owner may', async () => {
    const administrator = await signedIn((await account()).key);
    expect(await ask(administrator, ISSUE)).toMatchObject({ status: 200 });
    expect(await ask(administrator, '{ privacyZones { nodes { key } } }')).toMatchObject({ status: 200 });
  });

  test.each(['viewer', 'driver'] as const)('a %s changes nothing', async (account_role) => {
    const user = await signedIn((await account()).key, [], { account_role });
    for (const mutation of [ISSUE, 'mutation { createVehicle(input: { nickname: "Van" }) { key } }']) {
      expect(await ask(user, mutation)).toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  test('an administrator of a group sees its vehicles alone, without what privacy zones hide, and issues no keys', async () => {
    const { key } = await account();
    const north = await group(key, 'North');
    const { key: group_key } = north;
    const inGroup = await vehicle(key, [north]);
    await vehicle(key);
    const restricted = await signedIn(key, [group_key]);
    const { data } = await ask(restricted, '{ vehicles { nodes { key } } }');
    expect(data.vehicles.nodes).toEqual([{ key: inGroup }]);
    expect(await ask(restricted, ISSUE)).toMatchObject({ code: 'FORBIDDEN' });
    await createPrivacyZone(accountAccessScope(testService, key), {
      lat: 53,
      lon: 8,
      radius_meters: 200,
      trips: 'cut',
    });
    expect(await ask(restricted, '{ privacyZones { nodes { key } } }')).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('no user sees or changes the webhooks of another, but for who acts as the owner', async () => {
    const { key } = await account();
    const { key: group_key } = await group(key, 'North');
    const restricted = await signedIn(key, [group_key]);
    const made = await ask(
      restricted,
      'mutation { createWebhook(input: { url: "https://fleet.example/hook", events: [trip_end] }) { key } }',
    );
    const { key: webhook_key } = made.data.createWebhook;
    const list = '{ webhooks { nodes { key } } }';
    const seenBy = async (who: { readonly visitor: Visitor }) =>
      (await ask(who, list)).data.webhooks.nodes.map((hook: { key: string }) => hook.key);
    expect(await seenBy(restricted)).toEqual([webhook_key]);
    expect(await seenBy(await signedIn(key, [group_key]))).toEqual([]);
    expect(await seenBy(await signedIn(key))).toEqual([webhook_key]);
  });
});

describe('What is dangerous', () => {
  const KEY = 'mutation { issueApiKey(name: "Console") { key } }';

  test('needs a password that was entered within 15 minutes', async () => {
    const administrator = await signedIn((await account()).key);
    expect(await ask(administrator, KEY)).toMatchObject({ status: 200 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    expect(await ask(administrator, KEY)).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    expect(await ask(administrator, 'mutation { createVehicle(input: {}) { key } }')).toMatchObject({ status: 200 });
    const { visitor, user } = administrator;
    const form = await visitor.get(`${host.issuer}/security/sign-in`);
    const { email, password } = user;
    await visitor.post(`${host.issuer}/security/sign-in`, { email, password, form_token: formTokenOf(form) });
    expect(await ask(administrator, KEY)).toMatchObject({ status: 200 });
  });

  test('is refused for the role before', async () => {
    const viewer = await signedIn((await account()).key, [], { account_role: 'viewer' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    expect(await ask(viewer, KEY)).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('is in the security log with who did it', async () => {
    const administrator = await signedIn((await account()).key);
    await ask(administrator, KEY);
    const { data } = await ask(administrator, '{ securityEvents { nodes { kind actor user_key } } }');
    const { key: user_key } = administrator.user;
    expect(data.securityEvents.nodes).toContainEqual({ kind: 'api_key_created', actor: 'user', user_key });
  });
});

describe('A session that has ended is no caller', () => {
  const status = async (who: { readonly visitor: Visitor }) => (await ask(who, NAME)).status;

  test.each([
    [
      'the user signs out',
      async ({ visitor, page }: Awaited<ReturnType<typeof signedIn>>) => {
        const [cookie] = [visitor.cookies.get('__Host-waybridge_session') ?? ''];
        await visitor.post(`${host.issuer}/security/sign-out`, { form_token: formTokenOf(page) });
        visitor.cookies.set('__Host-waybridge_session', cookie);
      },
    ],
    [
      'the user is disabled',
      async ({ user }: Awaited<ReturnType<typeof signedIn>>) => {
        await UserStore.updateOne(unrestricted(testService), { key: user.key }, { disabled: true });
      },
    ],
    [
      'the password is changed elsewhere',
      async ({ user }: Awaited<ReturnType<typeof signedIn>>) => {
        const elsewhere = new Visitor(host);
        const page = await enter(host, elsewhere, '/security', user);
        const password = 'oats and barley, milk';
        const fields = { form_token: formTokenOf(page), current: user.password, password };
        await elsewhere.post(`${host.issuer}/security/password`, fields);
      },
    ],
    [
      'twelve hours have passed',
      async () => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * 3_600_000 + 1000 });
      },
    ],
  ])('once %s', async (_, end) => {
    const user = await signedIn((await account()).key);
    expect(await status(user)).toBe(200);
    await end(user);
    expect(await status(user)).toBe(401);
  });
});
