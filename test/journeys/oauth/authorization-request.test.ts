import { beforeAll, describe, expect, test, vi } from 'vitest';

import { createHash } from 'node:crypto';

import { AppStore } from '../../../models/account/app.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { useDatabase, testService } from '../../services/database.ts';
import {
  actionOf,
  authorize,
  authorizeUrl,
  CALLBACK,
  onwardOf,
  registeredApp,
  scopesOf,
  signInUser,
  useOauthHost,
  Visitor,
} from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

const SCOPES = ['account.read', 'vehicles.read'];

const S256 = {
  code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
  code_challenge_method: 'S256',
};

let app: Awaited<ReturnType<typeof registeredApp>>;
let user: Awaited<ReturnType<typeof signInUser>>;
beforeAll(async () => {
  app = await registeredApp({ scopes: SCOPES });
  user = await signInUser();
});

/** Parameters that the app receives, or null where the browser stays on a page of the service. */
async function ask(params: Record<string, string>): Promise<{ status: number; back: URL | null; text: string }> {
  const { url, status, text } = await new Visitor(service.at).get(
    authorizeUrl(service.at, { client_id: app.client_id, ...params }),
  );
  return { status, text, back: url.startsWith(service.at.issuer) ? null : new URL(url) };
}

/** Asks again and again as the same user, who is shown the question each time. */
async function consentTo(params: Record<string, string>): Promise<string[]> {
  const visitor = new Visitor(service.at);
  return scopesOf(await visitor.signIn(authorizeUrl(service.at, { client_id: app.client_id, ...params }), user));
}

describe('scope', () => {
  test('left out is the read-only default of what the app may ask for', async () => {
    const scopes = ['account.manage', 'vehicles.read', 'billing.read', 'account.read', 'trippoints.read'];
    const { client_id } = await registeredApp({ scopes });
    expect(await consentTo({ client_id })).toEqual(['vehicles.read', 'account.read']);
  });

  test('left out by an app that has no default scope is invalid_scope', async () => {
    const { client_id } = await registeredApp({ scopes: ['billing.read'] });
    expect((await ask({ client_id })).back?.searchParams.get('error')).toBe('invalid_scope');
    expect(await consentTo({ client_id, scope: 'billing.read' })).toEqual(['billing.read']);
  });

  test('narrows what is asked for', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read', 'vehicles.read'] });
    expect(await consentTo({ client_id, scope: 'vehicles.read' })).toEqual(['vehicles.read']);
  });

  test.each(['account.manage', 'account.read devices.manage', 'openid', 'unknown', 'ACCOUNT.READ'])(
    'escalation at the authorization endpoint: %s is invalid_scope, sent to the app',
    async (scope) => {
      const { back } = await ask({ scope, state: 's1' });
      expect(Object.fromEntries(back?.searchParams ?? [])).toMatchObject({
        error: 'invalid_scope',
        state: 's1',
        iss: service.at.issuer,
      });
    },
  );

  test('separated by commas is an error that names it, and the separator', async () => {
    const { back } = await ask({ scope: 'account.read,vehicles.read' });
    expect(back?.searchParams.get('error_description')).toBe(
      'the app may not ask for account.read,vehicles.read; names in scope are separated by spaces',
    );
  });

  test('that is not ticked is not granted', async () => {
    const answer = await authorize(service.at, user, { client_id: app.client_id }, ['vehicles.read']);
    expect(answer.searchParams.get('code')).toBeTruthy();
  });

  test('approved since may be asked for', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'] });
    await AppStore.updateOne(unrestricted(testService), { client_id }, { $addToSet: { scopes: 'billing.read' } });
    expect(await consentTo({ client_id, scope: 'billing.read' })).toEqual(['billing.read']);
  });
});

describe('state', () => {
  test('comes back as it was sent', async () => {
    const state = 'a b&c=d"<é>';
    const answer = await authorize(service.at, user, { client_id: app.client_id, state });
    expect(answer.searchParams.get('state')).toBe(state);
  });

  test('may be left out', async () => {
    const answer = await authorize(service.at, user, { client_id: app.client_id });
    expect([...answer.searchParams.keys()].sort()).toEqual(['code', 'iss']);
  });
});

describe('mix-up: the answer names its issuer', () => {
  test('on success and on refusal', async () => {
    const allowed = await authorize(service.at, user, { client_id: app.client_id });
    const { back } = await ask({ scope: 'unknown' });
    expect([allowed.searchParams.get('iss'), back?.searchParams.get('iss')]).toEqual([
      service.at.issuer,
      service.at.issuer,
    ]);
  });
});

