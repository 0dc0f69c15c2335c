import { describe, expect, test } from 'vitest';

import { type SignInForm, signIn } from '../../../auth/oauth/sign-in.ts';
import { announceAttempt, signInLimits } from '../../../auth/oauth/sign-in-attempts.ts';
import { networkOf } from '../../../auth/network-of.ts';
import { issueResetLink, resetPassword } from '../../../auth/passwords/reset-link.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { signInUser } from '../../hosts/oauth-host.ts';

useDatabase();

/** In the future, so that no attempt expires in the database while a test runs. */
const NOW = new Date('2100-03-01T12:00:00Z');
const HOUR = 3_600_000;

/** Announces attempts that fail, without the work of looking at a password. */
async function fail(times: number, email: string, address: string, at = NOW): Promise<string[]> {
  const limits = signInLimits({ email: email.toLowerCase(), network: networkOf(address), knownBrowser: null });
  const kinds: string[] = [];
  for (let time = 0; time < times; time++) kinds.push((await announceAttempt(testService, limits, at)).kind);
  return kinds;
}

/** Signs in, and answers what the browser sends next time. */
async function cookieOf(form: Omit<SignInForm, 'address'>): Promise<string> {
  const outcome = await signIn(testService, { ...form, address: '198.51.100.1' }, NOW);
  if (outcome.kind !== 'user') throw new Error(`The sign-in is ${outcome.kind}`);
  return outcome.cookie.split(';')[0] ?? '';
}

describe('one account', () => {
  test('is guarded against many networks: 100 failures a day', async () => {
    const { email, password } = await signInUser();
    for (let network = 0; network < 10; network++) {
      expect(await fail(10, email, `192.0.${network}.7`)).toEqual(Array(10).fill('open'));
    }
    expect(await signIn(testService, { email, password, address: '203.0.113.1' }, NOW)).toEqual({
      kind: 'locked',
      retryAfterSeconds: 86_400,
    });
    const later = new Date(NOW.getTime() + 24 * HOUR);
    expect(await signIn(testService, { email, password, address: '203.0.113.1' }, later)).toMatchObject({
      kind: 'user',
    });
  });

  test('cannot be used up by one network: 30 failures a day', async () => {
    const { email, password } = await signInUser();
    const kinds: string[] = [];
    for (let hour = 0; hour < 12; hour++) {
      kinds.push(...(await fail(11, email, '192.0.2.7', new Date(NOW.getTime() + hour * HOUR))));
    }
    expect(kinds.filter((kind) => kind === 'open')).toHaveLength(30);
    const at = new Date(NOW.getTime() + 12 * HOUR);
    expect(await signIn(testService, { email, password, address: '203.0.113.1' }, at)).toMatchObject({ kind: 'user' });
  });

  test('is open to a browser in which its user has signed in before, whatever strangers do', async () => {
    const { email, password } = await signInUser();
    const cookies = await cookieOf({ email, password });
    for (let network = 0; network < 10; network++) await fail(10, email, `192.1.${network}.7`);
    await fail(10, email, '198.51.100.1');
    const form = { email, password, address: '198.51.100.1' };
    expect(await signIn(testService, form, NOW)).toMatchObject({ kind: 'locked' });
    expect(await signIn(testService, { ...form, cookies }, NOW)).toMatchObject({ kind: 'user' });
  });

  test('is not open to a browser in which somebody else has signed in, or to a cookie that was made up', async () => {
    const [victim, attacker] = [await signInUser(), await signInUser()];
    const cookies = await cookieOf(attacker);
    await fail(10, victim.email, '198.51.100.1');
    const form = { email: victim.email, password: victim.password, address: '198.51.100.1' };
    for (const given of [cookies, '__Host-waybridge_browser=made-up', '__Host-waybridge_browser=']) {
      expect(await signIn(testService, { ...form, cookies: given }, NOW)).toMatchObject({ kind: 'locked' });
    }
  });

  test('limits a known browser by itself: 10 failures in 10 minutes', async () => {
    const { email, password } = await signInUser();
    const cookies = await cookieOf({ email, password });
    const attempt = (given: string) =>
      signIn(testService, { email, password: given, address: '198.51.100.1', cookies }, NOW);
    for (let failure = 0; failure < 10; failure++) expect((await attempt('wrong')).kind).toBe('wrong');
    expect(await attempt(password)).toEqual({ kind: 'locked', retryAfterSeconds: 600 });
    expect(await signIn(testService, { email, password, address: '198.51.100.1' }, NOW)).toMatchObject({
      kind: 'user',
    });
  });

  test('opens again to its user by a reset link', async () => {
    const { email, key } = await signInUser();
    for (let network = 0; network < 10; network++) await fail(10, email, `192.2.${network}.7`);
    const password = 'oats and barley, milk';
    const { token } = await issueResetLink(testService, key, NOW);
    const client = { address: '198.51.100.9' };
    const cookie = await resetPassword(testService, { token, password, revokesGrants: false }, client, NOW);
    expect(cookie).toMatch(/^__Host-waybridge_browser=[\w-]{43}; Path=\/; .*Secure; HttpOnly; SameSite=Lax$/);
    const cookies = cookie?.split(';')[0];
    for (let network = 0; network < 10; network++) await fail(10, email, `192.3.${network}.7`);
    expect(await signIn(testService, { email, password, ...client, cookies }, NOW)).toMatchObject({ kind: 'user' });
  });
});

