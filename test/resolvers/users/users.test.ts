import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { unrestricted } from '../../../models/store/tenancy.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { UserStore } from '../../../models/account/user.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { apiHost } from '../../hosts/api-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

let host: FastifyInstance;
let client: AccountClient;
beforeAll(async () => {
  host = await apiHost();
  client = await AccountClient.of(host);
});
afterAll(() => host.close());

async function ask(query: string, headers: Readonly<Record<string, string>>, variables: object = {}) {
  const payload = { query, variables };
  const response = await host.inject({
    method: 'POST',
    url: '/graphql',
    headers: { host: 'localhost', ...headers },
    payload,
  });
  return response.json();
}

const TAKEN = 'email is taken by another user of the account; give another address';

describe('GET /users', () => {
  test('lists the users of the account in order of creation, a hundred a page', async () => {
    const { key, headers } = await account();
    const made = [];
    for (let count = 0; count < 101; count++) made.push(await user(key));
    const first = (await client.get('/users', headers)).json();
    expect(first.users).toHaveLength(100);
    const last = (await client.get(`/users?cursor=${first.cursor}`, headers)).json();
    expect(last.users.map((one: { key: string }) => one.key)).toEqual(made.slice(99));
    expect(last).not.toHaveProperty('cursor');
  });

  test('answers every field, and groups where they are expanded', async () => {
    const { key, headers } = await account();
    const north = await group(key, 'North');
    const someone = await user(key, [north], {
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@list.example',
      account_role: 'driver',
      preferred_locale: 'en-GB',
    });
    const record = {
      key: someone,
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@list.example',
      account_role: 'driver',
      preferred_locale: 'en-GB',
      group_keys: [north.key],
      disabled: false,
      created: '2026-03-01 12:00:00',
      updated: null,
    };
    expect((await client.get(`/user/${someone}`, headers)).json()).toEqual(record);
    const groups = [{ key: north.key, name: 'North' }];
    expect((await client.get(`/user/${someone}?expand=groups`, headers)).json()).toEqual({ ...record, groups });
    const { users } = (await client.get('/users?expand=groups', headers)).json();
    expect(users[1]).toEqual({ ...record, groups });
  });

  test('shows a restricted user those of its groups, itself, and nobody else', async () => {
    const { key } = await account();
    const north = await group(key, 'North');
    const below = await group(key, 'Harbour', north);
    const south = await group(key, 'South');
    const own = await user(key, [north]);
    const colleague = await user(key, [below, south]);
    const others = [await user(key, [south]), await user(key)];
    const { headers } = await appFor(own, ['account.read']);
    const { users } = (await client.get('/users?expand=groups', headers)).json();
    expect(users.map((one: { key: string }) => one.key)).toEqual([own, colleague]);
    expect(users[1]).toMatchObject({ group_keys: [below.key], groups: [{ key: below.key, name: 'Harbour' }] });
    for (const other of others) {
      expect((await client.get(`/user/${other}`, headers)).statusCode).toBe(404);
      expect(await ask(`{ user(key: "${other}") { key } }`, headers)).toMatchObject({
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      });
    }
  });

  test('asks for the groups of all users by one query', async () => {
    const { key, headers } = await account();
    const groups = [await group(key, 'North'), await group(key, 'South')];
    for (const one of groups) await user(key, [one]);
    let answer = await ask('{ account { key } }', headers);
    const queries = await queriesDuring(async () => {
      answer = await ask('{ users { nodes { groups { name } } } }', headers);
    });
    expect(queries.filter(({ collection }) => collection === 'groups')).toHaveLength(1);
    expect(answer.data.users.nodes.slice(1)).toEqual([
      { groups: [{ name: 'North' }] },
      { groups: [{ name: 'South' }] },
    ]);
  });
});

describe('GET /user', () => {
  test.each(['administrator', 'viewer', 'driver'] as const)('shows a %s itself with user.read alone', async (role) => {
    const { key } = await account();
    const own = await user(key, [], { account_role: role });
    const { headers } = await appFor(own, ['user.read']);
    expect((await client.get('/user', headers)).json()).toMatchObject({ key: own, account_role: role });
    expect((await ask('{ me { key } }', headers)).data).toEqual({ me: { key: own } });
    expect((await client.get('/users', headers)).statusCode).toBe(403);
    expect((await client.get(`/user/${own}`, headers)).statusCode).toBe(403);
  });

  test('shows an API key the owner of the account', async () => {
    const { key, headers } = await account();
    const owner = await user(key);
    await AccountStore.updateOne(unrestricted(testService), { key }, { owner_key: owner });
    expect((await client.get('/user', headers)).json()).toMatchObject({ key: owner });
  });

  test('is forbidden to an app without user.read', async () => {
    const { key } = await account();
    const { headers } = await appFor(await user(key), ['account.read']);
    expect((await client.get('/user', headers)).statusCode).toBe(403);
  });
});