describe('redirect URI tricks stay on our page', () => {
  test.each([
    `${CALLBACK}/`,
    `${CALLBACK}/../evil`,
    `${CALLBACK}?next=https://evil.example`,
    `${CALLBACK}#fragment`,
    `${CALLBACK}%2f..`,
    CALLBACK.toUpperCase(),
    CALLBACK.replace('https:', 'http:'),
    CALLBACK.replace('planner.example', 'planner.example.evil.example'),
    CALLBACK.replace('planner.example', 'planner.example@evil.example'),
    CALLBACK.replace('planner.example', 'evil.example\\@planner.example'),
    CALLBACK.replace('planner.example', 'sub.planner.example'),
    CALLBACK.replace('planner.example', 'planner.example:444'),
    ` ${CALLBACK}`,
    `${CALLBACK}\r\nLocation: https://evil.example`,
    '//evil.example/callback',
    'javascript:alert(1)//',
    'data:text/html,hello',
    '',
  ])('%j', async (redirect_uri) => {
    const { back, status, text } = await ask({ redirect_uri });
    expect([back, status]).toEqual([null, 400]);
    expect(text).not.toMatch(/href="[^"]*evil/);
  });

  test('two of them in one request', async () => {
    const url = `${authorizeUrl(service.at, { client_id: app.client_id })}&redirect_uri=https://evil.example`;
    const visit = await new Visitor(service.at).get(url);
    expect([visit.status, visit.url]).toEqual([400, url]);
  });

  test('a loopback address of an app with a secret needs its own port', async () => {
    const { client_id } = await registeredApp({
      scopes: ['account.read'],
      redirect_uris: ['http://127.0.0.1:3000/cb'],
    });
    expect((await ask({ client_id, redirect_uri: 'http://127.0.0.1:3001/cb' })).status).toBe(400);
    expect((await ask({ client_id, redirect_uri: 'http://127.0.0.1:3000/cb' })).status).toBe(200);
  });

  test('an unknown app', async () => {
    const { back, status, text } = await ask({ client_id: 'unknown' });
    expect([back, status]).toEqual([null, 400]);
    expect(text).toContain('This app is not known here');
  });
});

describe('a native app (RFC 8252)', () => {
  let client_id: string;
  beforeAll(async () => {
    const redirect_uris = ['http://127.0.0.1/cb', 'http://[::1]:9/cb', 'com.example.app:/callback', CALLBACK];
    ({ client_id } = await registeredApp({ scopes: ['account.read'], redirect_uris, isPublic: true }));
  });

  test.each(['http://127.0.0.1:51004/cb', 'http://127.0.0.1/cb', 'http://[::1]:61023/cb', 'com.example.app:/callback'])(
    'is sent back to %s',
    async (redirect_uri) => {
      const answer = await authorize(service.at, user, { client_id, redirect_uri, ...S256 });
      expect(answer.href.split('?')[0]).toBe(redirect_uri);
      expect(answer.searchParams.get('code')).toBeTruthy();
    },
  );

  test.each([
    'http://localhost:51004/cb',
    'http://127.0.0.1:51004/cb/',
    'http://127.0.0.1:51004/cb?x=1',
    'http://127.0.0.2:51004/cb',
    'https://127.0.0.1:51004/cb',
    'https://planner.example:8443/callback',
    'com.example.app:/other',
    'com.example.app://callback',
    'com.example.other:/callback',
  ])('is not sent to %s', async (redirect_uri) => {
    expect((await ask({ client_id, redirect_uri, ...S256 })).status).toBe(400);
  });

  test('leads from the consent page to its own scheme, by name and by a link', async () => {
    const url = authorizeUrl(service.at, { client_id, redirect_uri: 'com.example.app:/callback', ...S256 });
    const visitor = new Visitor(service.at);
    const page = await visitor.signIn(url, user);
    expect(page.text).toContain('the app com.example.app on this device');
    const onward = await visitor.post(actionOf(page), { decision: 'allow', scope: scopesOf(page) });
    expect([onward.status, onwardOf(onward)?.split('?')[0]]).toEqual([200, 'com.example.app:/callback']);
  });
});

