import { beforeEach, describe, expect, test } from 'vitest';

import { issueApiKey } from '../../../auth/api-keys.ts';
import { createGrant, findAccessToken, issueAccessToken } from '../../../auth/grants.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { UserStore } from '../../../models/account/user.ts';
import { useDatabase, testService } from '../../services/database.ts';
import {
  actionOf,
  alertOf,
  authorizeUrl,
  enter,
  formTokenOf,
  registeredApp,
  signInUser,
  useOauthHost,
  type Visit,
  Visitor,
} from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const NEW_PASSWORD = 'oats and barley, milk';

let user: Awaited<ReturnType<typeof signInUser>>;
let visitor: Visitor;
let page: Visit;
beforeEach(async () => {
  user = await signInUser();
  visitor = new Visitor(service.at, FIREFOX);
  page = await enter(service.at, visitor, '/security', user);
});

const at = (path = '') => `${service.at.issuer}/security${path}`;
const headingOf = ({ text }: Visit) => /<h1>([^<]*)/.exec(text)?.[1];
const isSignedIn = async (who: Visitor) => headingOf(await who.get(at())) === 'Security';
const send = (path: string, fields: Record<string, string>, from = page, who = visitor) =>
  who.post(at(path), { form_token: formTokenOf(from), ...fields });
const change = (fields: Record<string, string> = {}) =>
  send('/password', { current: user.password, password: NEW_PASSWORD, ...fields });

/** Another browser in which the user is signed in. */
async function elsewhere(): Promise<Visitor> {
  const other = new Visitor(service.at, SAFARI);
  await enter(service.at, other, '/security', user);
  return other;
}

async function tokenOfApp(name = 'Fuel log') {
  const { client_id } = await registeredApp({ scopes: ['account.read'], name });
  const grant = await createGrant(testService, { user_key: user.key, client_id, scopes: ['account.read'] });
  return { client_id, token: await issueAccessToken(testService, grant) };
}

describe('changing the password', () => {
  test('takes the new one from then on, and the old one no more', async () => {
    const answer = await change();
    expect([answer.url, answer.status]).toEqual([at('?done=password'), 200]);
    expect(answer.text).toContain('Your password has been changed.');
    const fresh = new Visitor(service.at);
    expect(alertOf(await enter(service.at, fresh, '/security', user))).toContain('password is wrong');
    expect(headingOf(await enter(service.at, fresh, '/security', { ...user, password: NEW_PASSWORD }))).toBe(
      'Security',
    );
  });

  test('signs out every other browser and goes on in this one, by a new session', async () => {
    const other = await elsewhere();
    const before = visitor.cookies.get('__Host-waybridge_session');
    await change();
    expect([await isSignedIn(visitor), await isSignedIn(other)]).toEqual([true, false]);
    expect(visitor.cookies.get('__Host-waybridge_session')).not.toBe(before);
    visitor.cookies.set('__Host-waybridge_session', before ?? '');
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test.each([
    [{}, true],
    [{ revoke_grants: 'yes' }, false],
  ])('with %j leaves apps what they may do: %j', async (fields, isLeft) => {
    const { token } = await tokenOfApp();
    await change(fields);
    expect((await findAccessToken(testService, token)) !== null).toBe(isLeft);
  });

  test.each([
    [{ current: 'wrong' }, 'The current password is wrong. Please try again.'],
    [{ password: 'short' }, 'Password must have at least 15 characters'],
    [{ password: 'passwordpassword' }, 'Password is too easy to guess'],
  ])('with %j is refused, and nothing changes', async (fields, message) => {
    const other = await elsewhere();
    const answer = await change(fields);
    expect([answer.status, alertOf(answer)]).toEqual([422, expect.stringContaining(message)]);
    expect(await isSignedIn(other)).toBe(true);
  });

  test('to the same password is refused', async () => {
    expect(alertOf(await change({ password: user.password }))).toBe('Password must differ from the current one.');
  });

  test('of those with the right password at the same time is done once', async () => {
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((word) => change({ password: `${NEW_PASSWORD} ${word}` })),
    );
    expect(answers.filter(({ url }) => url === at('?done=password'))).toHaveLength(1);
  });

  test('is refused by 429 after 10 wrong passwords, for this session alone', async () => {
    const other = await elsewhere();
    const theirs = await other.get(at());
    for (let failure = 1; failure <= 10; failure++) expect((await change({ current: 'wrong' })).status).toBe(422);
    expect((await change()).status).toBe(429);
    const fields = { current: user.password, password: NEW_PASSWORD };
    expect((await send('/password', fields, theirs, other)).url).toBe(at('?done=password'));
  });

  test('overtakes a sign-in with the old password that is under way: it makes no session', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'] });
    const late = new Visitor(service.at);
    const action = actionOf(await late.get(authorizeUrl(service.at, { client_id })));
    const answered = await service.at.fetch(action, {
      method: 'POST',
      headers: {
        cookie: late.cookieHeader(),
        origin: service.at.issuer,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ email: user.email, password: user.password }),
    });
    await change();
    const next = await late.get(answered.headers.get('location') ?? '');
    expect(headingOf(next)).toBe('Sign in');
    expect(await isSignedIn(late)).toBe(false);
  });
});

