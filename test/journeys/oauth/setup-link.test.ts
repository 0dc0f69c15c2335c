import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { AccountStore } from '../../../models/account/account.ts';
import { ApiKeyStore } from '../../../models/account/api-key.ts';
import { DeletedRecordStore } from '../../../models/account/deleted-record.ts';
import { UserStore } from '../../../models/account/user.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { allStores } from '../../../models/store/plain-store.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { createAccount } from '../../../resolvers/account/create-account.ts';
import { removeAccount } from '../../../resolvers/account/remove-account.ts';
import { issueSetupLink } from '../../../resolvers/account/setup-link.ts';
import { account } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { alertOf, type OauthHost, oauthHost, signInUser, type Visit, Visitor } from '../../hosts/oauth-host.ts';

useDatabase();

const GIVEN = { name: 'Corner bakery', email: 'ada@example.com', password: 'oats and barley, milk' };
const SET_UP = [410, 'This service has an account'];
const EXPIRED = [410, 'This link has expired'];

/** Key of the account of the demonstration; null without one. */
const demo: { account: string | null } = { account: null };

let host: OauthHost;
beforeAll(async () => {
  host = await oauthHost(async (issuer) => [
    await oauthEndpoint(testService, issuer, undefined, async () => demo.account),
  ]);
});
afterAll(() => host.app.close());

let visitor: Visitor;
let code: string;
beforeEach(async () => {
  demo.account = null;
  for (const store of [AccountStore, UserStore, ApiKeyStore, DeletedRecordStore, OauthRecordStore])
    await store.driver(testService).deleteMany({});
  visitor = new Visitor(host);
  code = await issued();
});

const issue = () => issueSetupLink(testService, demo.account, host.issuer);
async function issued(): Promise<string> {
  const [page, fragment] = (await issue())?.link.split('#') ?? [];
  expect(page).toBe(`${host.issuer}/start`);
  return fragment ?? '';
}
const url = () => `${host.issuer}/start`;
const take = (fields: Record<string, string> = {}, headers: Record<string, string> = {}, by = visitor) =>
  by.post(url(), { code, ...GIVEN, ...fields }, headers);
const headingOf = ({ text }: Visit) => /<h1>([^<]*)/.exec(text)?.[1];
const outcomeOf = (visit: Visit) => [visit.status, headingOf(visit)];
const accounts = () => AccountStore.find(unrestricted(testService));

test('creates an account with its owner, who is signed in, and no key that nobody has seen', async () => {
  expect(outcomeOf(await visitor.get(url()))).toEqual([200, 'Create your account']);
  const first = await take();
  expect([first.status, first.url]).toEqual([200, `${host.issuer}/console`]);
  for (const shown of ['ada@example.com', 'Corner bakery']) expect(first.text).toContain(shown);
  const [made, ...others] = await accounts();
  expect(others).toEqual([]);
  const users = await UserStore.find(unrestricted(testService));
  expect(users).toMatchObject([{ key: made?.owner_key, email: 'ada@example.com', account_role: 'administrator' }]);
  expect(await ApiKeyStore.countDocuments(unrestricted(testService))).toBe(0);
});

test('works once, and none is issued or works once there is an account', async () => {
  await take();
  expect(outcomeOf(await new Visitor(host).get(url()))).toEqual(SET_UP);
  expect(outcomeOf(await take({ email: 'eve@example.com' }, {}, new Visitor(host)))).toEqual(SET_UP);
  expect(await issue()).toBeNull();
  expect(await accounts()).toHaveLength(1);
});

test('of many who use it at the same time one gets an account', async () => {
  const visitors = [1, 2, 3, 4].map(() => new Visitor(host));
  const visits = await Promise.all(visitors.map((by, at) => take({ email: `${at}@example.com` }, {}, by)));
  expect(visits.map(({ status }) => status).toSorted()).toEqual([200, 410, 410, 410]);
  expect(await accounts()).toHaveLength(1);
  expect(await UserStore.countDocuments(unrestricted(testService))).toBe(1);
});

test('a newer one ends it, also if several are made at the same time', async () => {
  const newer = await Promise.all([issued(), issued(), issued()]);
  expect(outcomeOf(await take())).toEqual(EXPIRED);
  const visits = await Promise.all(newer.map((one) => take({ code: one }, {}, new Visitor(host))));
  expect(visits.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
  expect(await accounts()).toHaveLength(1);
});

test('an account that the operator has added ends it, also when that is removed', async () => {
  const { account_key } = await createAccount(testService, { nickname: 'Bakery' });
  expect(outcomeOf(await take())).toEqual(SET_UP);
  await removeAccount(testService, account_key);
  expect(outcomeOf(await take())).toEqual(SET_UP);
  expect(await issue()).toBeNull();
});

test('the account of the demonstration does not count', async () => {
  demo.account = (await account()).key;
  await signInUser(demo.account);
  code = await issued();
  expect((await take()).status).toBe(200);
  expect(await accounts()).toHaveLength(2);
  expect(await issue()).toBeNull();
});

test('expires after an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 3_540_000);
  expect((await take({ password: 'short' })).status).toBe(422);
  vi.setSystemTime(Date.now() + 61_000);
  expect(outcomeOf(await take())).toEqual(EXPIRED);
  expect(await accounts()).toEqual([]);
});

test.each([
  [{ password: 'short' }, 'The password must have at least 15 characters'],
  [{ email: 'ada' }, 'The email must be an e-mail address'],
  [{ name: ' ' }, 'The name must have 1 to 255 characters'],
])('input that cannot be used leaves it good, and is not lost: %j', async (fields, fault) => {
  const answer = await take(fields);
  expect([answer.status, alertOf(answer)]).toEqual([422, expect.stringContaining(fault)]);
  for (const value of [code, { ...GIVEN, ...fields }.name, { ...GIVEN, ...fields }.email])
    expect(answer.text).toContain(`value="${value}"`);
  expect(answer.text).not.toContain('value="short"');
  expect(await accounts()).toEqual([]);
  expect((await take()).status).toBe(200);
});

test('who was signed in to the demonstration is signed in to the new account', async () => {
  demo.account = (await account()).key;
  await visitor.signIn(`${host.issuer}/security`, await signInUser(demo.account));
  const before = visitor.cookieHeader();
  code = await issued();
  expect((await take()).text).toContain('ada@example.com');
  const old = await host.fetch(`${host.issuer}/security`, { headers: { cookie: before } });
  expect(await old.text()).toContain('<h1>Sign in</h1>');
});

test.each<[string, Record<string, string>]>([
  ['another site', { origin: 'https://evil.example' }],
  ['a cross-site form', { 'sec-fetch-site': 'cross-site' }],
])('%s cannot use it', async (_, headers) => {
  expect((await take({}, headers)).status).toBe(403);
  expect(await accounts()).toEqual([]);
});

test.each(['', 'nope', 'x'.repeat(500), '%00'])('a code that was never issued is refused: %j', async (given) => {
  expect(outcomeOf(await take({ code: given }))).toEqual(EXPIRED);
  expect(await accounts()).toEqual([]);
});

test('the database holds nothing that opens it', async () => {
  const records = allStores().map((store) => store.driver(testService).find().toArray());
  expect(JSON.stringify(await Promise.all(records))).not.toContain(code);
});
