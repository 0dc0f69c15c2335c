import { beforeEach, describe, expect, test } from 'vitest';

import { createHash } from 'node:crypto';

import { createGrant, revokeGrantsTo } from '../../../auth/grants.ts';
import { AppStore } from '../../../models/account/app.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { UserStore } from '../../../models/account/user.ts';
import { useDatabase, testService } from '../../services/database.ts';
import {
  actionOf,
  authorizeUrl,
  CALLBACK,
  registeredApp,
  scopesOf,
  send,
  signInUser,
  useOauthHost,
  Visitor,
} from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

const S256 = {
  code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
  code_challenge_method: 'S256',
};

let app: Awaited<ReturnType<typeof registeredApp>>;
let user: Awaited<ReturnType<typeof signInUser>>;
let visitor: Visitor;

/** A browser whose user has allowed the app to see the account and the vehicles. */
beforeEach(async () => {
  app = await registeredApp({ scopes: ['account.read', 'vehicles.read', 'billing.read'] });
  user = await signInUser();
  visitor = new Visitor(service.at);
  const consent = await visitor.signIn(addressOf(), user);
  await visitor.post(actionOf(consent), { decision: 'allow', scope: scopesOf(consent) });
});

const addressOf = (params: Record<string, string> = {}) =>
  authorizeUrl(service.at, { client_id: app.client_id, ...params });

/** Outcome of a request of the same browser: the app's answer, or the scopes that the user is asked for. */
async function again(params: Record<string, string> = {}): Promise<Record<string, string> | string[]> {
  const visit = await visitor.get(addressOf(params));
  return visit.url.startsWith(service.at.issuer)
    ? scopesOf(visit)
    : Object.fromEntries(new URL(visit.url).searchParams);
}

const redeem = (code: string) =>
  send(service.at, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: app.client_id,
    client_secret: app.client_secret,
  });

describe('a user who has allowed an app is not asked again', () => {
  test.each([
    {},
    { scope: 'account.read' },
    { prompt: 'none' },
    { prompt: 'none', scope: 'vehicles.read account.read' },
  ])('for the same scopes or fewer: %j', async (params) => {
    const answer = await again(params);
    expect(answer).toMatchObject({ code: expect.any(String), iss: service.at.issuer });
  });

  test('and the token has the scopes asked for now, not all that were allowed', async () => {
    const { code = '' } = (await again({ scope: 'vehicles.read' })) as Record<string, string>;
    expect((await redeem(code)).body).toMatchObject({ scope: 'vehicles.read' });
  });

  test('in another browser of the same user', async () => {
    visitor = new Visitor(service.at);
    const back = await visitor.signIn(addressOf(), user);
    expect(new URL(back.url).searchParams.get('code')).toBeTruthy();
  });
});

describe('a user is asked', () => {
  test('for more scopes than were allowed', async () => {
    expect(await again({ scope: 'account.read billing.read' })).toEqual(['account.read', 'billing.read']);
    expect(await again({ scope: 'billing.read', prompt: 'none' })).toMatchObject({ error: 'consent_required' });
  });

  test('where the app says prompt=consent, also after signing in as somebody else', async () => {
    expect(await again({ prompt: 'consent' })).toEqual(['account.read', 'vehicles.read']);
    const page = await visitor.get(addressOf({ prompt: 'consent' }));
    const other = /<a href="([^"]+)">Use another account/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(scopesOf(await visitor.signIn(other, user))).toEqual(['account.read', 'vehicles.read']);
  });

  test('for what was allowed once and left out the last time', async () => {
    const consent = await visitor.get(addressOf({ prompt: 'consent' }));
    await visitor.post(actionOf(consent), { decision: 'allow', scope: ['account.read'] });
    expect(await again({ scope: 'vehicles.read' })).toEqual(['vehicles.read']);
    expect(await again({ scope: 'account.read' })).toMatchObject({ code: expect.any(String) });
  });

  test('after revoking', async () => {
    await revokeGrantsTo(testService, app.client_id, user.key);
    expect(await again()).toEqual(['account.read', 'vehicles.read']);
    expect(await again({ prompt: 'none' })).toMatchObject({ error: 'consent_required' });
  });

  test('after the permission has expired', async () => {
    await OauthRecordStore.updateMany(testService, { kind: 'Grant', user_key: user.key }, { expires_at: new Date(1) });
    expect(await again()).toEqual(['account.read', 'vehicles.read']);
  });

  test('where only the operator has made a grant, for a trial', async () => {
    await revokeGrantsTo(testService, app.client_id, user.key);
    await createGrant(testService, {
      user_key: user.key,
      client_id: app.client_id,
      scopes: ['account.read', 'vehicles.read'],
    });
    expect(await again()).toEqual(['account.read', 'vehicles.read']);
  });

  test('by another app', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'] });
    expect(await again({ client_id, prompt: 'none' })).toMatchObject({ error: 'consent_required' });
  });

  test('each time by a native app, whose identity nothing proves', async () => {
    const redirect_uri = 'com.example.app:/callback';
    const native = await registeredApp({ scopes: ['account.read'], redirect_uris: [redirect_uri], isPublic: true });
    const params = { client_id: native.client_id, redirect_uri, ...S256 };
    const consent = await visitor.get(addressOf(params));
    await visitor.post(actionOf(consent), { decision: 'allow', scope: scopesOf(consent) });
    expect(await again(params)).toEqual(['account.read']);
    const { url } = await visitor.get(addressOf({ ...params, prompt: 'none' }));
    expect(new URL(url).searchParams.get('error')).toBe('interaction_required');
  });
});

test('nobody is signed in silently: prompt=none without a session is login_required', async () => {
  visitor = new Visitor(service.at);
  expect(await again({ prompt: 'none' })).toMatchObject({ error: 'login_required' });
});

test('a disabled user gets nothing silently', async () => {
  await UserStore.updateOne(unrestricted(testService), { key: user.key }, { disabled: true });
  expect(await again({ prompt: 'none' })).toMatchObject({ error: 'login_required' });
});

test('an app that has lost a scope does not get it by a remembered consent', async () => {
  await AppStore.updateOne(unrestricted(testService), { client_id: app.client_id }, { scopes: ['account.read'] });
  expect(await again({ scope: 'vehicles.read', prompt: 'none' })).toMatchObject({ error: 'invalid_scope' });
});

describe('the consent page', () => {
  const reviewed = (client_id: string, at: Date | null) =>
    AppStore.updateOne(unrestricted(testService), { client_id }, { reviewed: at });
  const page = () => visitor.get(addressOf({ prompt: 'consent' }));

  test('names the account that publishes the app', async () => {
    expect((await page()).text).toMatch(/Published by <bdi class="name">Bakery<\/bdi>/);
  });

  test('says where the app is of the own account', async () => {
    const owner = await UserStore.findOne(unrestricted(testService), { key: user.key });
    await AppStore.updateOne(
      unrestricted(testService),
      { client_id: app.client_id },
      { account_key: owner?.account_key },
    );
    expect((await page()).text).toContain('your own account');
  });

  test('warns of an app that nobody has reviewed, and of no other', async () => {
    expect((await page()).text).toContain('This app has not been reviewed');
    await reviewed(app.client_id, new Date());
    expect((await page()).text).not.toContain('This app has not been reviewed');
  });
});
