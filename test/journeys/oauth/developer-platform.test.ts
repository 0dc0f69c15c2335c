import { beforeEach, describe, expect, test } from 'vitest';

import { createGrant, findAccessToken, issueAccessToken } from '../../../auth/grants.ts';
import { DEFAULT_SCOPES } from '../../../auth/scopes/scope.ts';
import { isSecret } from '../../../auth/secrets/secrets.ts';
import { AppStore } from '../../../models/account/app.ts';
import { UserStore } from '../../../models/account/user.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { group } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { registeredApp, signInUser, useOauthHost, type Visit, Visitor } from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

let user: Awaited<ReturnType<typeof signInUser>>;
let visitor: Visitor;
let page: Visit;
beforeEach(async () => {
  user = await signInUser();
  visitor = new Visitor(service.at);
  page = await enter(visitor, user);
});

const at = (path = '') => `${service.at.issuer}/apps${path}`;
const tokenOf = ({ text }: Visit) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
const stored = (client_id: string) => AppStore.findOne(unrestricted(testService), { client_id });

async function enter(browser: Visitor, { email, password }: { email: string; password: string }): Promise<Visit> {
  const form = await browser.get(at());
  return browser.post(at('/sign-in'), { email, password, form_token: tokenOf(form) });
}

/** Sends a form of the page. */
const send = (path: string, fields: Record<string, string>, browser = visitor, from = page) =>
  browser.post(at(path), { form_token: tokenOf(from), ...fields });

async function register(fields: Record<string, string> = {}, browser = visitor, from = page) {
  const shown = await send(
    '/register',
    { name: 'Planner', redirect_uris: 'https://a.example/cb', ...fields },
    browser,
    from,
  );
  const [client_id = '', client_secret = ''] = [...shown.text.matchAll(/class="secret">([^<]+)/g)].map(
    (found) => found[1],
  );
  return { shown, client_id, client_secret };
}

describe('a user', () => {
  test('is asked to sign in, and may leave', async () => {
    expect(page.text).toContain('<h1>Developer platform</h1>');
    await send('/sign-out', {});
    expect((await visitor.get(at())).text).toContain('name="password"');
  });

  test('registers an app with the read-only scopes; the secret is shown once and stored as a hash', async () => {
    const { shown, client_id, client_secret } = await register({
      redirect_uris: 'https://a.example/cb\r\nhttp://localhost:3000/cb',
    });
    expect(shown.status).toBe(200);
    const app = await stored(client_id);
    expect(app).toMatchObject({
      scopes: DEFAULT_SCOPES,
      redirect_uris: ['https://a.example/cb', 'http://localhost:3000/cb'],
    });
    expect(isSecret(client_secret, app?.secret_hash ?? '')).toBe(true);
    const later = await visitor.get(at());
    expect([later.text.includes(client_id), later.text.includes(client_secret)]).toEqual([true, false]);
  });

  test('registers a public app, which has no secret', async () => {
    const { client_id, client_secret } = await register({ is_public: 'yes' });
    expect([client_secret, (await stored(client_id))?.secret_hash]).toEqual(['', null]);
  });

  test.each([
    [{ redirect_uris: 'http://a.example/cb' }, 'redirect_uris must be https URLs'],
    [{ redirect_uris: 'https://a.example/#x' }, 'redirect_uris must be https URLs'],
    [{ redirect_uris: '' }, 'redirect_uris must have at least one'],
    [{ name: '  ' }, 'name must have 1 to 255 characters'],
  ])('is told what is wrong with %j', async (fields, message) => {
    const { shown } = await register({ name: '<b>Planner', ...fields });
    expect([shown.status, shown.text.includes(message)]).toEqual([422, true]);
    expect(shown.text).not.toContain('<b>Planner');
  });

  test('gives no scope on approval: the form has none', async () => {
    const { client_id } = await register({ scope: 'account.manage', scopes: 'account.manage' });
    expect((await stored(client_id))?.scopes).toEqual(DEFAULT_SCOPES);
  });

  test('replaces a secret: the old one ends', async () => {
    const { client_id, client_secret } = await register();
    const shown = await send('/secret', { client_id });
    const hash = (await stored(client_id))?.secret_hash ?? '';
    const next = [...shown.text.matchAll(/class="secret">([^<]+)/g)].map((found) => found[1])[1] ?? '';
    expect([isSecret(client_secret, hash), isSecret(next, hash)]).toEqual([false, true]);
  });

  test('finds PKCE ticked, and changes that, name and redirect addresses', async () => {
    expect(page.text).toMatch(/name="requires_pkce" value="yes" checked/);
    const { client_id } = await register({ requires_pkce: 'yes' });
    expect((await stored(client_id))?.pkce).toBe(true);
    const change = { client_id, name: 'Fuel log', redirect_uris: 'https://b.example/cb\r\nhttps://c.example/cb' };
    const shown = await send('/update', change);
    expect(shown.text).toContain('https://b.example/cb\nhttps://c.example/cb</textarea>');
    const changed = { name: 'Fuel log', redirect_uris: ['https://b.example/cb', 'https://c.example/cb'], pkce: false };
    expect(await stored(client_id)).toMatchObject(changed);
    const refused = await send('/update', { ...change, name: '<b>', redirect_uris: 'http://b.example' });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/<details open>.*redirect_uris must be https URLs.*value="&lt;b&gt;"/s);
    expect(await stored(client_id)).toMatchObject(changed);
    await send('/update', { ...change, requires_pkce: 'yes' });
    expect((await stored(client_id))?.pkce).toBe(true);
  });

  test('deletes an app, with what was granted to it', async () => {
    const { client_id } = await register();
    const scopes = ['account.read'];
    const token = await issueAccessToken(
      testService,
      await createGrant(testService, { user_key: user.key, client_id, scopes }),
    );
    expect(await findAccessToken(testService, token)).not.toBeNull();
    await send('/delete', { client_id });
    expect([await stored(client_id), await findAccessToken(testService, token)]).toEqual([null, null]);
  });

  test('sees and revokes what apps of whatever account may do', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'], name: 'Fuel log' });
    const issue = async () =>
      issueAccessToken(
        testService,
        await createGrant(testService, { user_key: user.key, client_id, scopes: ['account.read'] }),
      );
    const tokens = [await issue(), await issue()];
    const { text } = await visitor.get(at());
    expect(text.match(/Revoke access of <bdi>Fuel log/g)).toHaveLength(1);
    const after = await send('/revoke', { client_id });
    expect(after.text).not.toContain('Fuel log');
    for (const token of tokens) expect(await findAccessToken(testService, token)).toBeNull();
  });

  test('reaches no app of another account, and revokes nothing of another user', async () => {
    const someone = await signInUser();
    const browser = new Visitor(service.at);
    const theirs = await enter(browser, someone);
    const { client_id } = await register({}, browser, theirs);
    const before = await stored(client_id);
    const grant = { user_key: someone.key, client_id, scopes: ['account.read'] };
    const token = await issueAccessToken(testService, await createGrant(testService, grant));
    for (const path of ['/secret', '/update', '/delete', '/revoke']) {
      await send(path, { client_id, ...{ name: 'Taken', redirect_uris: 'https://a.example/cb' } });
    }
    expect(await stored(client_id)).toEqual(before);
    expect(await findAccessToken(testService, token)).not.toBeNull();
  });

  test('who is restricted to groups manages only what it has registered', async () => {
    const account_key = (await stored((await register()).client_id))?.account_key ?? '';
    const north = await group(account_key, 'North');
    const browser = new Visitor(service.at);
    const signedIn = await signInUser(account_key);
    const page = await enter(browser, signedIn);
    const { client_id } = await register({ name: 'Mine' }, browser, page);
    const membership = { group_keys: [north.key], group_path: [north.key] };
    await UserStore.updateOne(unrestricted(testService), { email: signedIn.email }, membership);
    const shown = (await browser.get(at())).text;
    expect([shown.includes(client_id), shown.match(/name="client_id"/g)?.length]).toEqual([true, 3]);
    expect((await visitor.get(at())).text).toContain(client_id);
  });

  test('who is restricted to groups registers no app, which would act in the name of the account', async () => {
    const account_key = (await stored((await register()).client_id))?.account_key ?? '';
    const own = (await group(account_key, 'North')).key;
    const browser = new Visitor(service.at);
    const restricted = await enter(browser, await signInUser(account_key, [own]));
    expect(restricted.text).not.toContain('redirect_uris');
    const { shown, client_id } = await register({ name: 'Mine' }, browser, restricted);
    expect([shown.status, client_id]).toEqual([403, '']);
    expect(shown.text).toContain('You may not register apps');
    expect(await AppStore.countDocuments(unrestricted(testService), { name: 'Mine', account_key })).toBe(0);
  });
});

