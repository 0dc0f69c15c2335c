import { createHash } from 'node:crypto';

import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { findAccessToken } from '../../../auth/grants.ts';
import { hashSecret } from '../../../auth/secrets/secrets.ts';
import { AppStore } from '../../../models/account/app.ts';
import { SecurityEventStore } from '../../../models/account/security-event.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { UserStore } from '../../../models/account/user.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { useDatabase, testService, changeSettings } from '../../services/database.ts';
import { dieAfter } from '../../processes/die-after.ts';
import {
  authorize,
  CALLBACK,
  oauthHost,
  registeredApp,
  send,
  signInUser,
  useOauthHost,
} from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

const VERIFIER = 'correct-horse-battery-staple-correct-horse-battery';
const CHALLENGE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

type App = Awaited<ReturnType<typeof registeredApp>>;
let app: App;
let user: Awaited<ReturnType<typeof signInUser>>;
async function renew(): Promise<void> {
  app = await registeredApp({ scopes: ['account.read', 'vehicles.read'] });
  user = await signInUser();
}
beforeAll(renew);

const redeem = (code: string, change: Record<string, string> = {}, by: Partial<App> = app) =>
  send(service.at, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    ...by,
    ...change,
  });
const refresh = (refresh_token: unknown, change: Record<string, string> = {}, by: Partial<App> = app) =>
  send(service.at, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: String(refresh_token),
    ...by,
    ...change,
  });
const isGood = async (token: unknown) => (await findAccessToken(testService, String(token))) !== null;

async function newCode(params: Record<string, string> = {}, allowed?: readonly string[]): Promise<string> {
  const answer = await authorize(service.at, user, { client_id: app.client_id, ...params }, allowed);
  return answer.searchParams.get('code') ?? '';
}

async function newTokens(params: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const { status, body } = await redeem(await newCode(params));
  expect([status, await isGood(body.access_token)]).toEqual([200, true]);
  return body;
}

describe('an authorization code', () => {
  test('replayed ends what it was good for', async () => {
    const code = await newCode();
    const { body } = await redeem(code);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await isGood(body.access_token)).toBe(false);
    expect(await refresh(body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('redeemed 16 times simultaneously succeeds at most once, and no token of it stays valid', async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 16 }, () => redeem(code)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const { body } of answers.filter((answer) => !won.includes(answer))) expect(body.error).toBe('invalid_grant');
    expect(await isGood(won[0]?.body.access_token)).toBe(false);
    expect((await refresh(won[0]?.body.refresh_token)).status).toBe(400);
  });

  test.each<[string, Record<string, string>]>([
    ['no verifier', {}],
    ['a wrong verifier', { code_verifier: VERIFIER.toUpperCase() }],
    ['the challenge as verifier', { code_verifier: CHALLENGE.code_challenge }],
  ])('that was asked for with PKCE is refused with %s', async (_, change) => {
    expect(await redeem(await newCode(CHALLENGE), change)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('that was asked for without PKCE is refused with a verifier', async () => {
    expect((await redeem(await newCode(), { code_verifier: VERIFIER })).body.error).toBe('invalid_grant');
  });

  test('needs the secret of a confidential app, also with PKCE', async () => {
    const code = await newCode(CHALLENGE);
    const { client_id } = app;
    const verified = { code_verifier: VERIFIER };
    expect(await redeem(code, verified, { client_id })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await redeem(code, verified, { client_id, client_secret: 'wrong' })).status).toBe(401);
    expect((await redeem(code, verified)).status).toBe(200);
  });

  test('of one app is nothing to another', async () => {
    const other = await registeredApp({ scopes: ['account.read'] });
    expect((await redeem(await newCode(), {}, other)).body.error).toBe('invalid_grant');
  });

  test('is bound to its redirect URI', async () => {
    const change = { redirect_uri: 'https://planner.example/other' };
    expect((await redeem(await newCode(), change)).body.error).toBe('invalid_grant');
  });

  test('ends after a minute', async () => {
    const code = await newCode();
    await OauthRecordStore.updateOne(testService, { id_hash: hashSecret(code) }, { details: await expired(code) });
    expect((await redeem(code)).body.error).toBe('invalid_grant');
  });
});

/** Stored record of a code, as if it had been issued an hour ago. */
async function expired(code: string): Promise<string> {
  const record = await OauthRecordStore.findOne(testService, { id_hash: hashSecret(code) });
  const details = JSON.parse(record?.details ?? '{}');
  expect(details.exp - details.iat).toBe(60);
  return JSON.stringify({ ...details, iat: details.iat - 3600, exp: details.exp - 3600 });
}

describe('a refresh token', () => {
  test('used again after the seconds of reuse ends its grant, which the security log tells', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { refresh_token } = await newTokens();
      const { body } = await refresh(refresh_token);
      expect(await isGood(body.access_token)).toBe(true);
      vi.setSystemTime(Date.now() + 10_000);
      expect((await refresh(refresh_token)).body.error).toBe('invalid_grant');
      expect(await isGood(body.access_token)).toBe(false);
      expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
      const newest = SecurityEventStore.findOne(unrestricted(testService), { user_key: user.key });
      expect(await newest.sort({ _id: -1 })).toMatchObject({ kind: 'token_reused', subject: app.client_id });
    } finally {
      vi.useRealTimers();
    }
  });

  test('gives no scope that was not granted', async () => {
    const { refresh_token, scope } = await newTokens({ scope: 'account.read' });
    expect(scope).toBe('account.read');
    expect((await refresh(refresh_token, { scope: 'account.read vehicles.read' })).body.error).toBe('invalid_scope');
    expect((await refresh(refresh_token, { scope: 'account.manage' })).body.error).toBe('invalid_scope');
  });

  test('asked for scopes with commas is an error that names them, and the separator', async () => {
    const { refresh_token } = await newTokens();
    const { body } = await refresh(refresh_token, { scope: 'account.read,vehicles.read' });
    expect(body).toEqual({
      error: 'invalid_scope',
      error_description:
        'refresh token missing requested scope: account.read,vehicles.read; names in scope are separated by spaces',
      scope: 'account.read,vehicles.read',
    });
  });

  test('may narrow what it gives', async () => {
    const { refresh_token } = await newTokens();
    const { body } = await refresh(refresh_token, { scope: 'vehicles.read' });
    expect((await findAccessToken(testService, String(body.access_token)))?.scopes).toEqual(new Set(['vehicles.read']));
  });

  test('gives nothing that was left unticked', async () => {
    const { body } = await redeem(await newCode({ prompt: 'consent' }, ['account.read']));
    expect(body.scope).toBe('account.read');
    expect((await refresh(body.refresh_token, { scope: 'vehicles.read' })).body.error).toBe('invalid_scope');
  });

  test('of one app is nothing to another', async () => {
    const other = await registeredApp({ scopes: ['account.read'] });
    const { refresh_token } = await newTokens();
    expect((await refresh(refresh_token, {}, other)).body.error).toBe('invalid_grant');
  });
});

