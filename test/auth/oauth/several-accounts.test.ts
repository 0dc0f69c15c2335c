import { beforeAll, expect, test } from 'vitest';

import { hashPassword } from '../../../auth/secrets/passwords.ts';
import { chooseAccount, signIn, type SignInOutcome } from '../../../auth/oauth/sign-in.ts';
import { announceAttempt, guessLimits } from '../../../auth/oauth/sign-in-attempts.ts';
import { SecurityEventStore } from '../../../models/account/security-event.ts';
import { UserStore } from '../../../models/account/user.ts';
import { newKey } from '../../../models/key.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { disableUser } from '../../../resolvers/users/manage-user.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { signInUser } from '../../hosts/oauth-host.ts';

useDatabase();

/** In the future, so that no attempt expires in the database while a test runs. */
const NOW = new Date('2100-03-01T12:00:00Z');

const OTHER = 'rye bread at dawn';
let otherHash: string;
beforeAll(async () => {
  otherHash = await hashPassword(OTHER);
});

/** A user of an account of its own, with the password of all users or with another. */
async function member(email: string, nickname = 'Bakery', password_hash?: string) {
  const { key: account_key } = await account({ nickname });
  const user = await signInUser(account_key, [], { email });
  if (password_hash !== undefined) {
    await UserStore.updateOne(unrestricted(testService), { key: user.key }, { password_hash });
  }
  return { ...user, account_key };
}

const newEmail = () => `person-${newKey()}@example.com`.toLowerCase();

const attempt = (email: string, password: string, cookies?: string) =>
  signIn(testService, { email, password, address: '192.0.2.1', cookies }, NOW);

function cookieOf(outcome: SignInOutcome): string | undefined {
  return outcome.kind === 'user' ? outcome.cookie.split(';')[0] : undefined;
}

function choiceOf(outcome: SignInOutcome) {
  if (outcome.kind !== 'choice') throw new Error(`The sign-in is ${outcome.kind}`);
  return outcome;
}

test('a password that fits in one account leads straight to it', async () => {
  const email = newEmail();
  const [one, two] = [await member(email), await member(email, 'Mill', otherHash)];
  expect(await attempt(email, one.password)).toMatchObject({ kind: 'user', user_key: one.key });
  expect(await attempt(email, OTHER)).toMatchObject({ kind: 'user', user_key: two.key });
  expect(await attempt(email, 'wrong')).toEqual({ kind: 'wrong' });
});

test('of a password that fits in several, these are offered, and one is chosen, once', async () => {
  const email = newEmail();
  const [one, two] = [await member(email, 'Bakery'), await member(email, 'Mill')];
  await member(email, 'Stranger', otherHash);
  const outcome = choiceOf(await attempt(email, one.password));
  expect(outcome.accounts).toEqual([
    { user_key: one.key, nickname: 'Bakery', role: 'administrator' },
    { user_key: two.key, nickname: 'Mill', role: 'administrator' },
  ]);
  const choose = () =>
    chooseAccount(testService, { choice: outcome.choice, user_key: two.key }, { address: '192.0.2.1' }, NOW);
  expect(await choose()).toMatchObject({ kind: 'user', user_key: two.key, session_version: 0 });
  expect(await choose()).toEqual({ kind: 'expired' });
  const signedIn = (key: string) =>
    SecurityEventStore.countDocuments(accountAccessScope(testService, key), { kind: 'signed_in' });
  expect(await Promise.all([one, two].map(({ account_key }) => signedIn(account_key)))).toEqual([0, 1]);
});

test('nothing is chosen that was not offered, after ten minutes, or by a user who was disabled meanwhile', async () => {
  const email = newEmail();
  const [one, two] = [await member(email), await member(email)];
  const other = await member(email, 'Stranger', otherHash);
  const choose = async (user_key: string, at = NOW) => {
    const { choice } = choiceOf(await attempt(email, one.password));
    return chooseAccount(testService, { choice, user_key }, { address: '192.0.2.1' }, at);
  };
  expect(await choose(other.key)).toEqual({ kind: 'expired' });
  expect(await choose(two.key, new Date(NOW.getTime() + 600_001))).toEqual({ kind: 'expired' });
  const { choice } = choiceOf(await attempt(email, one.password));
  await disableUser(testService, two.key);
  const chosen = await chooseAccount(testService, { choice, user_key: two.key }, { address: '192.0.2.1' }, NOW);
  expect(chosen).toEqual({ kind: 'expired' });
});

test('users without a password and disabled users are not offered', async () => {
  const email = newEmail();
  const [one, two, three] = [await member(email), await member(email), await member(email)];
  await disableUser(testService, two.key);
  await UserStore.updateOne(unrestricted(testService), { key: three.key }, { password_hash: null });
  expect(await attempt(email, one.password)).toMatchObject({ kind: 'user', user_key: one.key });
});

test('of more than eight accounts the oldest are tried, but first those in which the browser is known', async () => {
  const email = newEmail();
  const last = await member(email, 'Last', otherHash);
  const cookies = cookieOf(await attempt(email, OTHER));
  const all = [];
  for (let n = 0; n < 8; n++) all.push(await member(email));
  // The last one, by the time of its making.
  const stored = await UserStore.findOneAndDelete(unrestricted(testService), { key: last.key });
  const { _id, ...user } = stored ?? { _id: null };
  await UserStore.create(unrestricted(testService), user);
  expect(await attempt(email, OTHER)).toEqual({ kind: 'wrong' });
  expect(await attempt(email, OTHER, cookies)).toMatchObject({ kind: 'user', user_key: last.key });
  expect(choiceOf(await attempt(email, all[0]?.password ?? '')).accounts).toHaveLength(8);
});

test('who has a user of the address in an account of theirs gets no more guesses at that of another', async () => {
  const email = newEmail();
  const [victim, attacker] = [await member(email), await member(email, 'Attacker', otherHash)];
  const cookies = cookieOf(await attempt(email, victim.password));
  for (let guess = 0; guess < 98; guess++) await announceAttempt(testService, guessLimits(victim.key), NOW);
  // Signing in clears what counts for the address, but not the guess at the other user's password.
  for (let guess = 0; guess < 3; guess++) {
    expect(await attempt(email, OTHER)).toMatchObject({ kind: 'user', user_key: attacker.key });
  }
  expect(await attempt(email, victim.password)).toMatchObject({ kind: 'locked' });
  expect(await attempt(email, victim.password, cookies)).toMatchObject({ kind: 'user', user_key: victim.key });
});

test.each([0, 1, 2])('a stranger meets the same limits for an address in %i accounts', async (accounts) => {
  const email = newEmail();
  for (let n = 0; n < accounts; n++) await member(email);
  const kinds: string[] = [];
  for (let failure = 0; failure < 11; failure++) kinds.push((await attempt(email, 'wrong')).kind);
  expect(kinds).toEqual([...Array(10).fill('wrong'), 'locked']);
});

test('the log of an account says nothing of what a person does for another account', async () => {
  const email = newEmail();
  const [one, two] = [await member(email), await member(email, 'Mill', otherHash)];
  const cookies = cookieOf(await attempt(email, one.password));
  await attempt(email, 'mistyped', cookies);
  const events = ({ account_key }: typeof one) =>
    SecurityEventStore.distinct(accountAccessScope(testService, account_key), 'kind', {
      kind: { $ne: 'api_key_created' },
    });
  expect((await events(one)).toSorted()).toEqual(['sign_in_failed', 'signed_in']);
  expect(await events(two)).toEqual([]);
  await attempt(email, 'mistyped');
  expect(await events(two)).toEqual(['sign_in_failed']);
});
