import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { findAccessToken, revokeGrant } from '../../../auth/grants.ts';
import { type OAuthOptions, OAuthSession } from '../../../client/service/oauth-session.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { APP, openClientPage, useClientPages, type Waybridge } from '../../browser/client-page.ts';
import { authorize, CALLBACK, registeredApp, signInUser, useOauthHost } from '../../hosts/oauth-host.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();
const service = useOauthHost();

const SCOPE = 'account.read account_activity.read';

let user: Awaited<ReturnType<typeof signInUser>>;
let options: OAuthOptions & { readonly storage: Map<string, string> & Storage };
let requests: URLSearchParams[];

beforeAll(async () => {
  user = await signInUser();
});
afterAll(async () => closePages(await sharedBrowser()));
beforeEach(async () => {
  requests = [];
  const { client_id } = await registeredApp({ scopes: SCOPE.split(' '), isPublic: true });
  options = {
    authUrl: service.at.issuer,
    clientId: client_id,
    redirectUri: CALLBACK,
    scope: SCOPE,
    storage: storage(),
    fetch: async (address, init) => {
      requests.push(new URLSearchParams(String(init?.body)));
      return service.at.fetch(String(address), init as Parameters<typeof service.at.fetch>[1]);
    },
  };
});

function storage() {
  const items = new Map<string, string>();
  return Object.assign(items, {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }) as unknown as Map<string, string> & Storage;
}

/** Signs the user in at an address to which the app leads the browser, and answers that to which it comes back. */
function signInAt(address: string): Promise<URL> {
  return authorize(service.at, user, Object.fromEntries(new URL(address).searchParams));
}

async function signedIn(): Promise<OAuthSession> {
  const session = new OAuthSession(options);
  await session.complete(await signInAt(await session.begin()));
  requests = [];
  return session;
}

const tokenOf = async (session: OAuthSession) => (await session.headers()).authorization?.replace('Bearer ', '') ?? '';

/** Lets the stored token expire by the clock of the app. */
function expire(): void {
  for (const [name, text] of options.storage)
    options.storage.set(name, JSON.stringify({ ...JSON.parse(text), expires: 0 }));
}

test('a user signs in with PKCE, and the token has the scopes', async () => {
  const session = new OAuthSession(options);
  expect(session.isSignedIn).toBe(false);
  await expect(session.headers()).rejects.toMatchObject({ status: 401, message: 'The user must sign in' });
  const address = await session.begin();
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256');
  // A page of the app that was loaded again, as after the way back.
  const page = new OAuthSession(options);
  await page.complete(await signInAt(address));
  expect(page.isSignedIn).toBe(true);
  expect(await findAccessToken(testService, await tokenOf(page))).toMatchObject({
    user_key: user.key,
    scopes: new Set(SCOPE.split(' ')),
  });
  expect(requests.map((one) => one.get('grant_type'))).toEqual(['authorization_code']);
  page.signOut();
  expect([...options.storage]).toEqual([]);
});

test('an address of another sign-in, or of none, is rejected', async () => {
  const session = new OAuthSession(options);
  const other = await signInAt(await session.begin());
  await session.begin();
  await expect(session.complete(other)).rejects.toThrow('state');
  await expect(session.complete(other)).rejects.toThrow('The user must sign in');
  expect([session.isSignedIn, requests]).toEqual([false, []]);
});

test('calls that need another token at the same time refresh it once', async () => {
  const session = await signedIn();
  const first = await tokenOf(session);
  expire();
  const rejected = { authorization: `Bearer ${first}` };
  const [one, other] = await Promise.all([tokenOf(session), tokenOf(session), session.renew(rejected)]);
  expect(one).toBe(other);
  expect(one).not.toBe(first);
  expect(requests.map((request) => request.get('grant_type'))).toEqual(['refresh_token']);
  // Late answers to requests with the first token need no other one.
  await session.renew(rejected);
  expect([await tokenOf(session), requests.length]).toEqual([one, 1]);
});

test('a service that cannot be reached leaves the user signed in, one that has ended the access does not', async () => {
  const session = await signedIn();
  const grant = await findAccessToken(testService, await tokenOf(session));
  expire();
  const offline = new OAuthSession({ ...options, fetch: () => Promise.reject(new TypeError('fetch failed')) });
  await expect(offline.headers()).rejects.toMatchObject({ status: 0, isTransient: true });
  expect(await findAccessToken(testService, await tokenOf(session))).not.toBeNull();
  expire();
  await revokeGrant(testService, grant?.grant_hash ?? '');
  await expect(session.headers()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', isTransient: false });
  expect(session.isSignedIn).toBe(false);
});

/** Globals of the page of an app. */
interface AppWindow {
  readonly Waybridge: Waybridge;
  session: OAuthSession;
}

test('two tabs of a browser refresh a token once', async () => {
  const context = await (await sharedBrowser()).newContext();
  const { client_id } = await registeredApp({ scopes: SCOPE.split(' '), isPublic: true, redirect_uris: [`${APP}/`] });
  const refreshes: string[] = [];
  await useClientPages(context, {
    '/token': async (route) => {
      const body = route.request().postData() ?? '';
      refreshes.push(new URLSearchParams(body).get('grant_type') ?? '');
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await service.at.fetch(`${service.at.issuer}/oauth/token`, { method: 'POST', headers, body });
      await route.fulfill({ status: answer.status, contentType: 'application/json', body: await answer.text() });
    },
  });
  const settings = {
    authUrl: service.at.issuer,
    clientId: client_id,
    redirectUri: `${APP}/`,
    tokenUrl: `${APP}/token`,
  };
  const open = async () => {
    const page = await openClientPage(context);
    await page.evaluate((given) => {
      const app = window as unknown as AppWindow;
      app.session = new app.Waybridge.OAuthSession(given);
    }, settings);
    return page;
  };
  const tabs = [await open(), await open()];
  const [first] = tabs;
  const address = await first?.evaluate(() => (window as unknown as AppWindow).session.begin());
  const back = await signInAt(address ?? '');
  await first?.evaluate((to) => (window as unknown as AppWindow).session.complete(to), back.href);
  await first?.evaluate(() => {
    for (const [name, text] of Object.entries({ ...localStorage }))
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), expires: 0 }));
  });
  const headers = await Promise.all(
    tabs.map((tab) => tab.evaluate(() => (window as unknown as AppWindow).session.headers())),
  );
  expect(headers[0]).toEqual(headers[1]);
  expect(refreshes).toEqual(['authorization_code', 'refresh_token']);
});