describe('a refresh token within the seconds of reuse', () => {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await renew();
  });
  afterEach(() => {
    vi.useRealTimers();
    changeSettings({ refreshReuseSeconds: 10 });
  });

  test('gets the same tokens again, for what is left of their time', async () => {
    const { refresh_token } = await newTokens();
    const first = await refresh(refresh_token);
    vi.setSystemTime(Date.now() + 9000);
    const again = await refresh(refresh_token);
    expect(again.body).toEqual({ ...first.body, expires_in: 86_391 });
    const { body } = await refresh(again.body.refresh_token);
    expect([await isGood(again.body.access_token), await isGood(body.access_token)]).toEqual([true, true]);
    expect(await refresh(refresh_token)).toEqual({ ...again, headers: expect.anything() });
  });

  test('gets them from another server, also simultaneously', async () => {
    const other = await oauthHost(async (issuer) => [await oauthEndpoint(testService, issuer)]);
    try {
      const { refresh_token } = await newTokens();
      const fields = { grant_type: 'refresh_token', refresh_token: String(refresh_token), ...app };
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, nth) => send(nth % 2 ? other : service.at, '/oauth/token', fields)),
      );
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(200);
    } finally {
      await other.app.close();
    }
  });

  test('gets them if the server was killed after any write of the first request', async () => {
    for (let writes = 0, isDead = true; isDead; writes++) {
      const { refresh_token } = await newTokens();
      const killed = dieAfter(writes, [OauthRecordStore], ['findOneAndUpdate', 'create', 'updateOne']);
      const { status } = await refresh(refresh_token);
      isDead = killed.isDead();
      vi.restoreAllMocks();
      expect([writes, status]).toEqual([writes, isDead ? 500 : 200]);
      if (!isDead) expect(writes).toBe(5);
      const { body } = await refresh(refresh_token);
      const { body: next } = await refresh(body.refresh_token);
      expect([writes, await isGood(body.access_token), await isGood(next.access_token)]).toEqual([writes, true, true]);
    }
  });

  test('gets the same refresh token for fewer scopes, and an access token for no more than these', async () => {
    const { refresh_token } = await newTokens();
    const { body: all } = await refresh(refresh_token);
    const { body: fewer } = await refresh(refresh_token, { scope: 'vehicles.read' });
    expect(fewer).toMatchObject({ refresh_token: all.refresh_token, scope: 'vehicles.read' });
    expect((await findAccessToken(testService, String(fewer.access_token)))?.scopes).toEqual(
      new Set(['vehicles.read']),
    );
    expect((await findAccessToken(testService, String(all.access_token)))?.scopes).toEqual(
      new Set(['account.read', 'vehicles.read']),
    );
    expect((await refresh(refresh_token, { scope: 'account.manage' })).body.error).toBe('invalid_scope');
  });

  test('gets nothing for another app, or without the secret, and they end nothing', async () => {
    const other = await registeredApp({ scopes: ['account.read'] });
    const { refresh_token } = await newTokens();
    const { body } = await refresh(refresh_token);
    expect((await refresh(refresh_token, {}, other)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(refresh_token, { client_secret: 'wrong' })).body).toMatchObject({ error: 'invalid_client' });
    expect(await isGood(body.access_token)).toBe(true);
  });

  test('gets the same for a public app, which has no secret', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'], isPublic: true });
    const code = await newCode({ client_id, ...CHALLENGE });
    const { body } = await redeem(code, { code_verifier: VERIFIER }, { client_id });
    const answers = [
      await refresh(body.refresh_token, {}, { client_id }),
      await refresh(body.refresh_token, {}, { client_id }),
    ];
    expect(answers.map((answer) => answer.body)).toEqual([answers[0]?.body, answers[0]?.body]);
    expect(await isGood(answers[1]?.body.access_token)).toBe(true);
  });

  test('gets nothing once the grant is revoked', async () => {
    const { refresh_token } = await newTokens();
    const { body } = await refresh(refresh_token);
    await send(service.at, '/oauth/revoke', { ...app, token: String(body.access_token) });
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant');
  });

  test('is introspected as used', async () => {
    const { refresh_token } = await newTokens();
    await refresh(refresh_token);
    const { body } = await send(service.at, '/oauth/introspect', { ...app, token: String(refresh_token) });
    expect(body).toEqual({ active: false });
  });

  test.each([1, 16])('ends its grant if there are none (%s more at the same time)', async (length) => {
    changeSettings({ refreshReuseSeconds: 0 });
    const { refresh_token, access_token } = await newTokens();
    const first = await (length === 1 ? refresh(refresh_token) : undefined);
    const answers = await Promise.all(Array.from({ length }, () => refresh(refresh_token)));
    const won = [first, ...answers].filter((answer) => answer?.status === 200);
    expect(won).toHaveLength(1);
    expect(await isGood(won[0]?.body.access_token)).toBe(false);
    expect(await isGood(access_token)).toBe(false);
  });
});