test('a password of before the rule still signs in', async () => {
  const old = await signInUser();
  const stored = 'scrypt$AAECAwQFBgcICQoLDA0ODw$JNPBiebTnQDTEMVFXuI7f1AOxSrZLEi9GDzzWKerWQw';
  await UserStore.updateOne(unrestricted(testService), { key: old.key }, { password_hash: stored });
  const answer = await enter(service.at, new Visitor(service.at), '/security', { email: old.email, password: 'flöur' });
  expect(headingOf(answer)).toBe('Security');
});

describe('sessions', () => {
  test('are listed with browser, network and last use, and none of another user', async () => {
    await elsewhere();
    const stranger = await signInUser();
    await enter(service.at, new Visitor(service.at, 'Mozilla/5.0 (Windows NT 10.0) Edg/1'), '/security', stranger);
    const { text } = await visitor.get(at());
    expect(
      [...text.matchAll(/<article class="entry" aria-label="([^"]+ on [^"]+)">/g)].map((one) => one[1]).sort(),
    ).toEqual(['Firefox on Linux', 'Safari on iPhone']);
    expect(text).toMatch(/Firefox on Linux <span class="badge">This browser/);
    expect(text).toContain('<dt>Network</dt><dd>127.0.0.0/24</dd>');
    expect(text).toMatch(/<dt>Last used<\/dt><dd><time datetime="20/);
  });

  test('one ends, and the others go on', async () => {
    const [other, third] = [await elsewhere(), await elsewhere()];
    const { text } = await other.get(at());
    const [, uid = ''] = /name="session" value="([^"]+)"/.exec(text) ?? [];
    await send('/end-session', { session: uid }, await other.get(at()), other);
    const signedIn = [await isSignedIn(visitor), await isSignedIn(other), await isSignedIn(third)];
    expect(signedIn.filter((is) => is)).toHaveLength(2);
    expect(signedIn[1]).toBe(true);
    const { client_id } = await registeredApp({ scopes: ['account.read'] });
    const ended = signedIn[0] ? third : visitor;
    expect(headingOf(await ended.get(authorizeUrl(service.at, { client_id })))).toBe('Sign in');
  });

  test('one of somebody else does not end', async () => {
    const stranger = await signInUser();
    const theirs = [new Visitor(service.at), new Visitor(service.at)] as const;
    for (const one of theirs) await enter(service.at, one, '/security', stranger);
    const uids = [...(await theirs[0].get(at())).text.matchAll(/name="session" value="([^"]+)"/g)].map((one) => one[1]);
    expect(uids).toHaveLength(1);
    await send('/end-session', { session: uids[0] ?? '' });
    expect(await isSignedIn(theirs[1])).toBe(true);
  });

  test('all end, this one too, at the developer platform and for apps as well', async () => {
    const other = await elsewhere();
    const answer = await send('/sign-out-everywhere', {});
    expect(headingOf(answer)).toBe('Sign in');
    const { client_id } = await registeredApp({ scopes: ['account.read'] });
    for (const one of [visitor, other]) {
      expect(headingOf(await one.get(at()))).toBe('Sign in');
      expect(headingOf(await one.get(`${service.at.issuer}/apps`))).toBe('Sign in');
      expect(headingOf(await one.get(authorizeUrl(service.at, { client_id })))).toBe('Sign in');
    }
  });
});

