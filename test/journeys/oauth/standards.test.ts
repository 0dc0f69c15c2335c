import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { newSecret } from '../../../auth/secrets/secrets.ts';
import { useDatabase } from '../../services/database.ts';
import {
  actionOf,
  authorizeUrl,
  enter,
  registeredApp,
  signInUser,
  useOauthHost,
  Visitor,
} from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

let app: Awaited<ReturnType<typeof registeredApp>>;
let user: Awaited<ReturnType<typeof signInUser>>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  app = await registeredApp({ scopes: ['account.read'] });
  user = await signInUser();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('RFC 9700', () => {
  test('2.5: a client secret has 256 random bits', () => {
    const secrets = Array.from({ length: 100 }, () => newSecret('wb_secret_'));
    expect(app.client_secret).toMatch(/^wb_secret_[\w-]{43}$/);
    expect(new Set(secrets.map((secret) => Buffer.from(secret.slice(10), 'base64url').toString('hex'))).size).toBe(100);
    expect(Buffer.from(app.client_secret.slice(10), 'base64url')).toHaveLength(32);
  });

  test('2.6: no page may read the authorization endpoint', async () => {
    const url = authorizeUrl(service.at, { client_id: app.client_id });
    const answer = await service.at.fetch(url, { headers: { origin: 'https://evil.example' } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('4.12: a form with a password is never sent on: its answer redirects by 303', async () => {
    const visitor = new Visitor(service.at);
    const action = actionOf(await visitor.get(authorizeUrl(service.at, { client_id: app.client_id })));
    const answer = await service.at.fetch(action, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: service.at.issuer,
        cookie: visitor.cookieHeader(),
      },
      body: new URLSearchParams({ email: user.email, password: user.password }).toString(),
    });
    expect(answer.status).toBe(303);
  });
});

describe('NIST SP 800-63B-4', () => {
  test('5.2: a session ends after twelve hours', async () => {
    const visitor = new Visitor(service.at);
    await enter(service.at, visitor, '/security', user);
    const isSignedIn = async () => (await visitor.get(`${service.at.issuer}/security`)).text.includes('<h1>Security<');
    vi.setSystemTime(Date.now() + 12 * 3_600_000 - 60_000);
    expect(await isSignedIn()).toBe(true);
    vi.setSystemTime(Date.now() + 120_000);
    expect(await isSignedIn()).toBe(false);
  });
});