describe('tokens end', () => {
  beforeEach(renew);

  test.each<[string, (tokens: Record<string, unknown>) => Promise<unknown>]>([
    [
      'when the app revokes the access token',
      ({ access_token }) => send(service.at, '/oauth/revoke', { ...app, token: String(access_token) }),
    ],
    [
      'when the app revokes the refresh token',
      ({ refresh_token }) => send(service.at, '/oauth/revoke', { ...app, token: String(refresh_token) }),
    ],
    [
      'when the user is disabled',
      () => UserStore.updateOne(unrestricted(testService), { key: user.key }, { disabled: true }),
    ],
    ['when the app is deleted', () => AppStore.deleteOne(unrestricted(testService), { client_id: app.client_id })],
  ])('%s', async (_, happens) => {
    const tokens = await newTokens();
    await happens(tokens);
    expect(await isGood(tokens.access_token)).toBe(false);
    expect((await refresh(tokens.refresh_token)).status).toBeGreaterThanOrEqual(400);
  });

  test('by a revocation that is answered by JSON, whatever the token was', async () => {
    const { access_token } = await newTokens();
    for (const token of [String(access_token), 'unknown']) {
      const { status, headers, body } = await send(service.at, '/oauth/revoke', { ...app, token });
      expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json; charset=utf-8', {}]);
      expect(headers.get('content-length')).toBe('2');
    }
  });

  test('not when another app tries', async () => {
    const { access_token } = await newTokens();
    const other = await registeredApp({ scopes: ['account.read'] });
    await send(service.at, '/oauth/revoke', { ...other, token: String(access_token) });
    expect(await isGood(access_token)).toBe(true);
    const introspected = await send(service.at, '/oauth/introspect', { ...other, token: String(access_token) });
    expect(introspected.body).toEqual({ active: false });
  });

  test('in what they open when the app loses a scope', async () => {
    const { access_token } = await newTokens();
    await AppStore.updateOne(unrestricted(testService), { client_id: app.client_id }, { scopes: ['account.read'] });
    expect((await findAccessToken(testService, String(access_token)))?.scopes).toEqual(new Set(['account.read']));
  });
});

test('the hash of a secret, from a stolen database, is no secret', async () => {
  const fresh = await registeredApp({ scopes: ['account.read'] });
  const stolen = { ...fresh, client_secret: hashSecret(fresh.client_secret) };
  expect(await refresh('any', {}, stolen)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect(await refresh('any', {}, fresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('no page may read what an endpoint answers that takes a secret', async () => {
  const origin = 'https://evil.example';
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
    const { headers } = await send(service.at, path, { ...app, token: 'any', grant_type: 'refresh_token' }, { origin });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const preflight = await service.at.fetch(service.at.issuer + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  }
});
