import { beforeEach, expect, test, vi } from 'vitest';

import { disableUser } from '../../../resolvers/users/manage-user.ts';
import { issueResetLink } from '../../../auth/passwords/reset-link.ts';
import { setPassword } from '../../../auth/passwords/set-password.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { alertOf, enter, signInUser, useOauthHost, type Visit, Visitor } from '../../hosts/oauth-host.ts';
import { allStores } from '../../../models/store/plain-store.ts';

useDatabase();
const service = useOauthHost();

const NEW_PASSWORD = 'oats and barley, milk';

let user: Awaited<ReturnType<typeof signInUser>>;
let visitor: Visitor;
let token: string;
beforeEach(async () => {
  user = await signInUser();
  visitor = new Visitor(service.at);
  token = (await issueResetLink(testService, user.key)).token;
});

const url = () => `${service.at.issuer}/security/reset`;
const open = (given = token) => visitor.get(`${url()}?token=${given}`);
const reset = (fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  visitor.post(url(), { token, password: NEW_PASSWORD, ...fields }, headers);
const headingOf = ({ text }: Visit) => /<h1>([^<]*)/.exec(text)?.[1];
const EXPIRED = [410, 'This link has expired'];
const outcomeOf = (visit: Visit) => [visit.status, headingOf(visit)];

test('a reset link asks for a new password, and looking at it does not use it up', async () => {
  for (let look = 0; look < 3; look++) expect(outcomeOf(await open())).toEqual([200, 'Set a new password']);
  const { text } = await open();
  expect(text).toContain(user.email);
  expect(text).toContain('to sign in to <bdi class="name">Bakery</bdi>');
  expect(outcomeOf(await reset())).toEqual([200, 'Your password has been changed']);
  expect(headingOf(await enter(service.at, visitor, '/security', { ...user, password: NEW_PASSWORD }))).toBe(
    'Security',
  );
});

test('it works once', async () => {
  await reset();
  expect(outcomeOf(await open())).toEqual(EXPIRED);
  expect(outcomeOf(await reset({ password: `${NEW_PASSWORD}, eggs` }))).toEqual(EXPIRED);
});

test('of many who use it at the same time one gets through', async () => {
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((word) => reset({ password: `${NEW_PASSWORD} ${word}` })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
});

test('a newer one ends it', async () => {
  const newer = await issueResetLink(testService, user.key);
  expect(outcomeOf(await reset())).toEqual(EXPIRED);
  expect(outcomeOf(await reset({ token: newer.token }))[0]).toBe(200);
});

test('a change of the password ends it', async () => {
  await setPassword(testService, { user: user.key, password: NEW_PASSWORD, revokesGrants: false });
  expect(outcomeOf(await open())).toEqual(EXPIRED);
});

test('disabling the user ends it', async () => {
  await disableUser(testService, user.key);
  expect(outcomeOf(await reset())).toEqual(EXPIRED);
});

test('it expires after an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime(Date.now() + 3_540_000);
    expect((await open()).status).toBe(200);
    vi.setSystemTime(Date.now() + 61_000);
    expect(outcomeOf(await reset())).toEqual(EXPIRED);
  } finally {
    vi.useRealTimers();
  }
});

test('a password that cannot be set leaves it good', async () => {
  const answer = await reset({ password: 'short' });
  expect([answer.status, alertOf(answer)]).toEqual([422, expect.stringContaining('must have at least 15 characters')]);
  expect(answer.text).not.toContain('value="short"');
  expect((await reset()).status).toBe(200);
});

test('it signs out every browser', async () => {
  const other = new Visitor(service.at);
  await enter(service.at, other, '/security', user);
  await reset();
  expect(headingOf(await other.get(`${service.at.issuer}/security`))).toBe('Sign in');
});

test('the database holds nothing that opens it', async () => {
  const records = allStores().map((store) => store.driver(testService).find().toArray());
  expect(JSON.stringify(await Promise.all(records))).not.toContain(token);
});

test.each<[string, Record<string, string>]>([
  ['another site', { origin: 'https://evil.example' }],
  ['a cross-site form', { 'sec-fetch-site': 'cross-site' }],
])('%s cannot use it', async (_, headers) => {
  expect((await reset({}, headers)).status).toBe(403);
  expect((await open()).status).toBe(200);
});

test.each(['', 'nope', 'x'.repeat(500), '%00'])('a token that was never issued is refused: %j', async (given) => {
  expect(outcomeOf(await open(given))).toEqual(EXPIRED);
});

test('it has no use for a user who cannot sign in', async () => {
  await disableUser(testService, user.key);
  await expect(issueResetLink(testService, user.key)).rejects.toThrow('user is disabled; run user enable first');
});
