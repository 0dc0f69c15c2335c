import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { clearSigningKeys } from '../../../auth/signing-keys.ts';
import { TRIP_TOKEN_ROLES } from '../../../auth/trip-token.ts';
import { tokenEndpoint } from '../../../server/endpoints/token-endpoint.ts';
import { account, appFor, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { authorize, CALLBACK, registeredApp, signInUser, useOauthHost } from '../../hosts/oauth-host.ts';
import { openHost } from '../../hosts/open-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();
const service = useOauthHost();

const ISSUER = 'https://localhost:8443';

/** Commands that the database is given while something is done. */
async function commandsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const queries = await queriesDuring(async () => void (await work()));
  return queries.map(({ collection, method }) => `${collection}.${method}`);
}

let host: FastifyInstance;
let valid: { readonly body: Record<string, unknown>; readonly headers: Record<string, string> };
beforeAll(async () => {
  host = await openHost([await tokenEndpoint(testService, new URL(ISSUER), ISSUER)]);
  valid = await newRequest();
});
afterAll(() => host.close());

async function newRequest() {
  const { key } = await account();
  const { client_id, client_secret, headers } = await appFor(await user(key), ['account_activity.read']);
  const sub = `vehicle:${await vehicle(key)}`;
  const claims = { sub, aud: 'https://fleet.example', roles: TRIP_TOKEN_ROLES, scope: 'loc-past' };
  return { body: { client_id, client_secret, ...claims }, headers };
}

async function statusOf(body: object = valid.body, headers: Record<string, string> = valid.headers): Promise<number> {
  const url = '/api/special-purpose/v1/token';
  const all = { host: 'localhost', ...headers };
  return (await host.inject({ method: 'POST', url, headers: all, payload: body })).statusCode;
}

test('a special-purpose token takes one command, and one more a second for the signing keys', async () => {
  await statusOf();
  clearSigningKeys(testService);
  const clock = vi.spyOn(performance, 'now');
  const issue = () => commandsDuring(async () => expect(await statusOf()).toBe(200));
  clock.mockReturnValue(5000);
  expect(await issue()).toEqual(['oauth_records.aggregate', 'signing_keys.find']);
  clock.mockReturnValue(5999);
  expect(await issue()).toEqual(['oauth_records.aggregate']);
  clock.mockReturnValue(6000);
  expect(await issue()).toEqual(['oauth_records.aggregate', 'signing_keys.find']);
  clock.mockRestore();
});

test('an unknown client takes the same commands as a wrong secret of a client that exists', async () => {
  const other = await newRequest();
  const nobody = { authorization: `Bearer ${'x'.repeat(43)}` };
  const refused = (changes: object, headers: Record<string, string>) =>
    commandsDuring(async () => expect(await statusOf({ ...valid.body, ...changes }, headers)).toBe(401));
  for (const headers of [other.headers, nobody]) {
    const wrong = await refused({ client_secret: 'wrong' }, headers);
    expect(wrong).toEqual(['oauth_records.aggregate', 'apps.findOne']);
    expect(await refused({ client_id: 'unknown' }, headers)).toEqual(wrong);
  }
});

test('what is malformed takes no command', async () => {
  expect(await commandsDuring(async () => expect(await statusOf({ ...valid.body, aud: 'x' })).toBe(400))).toEqual([]);
});

test('a code takes six commands, a refresh seven, an introspection three', async () => {
  const { client_id, client_secret } = await registeredApp({ scopes: ['account.read'] });
  const credentials = { client_id, client_secret };
  const answer = await authorize(service.at, await signInUser(), { client_id, scope: 'account.read' });
  const post = async (path: string, fields: Record<string, string>) => {
    const response = await service.at.fetch(service.at.issuer + path, {
      method: 'POST',
      body: new URLSearchParams({ ...credentials, ...fields }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { access_token: string; refresh_token: string };
  };
  const code = new URL(answer).searchParams.get('code') ?? '';
  let tokens = { access_token: '', refresh_token: '' };
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  const identified = ['apps.findOne', 'oauth_records.aggregate', 'oauth_records.findOneAndUpdate'];
  expect(
    await commandsDuring(async () => {
      tokens = await post('/oauth/token', exchange);
    }),
  ).toEqual([...identified, 'oauth_records.insertOne', 'oauth_records.insertOne', 'oauth_records.updateOne']);
  expect(
    await commandsDuring(async () => {
      tokens = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    }),
  ).toEqual([
    ...identified,
    'oauth_records.insertOne',
    'oauth_records.insertOne',
    'oauth_records.updateOne',
    'oauth_records.insertOne',
  ]);
  const introspection = await commandsDuring(() => post('/oauth/introspect', { token: tokens.access_token }));
  expect(introspection).toEqual(['apps.findOne', 'oauth_records.aggregate', 'oauth_records.aggregate']);
});