describe('PKCE downgrade', () => {
  test('an app with a secret that requires PKCE must send a challenge', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'], pkce: true });
    expect((await ask({ client_id })).back?.searchParams.get('error')).toBe('invalid_request');
    expect((await ask({ client_id, ...S256 })).status).toBe(200);
  });

  test('a public app must send a challenge', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'], isPublic: true });
    expect((await ask({ client_id })).back?.searchParams.get('error')).toBe('invalid_request');
    expect((await ask({ client_id, ...S256 })).status).toBe(200);
  });

  test.each([
    { code_challenge: S256.code_challenge },
    { code_challenge: S256.code_challenge, code_challenge_method: 'plain' },
    { code_challenge: 'short', code_challenge_method: 'S256' },
    { code_challenge_method: 'S256' },
  ])('%j is invalid_request', async (params) => {
    expect((await ask(params as Record<string, string>)).back?.searchParams.get('error')).toBe('invalid_request');
  });
});

describe('what has no meaning here is ignored (RFC 6749, section 3.1)', () => {
  const other = {
    nonce: 'n-0S6_WzA2Mj',
    display: 'touch',
    ui_locales: 'de-AT de',
    claims_locales: 'de',
    acr_values: 'urn:mace:incommon:iap:silver',
    claims: '{"userinfo":{"email":null}}',
    id_token_hint: 'e30.e30.',
    registration: '{}',
    audience: 'https://evil.example',
  };

  test.each(Object.entries({ ...other, prompt: 'select_account', max_age: '3600', login_hint: 'ada@example.com' }))(
    '%s=%s',
    async (name, value) => {
      const answer = await authorize(service.at, user, { client_id: app.client_id, [name]: value });
      expect([...answer.searchParams.keys()].sort()).toEqual(['code', 'iss']);
    },
  );

  test('also if it is repeated', async () => {
    const url = `${authorizeUrl(service.at, { client_id: app.client_id, prompt: 'consent', nonce: 'a' })}&nonce=b`;
    expect((await new Visitor(service.at).signIn(url, user)).text).toContain('name="decision"');
  });

  test('as AppAuth sends it, with all that its request builder knows', async () => {
    const redirect_uri = 'com.example.app:/oauth2redirect';
    const native = await registeredApp({ scopes: ['account.read'], redirect_uris: [redirect_uri], isPublic: true });
    const answer = await authorize(service.at, user, {
      redirect_uri,
      client_id: native.client_id,
      response_type: 'code',
      state: '6W1eyBRUyh9Fl9CVGoHQRQ',
      nonce: 'aIzfcIiGVbwOlGGoVVhiYw',
      scope: 'account.read offline_access',
      ...S256,
      display: 'page',
      login_hint: 'ada@example.com',
      prompt: 'consent',
      ui_locales: 'en',
      claims: '{}',
    });
    expect(Object.fromEntries(answer.searchParams)).toEqual({
      code: expect.any(String),
      state: '6W1eyBRUyh9Fl9CVGoHQRQ',
      iss: service.at.issuer,
    });
  });
});

test('a user who signed in earlier than max_age seconds ago signs in again, once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const visitor = new Visitor(service.at);
    await visitor.signIn(authorizeUrl(service.at, { client_id: app.client_id }), user);
    vi.setSystemTime(Date.now() + 3_600_000);
    const asked = (max_age: string) =>
      authorizeUrl(service.at, { client_id: app.client_id, prompt: 'consent', max_age });
    expect(scopesOf(await visitor.get(asked('7200')))).toEqual(SCOPES);
    expect(scopesOf(await visitor.signIn(asked('60'), user))).toEqual(SCOPES);
    expect(scopesOf(await visitor.get(asked('60')))).toEqual(SCOPES);
  } finally {
    vi.useRealTimers();
  }
});

test('offline_access asks for nothing, since every app gets a refresh token', async () => {
  const { client_id } = await registeredApp({ scopes: ['account.read', 'vehicles.read'] });
  for (const prompt of ['login', 'consent']) {
    expect(await consentTo({ client_id, scope: 'vehicles.read offline_access', prompt })).toEqual(['vehicles.read']);
    expect(await consentTo({ client_id, scope: 'offline_access', prompt })).toEqual(['account.read', 'vehicles.read']);
  }
});

describe('what is not offered', () => {
  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'unsupported_response_mode'],
    [{ response_mode: 'form_post' }, 'unsupported_response_mode'],
    [{ prompt: 'none' }, 'login_required'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ max_age: 'soon' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
  ])('%j: %s', async (params, error) => {
    const { back } = await ask(params as Record<string, string>);
    expect(back?.search || back?.hash.slice(1)).toContain(`error=${error}`);
  });
});