describe('one network', () => {
  test.each([
    ['an IPv4 /24', (n: number) => `198.18.2.${n % 250}`, '198.18.3.1'],
    ['an IPv6 /64', (n: number) => `2001:db8:0:1::${n.toString(16)}`, '2001:db8:0:2::1'],
    ['IPv4 written as IPv6', (n: number) => `::ffff:203.0.113.${n % 250}`, '::ffff:203.0.114.1'],
  ])('%s is stopped after 100 failures in an hour, whatever accounts it tries', async (_, addressOf, elsewhere) => {
    const { email, password } = await signInUser();
    for (let n = 0; n < 100; n++) expect(await fail(1, `user-${n}-${email}`, addressOf(n))).toEqual(['open']);
    const locked = await signIn(testService, { email, password, address: addressOf(7) }, NOW);
    expect(locked).toEqual({ kind: 'locked', retryAfterSeconds: 3600 });
    expect(await signIn(testService, { email, password, address: elsewhere }, NOW)).toMatchObject({ kind: 'user' });
    const later = new Date(NOW.getTime() + HOUR);
    expect(await signIn(testService, { email, password, address: addressOf(7) }, later)).toMatchObject({
      kind: 'user',
    });
  });

  test('is not cleared by signing in with another account', async () => {
    const own = await signInUser();
    for (let n = 0; n < 99; n++) await fail(1, `victim-${n}@example.com`, '192.4.2.1');
    expect(await signIn(testService, { ...own, address: '192.4.2.1' }, NOW)).toMatchObject({ kind: 'user' });
    expect(await fail(2, 'victim@example.com', '192.4.2.1')).toEqual(['open', 'locked']);
  });

  test('does not count those who sign in', async () => {
    const own = await signInUser();
    const limits = signInLimits({ email: own.email, network: '192.5.2.0/24', knownBrowser: null });
    for (let time = 0; time < 120; time++) {
      const attempt = await announceAttempt(testService, limits, NOW);
      if (attempt.kind === 'open') await attempt.succeed();
      expect(attempt.kind).toBe('open');
    }
  });
});

test('an attempt that one limit refuses counts in none', async () => {
  const email = 'pia@example.com';
  expect(await fail(40, email, '192.6.2.1')).toEqual([...Array(10).fill('open'), ...Array(30).fill('locked')]);
  for (let network = 3; network < 12; network++) await fail(10, email, `192.6.${network}.1`);
  const { length } = (await fail(1, email, '192.6.99.1')).filter((kind) => kind === 'open');
  expect(length).toBe(0);
  expect(await fail(1, 'mia@example.com', '192.6.2.1')).toEqual(['open']);
});