describe('POST /users', () => {
  test('adds a user, who is a viewer unless a role is given, and invites it', async () => {
    const { key, headers } = await account();
    const north = await group(key, 'North');
    const given = { first_name: ' Ada ', email: 'Ada@new.example', preferred_locale: 'de-de', group_keys: [north.key] };
    const response = await client.post('/users', given, headers);
    expect(response.statusCode).toBe(201);
    const made = response.json();
    expect(made).toMatchObject({
      first_name: 'Ada',
      last_name: null,
      email: 'Ada@new.example',
      account_role: 'viewer',
      preferred_locale: 'de-DE',
      group_keys: [north.key],
      invitation_url: expect.stringMatching(/^https:\/\/localhost\/security\/reset\?token=wb_reset_/),
    });
    const { invitation_url, ...record } = made;
    expect((await client.get(`/user/${made.key}`, headers)).json()).toEqual(record);
  });

  test('adds a user without e-mail address, whom nobody invites', async () => {
    const { headers } = await account();
    const response = await client.post('/users', { first_name: 'Ada', account_role: 'driver' }, headers);
    expect(response.json()).toMatchObject({ email: null, invitation_url: null, account_role: 'driver' });
    expect((await client.post(`/user/${response.json().key}/invite`, '', headers)).json()).toEqual({
      errors: 'key names a user without email',
    });
  });

  test.each([
    ['an e-mail address that is none', { email: 'ada' }, 'email must be an e-mail address such as ada@example.com'],
    ['another role', { account_role: 'king' }, 'account_role must be one of administrator, viewer, driver'],
    ['a locale that is none', { preferred_locale: 'x y' }, 'preferred_locale must be a language tag such as de-DE'],
    ['a name that is too long', { first_name: 'x'.repeat(256) }, 'first_name must have 1 to 255 characters'],
    ['groups that are no list', { group_keys: 'north' }, 'group_keys must be a list'],
    ['null for its groups', { group_keys: null }, 'group_keys must not be null'],
    [
      'a group that is none',
      { group_keys: ['north'] },
      'group_keys must be the key of a group of the account; "north" does not exist',
    ],
  ])('rejects %s with 400', async (_, body, errors) => {
    const { headers } = await account();
    const response = await client.post('/users', body, headers);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });

  test('rejects the e-mail address of another user of the account, and tells nothing of other accounts', async () => {
    const [one, other] = [await account(), await account()];
    await client.post('/users', { email: 'bob@taken.example' }, one.headers);
    const response = await client.post('/users', { email: 'BOB@taken.example' }, one.headers);
    expect(response.json()).toEqual({ errors: TAKEN });
    const answers = await Promise.all(
      ['BOB@taken.example', 'bob@free.example'].map((email) => client.post('/users', { email }, other.headers)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    const { key } = answers[1]?.json() ?? {};
    const second = await client.post('/users', { email: 'bob@third.example' }, one.headers);
    const changed = await client.post(`/user/${key}`, { email: 'bob@third.example' }, other.headers);
    expect([second.statusCode, changed.statusCode]).toEqual([201, 200]);
  });

  test('makes one user of simultaneous requests with one e-mail address, in any case', async () => {
    const { headers } = await account();
    const emails = ['eve@one.example', 'EVE@one.example', 'Eve@ONE.example', 'eve@One.Example'];
    const answers = await Promise.all(emails.map((email) => client.post('/users', { email }, headers)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 400, 400, 400]);
  });
});

describe('POST /user/{key}', () => {
  test('changes the fields given and no others; null clears a name', async () => {
    const { key, headers } = await account();
    const someone = await user(key, [], { first_name: 'Ada', last_name: 'Byron', account_role: 'viewer' });
    const before = (await client.get(`/user/${someone}`, headers)).json();
    expect((await client.post(`/user/${someone}`, {}, headers)).json()).toEqual(before);
    const change = { first_name: null, account_role: 'driver', email: 'ada@change.example', key: 'mine' };
    const response = await client.post(`/user/${someone}`, change, headers);
    expect(response.json()).toMatchObject({
      key: someone,
      first_name: null,
      last_name: 'Byron',
      account_role: 'driver',
      email: 'ada@change.example',
      updated: expect.any(String),
    });
    expect((await client.get(`/user/${someone}`, headers)).json()).toEqual(response.json());
  });

  test('does not know users of other accounts', async () => {
    const other = await user((await account()).key);
    const { headers } = await account();
    expect((await client.post(`/user/${other}`, { first_name: 'Eve' }, headers)).statusCode).toBe(404);
  });

  test('does not give a user the e-mail address of another', async () => {
    const { key, headers } = await account();
    await client.post('/users', { email: 'cora@change.example' }, headers);
    const someone = await user(key);
    const response = await client.post(`/user/${someone}`, { email: 'cora@change.example' }, headers);
    expect(response.json()).toEqual({ errors: TAKEN });
  });
});

test('a changed e-mail address ends the invitation that was sent to the one before', async () => {
  const { headers } = await account();
  const made = (await client.post('/users', { email: 'dora@old.example' }, headers)).json();
  await client.post(`/user/${made.key}`, { email: 'dora@new.example' }, headers);
  const stored = await UserStore.findOne(unrestricted(testService), { key: made.key });
  expect(stored).toMatchObject({ email_folded: 'dora@new.example', reset_hash: null });
});
