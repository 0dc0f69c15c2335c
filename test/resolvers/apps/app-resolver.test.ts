import type { GraphQLSchema } from 'graphql';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import type { Caller } from '../../../auth/caller.ts';
import { findAccessToken } from '../../../auth/grants.ts';
import { approveApp } from '../../../resolvers/apps/app-resolver.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { askSchema } from '../../fixtures/ask-schema.ts';
import { account, appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await gatewaySchema();
});

const ownerOf = (account_key: string): Caller => ({ kind: 'owner', account_key, plan: 'premium' });

async function ask(caller: Caller, source: string, variableValues: Record<string, unknown> = {}) {
  const { data, errors } = await askSchema(schema, caller, source, variableValues);
  return { data: data && JSON.parse(JSON.stringify(data)), code: errors?.[0]?.extensions.code };
}

const REGISTER = `mutation { registerApp(input: { name: "Planner", redirect_uris: ["https://a.example/cb"] }) { client_id client_secret } }`;
const ROTATE = 'mutation ($id: String!) { rotateAppSecret(client_id: $id) { client_secret } }';
const DELETE = 'mutation ($id: String!) { deleteApp(client_id: $id) }';
const UPDATE = `mutation ($id: String!, $input: AppUpdateInput!) {
  updateApp(client_id: $id, input: $input) { name redirect_uris requires_pkce reviewed }
}`;
const REVOKE = 'mutation ($key: String!) { revokeAppGrant(key: $key) }';

test('an owner registers an app, sees it without its secret, replaces that, and deletes it', async () => {
  const owner = ownerOf((await account()).key);
  const { client_id: id, client_secret } = (await ask(owner, REGISTER)).data.registerApp;
  expect(client_secret).toMatch(/^wb_secret_/);
  expect((await ask(owner, '{ apps { nodes { client_id name is_public scopes } } }')).data.apps.nodes).toEqual([
    { client_id: id, name: 'Planner', is_public: false, scopes: expect.arrayContaining(['account.read']) },
  ]);
  expect((await ask(owner, ROTATE, { id })).data.rotateAppSecret.client_secret).not.toBe(client_secret);
  expect((await ask(owner, DELETE, { id })).data.deleteApp).toBe(id);
  expect((await ask(owner, '{ apps { nodes { client_id } } }')).data.apps.nodes).toEqual([]);
});

test('an owner changes an app; another name or a further address ends its review, until it is reviewed again', async () => {
  const { key } = await account();
  const [owner, operator]: [Caller, Caller] = [ownerOf(key), { kind: 'operator', account_key: key }];
  const { client_id: id } = (await ask(owner, REGISTER)).data.registerApp;
  const update = async (input: object, caller = owner) => (await ask(caller, UPDATE, { id, input })).data.updateApp;
  const [cb, other] = ['https://a.example/cb', 'https://b.example/cb'];
  const reviewed = expect.any(String);
  for (const [input, expected] of [
    [{ redirect_uris: [cb, other] }, { name: 'Planner', redirect_uris: [cb, other], reviewed: null }],
    [
      { name: ' Planner ', redirect_uris: [other] },
      { name: 'Planner', redirect_uris: [other], reviewed },
    ],
    [{ requires_pkce: false }, { requires_pkce: false, reviewed }],
    [
      { name: 'Route planner' },
      { name: 'Route planner', redirect_uris: [other], requires_pkce: false, reviewed: null },
    ],
  ]) {
    await approveApp(testService, id, []);
    expect(await update(input ?? {})).toMatchObject(expected ?? {});
  }
  await approveApp(testService, id, []);
  expect(await update({ name: 'Fuel log', redirect_uris: [cb] }, operator)).toMatchObject({ reviewed });
  for (const input of [
    { redirect_uris: [] },
    { redirect_uris: ['http://a.example'] },
    { name: 'Waybridge' },
    { name: null },
  ]) {
    expect((await ask(owner, UPDATE, { id, input })).code).toBe('BAD_REQUEST');
  }
  expect(await update({})).toMatchObject({ name: 'Fuel log', redirect_uris: [cb], reviewed });
});

test('an account registers 30 apps an hour, counted before they are looked at, and deleting some makes no room', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 1, 12, 10) });
  onTestFinished(() => void vi.useRealTimers());
  const [owner, other] = [ownerOf((await account()).key), ownerOf((await account()).key)];
  const registered = await Promise.all(Array.from({ length: 35 }, () => ask(owner, REGISTER)));
  expect(registered.filter(({ code }) => code === 'TOO_MANY_REQUESTS')).toHaveLength(5);
  const id = registered.find(({ data }) => data)?.data.registerApp.client_id;
  await ask(owner, DELETE, { id });
  expect((await ask(owner, REGISTER)).code).toBe('TOO_MANY_REQUESTS');
  expect((await ask(other, REGISTER)).code).toBeUndefined();
  vi.setSystemTime(Date.UTC(2026, 2, 1, 13));
  expect((await ask(owner, REGISTER)).code).toBeUndefined();
});

test('an owner sees what its users have allowed, and revokes it', async () => {
  const { key } = await account();
  const app = await appFor(await user(key), ['account.read']);
  const listed = (await ask(ownerOf(key), '{ appGrants { nodes { key app_name scopes } } }')).data.appGrants.nodes;
  expect(listed).toEqual([{ key: app.grant.grant_hash, app_name: 'Route planner', scopes: ['account.read'] }]);
  await ask(ownerOf(key), REVOKE, { key: app.grant.grant_hash });
  expect(await findAccessToken(testService, app.access_token)).toBeNull();
});

test('what belongs to another account is as though it were not there', async () => {
  const { key } = await account();
  const app = await appFor(await user(key), ['account.read']);
  const stranger = ownerOf((await account()).key);
  for (const [operation, variables] of [
    [ROTATE, { id: app.client_id }],
    [DELETE, { id: app.client_id }],
    [UPDATE, { id: app.client_id, input: { name: 'Mine' } }],
    [REVOKE, { key: app.grant.grant_hash }],
  ] as const) {
    expect((await ask(stranger, operation, variables)).code).toBe('NOT_FOUND');
  }
  expect(await findAccessToken(testService, app.access_token)).not.toBeNull();
});

test('no app manages apps, whatever its scopes are', async () => {
  const { key } = await account();
  const { access_token } = await appFor(await user(key), ['account.read', 'account.manage', 'user.read']);
  const app = await findAccessToken(testService, access_token);
  if (!app) throw new Error('The token must be good');
  for (const operation of [REGISTER, '{ apps { nodes { client_id } } }', '{ appGrants { nodes { key } } }']) {
    expect((await ask(app, operation)).code).toBe('FORBIDDEN');
  }
});