describe('apps and keys', () => {
  test('what apps may do is listed and taken back', async () => {
    const { client_id, token } = await tokenOfApp('Fuel log');
    expect((await visitor.get(at())).text).toContain('Revoke access of <bdi>Fuel log');
    const answer = await send('/revoke', { client_id });
    expect(answer.text).toContain('You have not allowed any app');
    expect(await findAccessToken(testService, token)).toBeNull();
  });

  test('the owner of an account sees its API keys, and revokes one', async () => {
    const account_key = await accountOf(user.key);
    const { key } = await issueApiKey(testService, account_key);
    expect((await visitor.get(at())).text).not.toContain(key);
    await AccountStore.updateOne(unrestricted(testService), { key: account_key }, { owner_key: user.key });
    expect((await send('/revoke-key', { key: 'other' })).text).toContain(`<h3><code>${key}</code></h3>`);
    expect((await send('/revoke-key', { key })).text).toContain(`<h3><code>${key}</code> <span class="badge">Revoked`);
  });

  test('nobody else revokes a key', async () => {
    const { key } = await issueApiKey(testService, await accountOf(user.key));
    expect((await send('/revoke-key', { key })).status).toBe(403);
  });
});

describe('the log on the page', () => {
  test('has a user’s own events, the newest first', async () => {
    await change({ current: 'wrong' });
    await change();
    const { text } = await visitor.get(at());
    const log = text.slice(text.indexOf('id="log"'));
    const events = [...log.matchAll(/<td>([A-Z][^<]*?)(?: <|<\/td>)/g)].map((one) => one[1]);
    expect(events.filter((event) => !event?.includes('network'))).toEqual(
      expect.arrayContaining(['Password changed', 'Sign-in failed', 'Signed in']),
    );
    expect(log.indexOf('Password changed')).toBeLessThan(log.indexOf('Signed in'));
    expect(log).toContain('Firefox on Linux, 127.0.0.0/24');
    expect(log).not.toContain('<th scope="col">User</th>');
  });

  test('says in which browser and network an app was allowed something', async () => {
    const { client_id } = await registeredApp({ scopes: ['account.read'] });
    const consent = await visitor.get(authorizeUrl(service.at, { client_id }));
    await visitor.post(actionOf(consent), { decision: 'allow', scope: 'account.read' });
    const { text } = await visitor.get(at());
    const rows = text.slice(text.indexOf('id="log"')).split('<tr');
    expect(rows.find((row) => row.includes('Route planner'))).toContain('Firefox on Linux, 127.0.0.0/24');
  });

  test('forgets a cursor that is not one', async () => {
    expect(headingOf(await visitor.get(at('?after=nope')))).toBe('Security');
  });
});

describe('forgery', () => {
  test.each(['/password', '/sign-out-everywhere', '/end-session', '/revoke', '/revoke-key', '/sign-out'])(
    'of %s, without the token of the session or from another site, does nothing',
    async (path) => {
      const fields = { current: user.password, password: NEW_PASSWORD };
      const token = formTokenOf(page);
      const answers = [
        await visitor.post(at(path), fields),
        await visitor.post(at(path), { ...fields, form_token: `${token}x` }),
        await visitor.post(at(path), { ...fields, form_token: token }, { origin: 'https://evil.example' }),
        await visitor.post(at(path), { ...fields, form_token: token }, { 'sec-fetch-site': 'cross-site' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(await isSignedIn(visitor)).toBe(true);
      expect((await new Visitor(service.at).post(at(path), fields)).text).toContain('<h1>Sign in</h1>');
    },
  );

  test('is no use in a frame, or by a script', () => {
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.text).not.toContain('<script');
  });
});

test('password managers find the way to the form', async () => {
  const answer = await service.at.fetch(`${service.at.issuer}/.well-known/change-password`);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${at()}#password`]);
});

async function accountOf(userKey: string): Promise<string> {
  const found = await UserStore.findOne(unrestricted(testService), { key: userKey });
  return found?.account_key ?? '';
}
