import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

import { expect, test, vi } from 'vitest';

import { signIn } from '../../../auth/oauth/sign-in.ts';
import { SignInAttemptStore } from '../../../models/sign-in/sign-in-attempt.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { signInUser } from '../../hosts/oauth-host.ts';

useDatabase();

/** In the future, so that no attempt expires in the database while a test runs. */
const NOW = new Date('2100-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** Keys that an attempt with a wrong password derives, which is nearly all of its work: the size and the parameters of each. */
async function derivationsOf(email: string): Promise<unknown[]> {
  const derive = vi.spyOn(crypto, 'scrypt');
  syncBuiltinESMExports();
  try {
    await signIn(testService, { email, password: 'wrong', address: '192.0.2.1' });
    return derive.mock.calls.map(([, , length, options]) => [length, options]);
  } finally {
    derive.mockRestore();
    syncBuiltinESMExports();
  }
}

test.each([0, 2, 9])('an e-mail address takes as much work in %i accounts as in one', async (accounts) => {
  const { email } = await signInUser();
  const known = await derivationsOf(email);
  expect(known).toHaveLength(8);
  const other = `in-${accounts}@example.com`;
  for (let n = 0; n < accounts; n++) await signInUser(undefined, [], { email: other });
  expect(await derivationsOf(other)).toEqual(known);
});

test('who has failed in one network may sign in from another: nobody can lock out somebody else', async () => {
  const { email, password, key } = await signInUser();
  for (let failure = 0; failure < 10; failure++)
    await signIn(testService, { email, password: 'wrong', address: '192.0.2.1' }, NOW);
  expect(await signIn(testService, { email, password, address: '192.0.2.1' }, NOW)).toEqual({
    kind: 'locked',
    retryAfterSeconds: 600,
  });
  expect(await signIn(testService, { email, password, address: '192.0.3.1' }, NOW)).toMatchObject({
    kind: 'user',
    user_key: key,
  });
});

test('a lock ends ten minutes after the first failure, however often was asked since', async () => {
  const { email, password, key } = await signInUser();
  const attempt = (given: string, at: Date) =>
    signIn(testService, { email, password: given, address: '192.0.2.1' }, at);
  for (let failure = 0; failure < 10; failure++) await attempt('wrong', after(failure * 10));
  expect(await attempt(password, after(599))).toEqual({ kind: 'locked', retryAfterSeconds: 1 });
  expect(await attempt(password, after(600))).toMatchObject({ kind: 'user', user_key: key });
});

test('success forgets the failures before it', async () => {
  const { email, password } = await signInUser();
  const attempt = (given: string) => signIn(testService, { email, password: given, address: '192.0.2.1' }, NOW);
  for (let round = 0; round < 3; round++) {
    for (let failure = 0; failure < 9; failure++) expect((await attempt('wrong')).kind).toBe('wrong');
    expect((await attempt(password)).kind).toBe('user');
  }
});

test('what is kept of an attempt names nobody', async () => {
  const { email } = await signInUser();
  await signIn(testService, { email, password: 'wrong', address: '192.0.2.9' });
  const stored = JSON.stringify(await SignInAttemptStore.find(testService));
  expect(stored).not.toContain(email.toLowerCase());
  expect(stored).not.toContain('192.0.2.9');
});