describe('forgery', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the token of the page', { form_token: '' }, {}],
    ['with the token of another page', { form_token: 'A'.repeat(43) }, {}],
    ['from another origin', {}, { origin: 'https://evil.example' }],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('%s changes nothing', async (_, fields, headers) => {
    const { client_id } = await register();
    const answer = await visitor.post(at('/delete'), { form_token: tokenOf(page), client_id, ...fields }, headers);
    expect([answer.status, (await stored(client_id))?.client_id]).toEqual([403, client_id]);
  });

  test('signs nobody in as somebody else', async () => {
    const browser = new Visitor(service.at);
    const answer = await browser.post(at('/sign-in'), { email: user.email, password: user.password, form_token: 'x' });
    expect([answer.status, browser.cookies.has('__Host-waybridge_session')]).toEqual([403, false]);
  });

  test('without a session leads to sign-in', async () => {
    const answer = await new Visitor(service.at).post(at('/delete'), { form_token: tokenOf(page), client_id: 'x' });
    expect(answer.text).toContain('name="password"');
  });
});

test.each(['viewer', 'driver'] as const)(
  'a %s changes no app, and ends only what it has granted itself',
  async (role) => {
    const { client_id } = await register();
    const account_key = (await stored(client_id))?.account_key ?? '';
    const someone = await signInUser(account_key, [], { account_role: role });
    const browser = new Visitor(service.at);
    const theirs = await enter(browser, someone);
    expect(theirs.text).not.toContain('Register an app');
    expect(theirs.text).not.toContain(client_id);
    const token = await issueAccessToken(
      testService,
      await createGrant(testService, { user_key: someone.key, client_id, scopes: ['account.read'] }),
    );
    const before = await stored(client_id);
    const registration = { name: 'Planner', redirect_uris: 'https://a.example/cb' };
    for (const [path, fields] of [
      ['/register', registration],
      ['/secret', { client_id }],
      ['/update', { client_id, ...registration }],
      ['/delete', { client_id }],
    ] as const) {
      const refused = await send(path, fields, browser, theirs);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('You may not change the apps')]);
    }
    expect(await stored(client_id)).toEqual(before);
    expect(await AppStore.countDocuments(unrestricted(testService), { account_key })).toBe(1);
    await send('/revoke', { client_id }, browser, theirs);
    expect(await findAccessToken(testService, token)).toBeNull();
  },
);

test('an administrator who becomes a viewer changes no app from the next form on', async () => {
  const { client_id } = await register();
  await UserStore.updateOne(unrestricted(testService), { key: user.key }, { account_role: 'viewer' });
  expect((await send('/delete', { client_id })).status).toBe(403);
  expect(await stored(client_id)).not.toBeNull();
});
