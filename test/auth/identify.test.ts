import { beforeAll, describe, expect, test } from 'vitest';

import { revokeApiKey } from '../../auth/api-keys.ts';
import { revokeGrant } from '../../auth/grants.ts';
import { type Credentials, type EndpointRules, identify, readCredentials } from '../../auth/identify.ts';
import { signTripToken } from '../../auth/trip-token.ts';
import { ApiKeyStore } from '../../models/account/api-key.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { account, appFor, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';

useDatabase();

const ISSUER = 'https://localhost:8443';
const REST: EndpointRules = { endpoint: 'rest' };
const GRAPHQL: EndpointRules = { endpoint: 'graphql', issuer: ISSUER, origin: ISSUER };
const EMBEDDER = 'https://fleet.example';

let owner: Awaited<ReturnType<typeof account>>;
let app: Awaited<ReturnType<typeof appFor>>;
let tripToken: string;
beforeAll(async () => {
  owner = await account();
  app = await appFor(await user(owner.key), ['account_activity.read']);
  tripToken = await signTripToken(testService, ISSUER, {
    sub: `vehicle:${await vehicle(owner.key)}`,
    aud: EMBEDDER,
    scope: 'loc-past',
    client_id: app.client_id,
    grant: app.grant.grant_hash,
  });
});

const refused = expect.objectContaining({ code: 'UNAUTHENTICATED' });

describe('raw headers', () => {
  test.each([
    [['Service-Api-Key', 'k'], { apiKey: 'k', bearer: null, origin: undefined }],
    [['authorization', 'bearer  t0k.en-_~+/=='], { apiKey: null, bearer: 't0k.en-_~+/==', origin: undefined }],
    [['ORIGIN', 'https://a.example'], { apiKey: null, bearer: null, origin: 'https://a.example' }],
    [['X', 'authorization', 'Y', 'origin'], { apiKey: null, bearer: null, origin: undefined }],
  ])('%j carry %j', (headers, credentials) => {
    expect(readCredentials(headers)).toEqual(credentials);
  });

  test.each([
    [['Service-Api-Key', 'k', 'Authorization', 'Bearer t']],
    [['Service-Api-Key', 'k', 'service-api-key', 'k']],
    [['Authorization', 'Bearer t', 'Authorization', 'Bearer t']],
    [['Origin', 'https://a.example', 'Origin', 'https://b.example']],
    [['Authorization', 'Basic dTpw']],
    [['Authorization', 'Bearer a b']],
    [['Authorization', 'Bearer']],
  ])('%j are refused', (headers) => {
    expect(() => readCredentials(headers)).toThrow(refused);
  });
});

describe('an API key', () => {
  test('proves the owner of its account, at either endpoint', async () => {
    for (const rules of [REST, GRAPHQL]) {
      const credentials = { apiKey: owner.api_key, bearer: null, origin: undefined };
      expect(await identify(testService, credentials, rules)).toMatchObject({
        kind: 'owner',
        account_key: owner.key,
        plan: 'premium',
      });
    }
  });

  test('is stored hashed, and remembers its last use', async () => {
    await identify(testService, { apiKey: owner.api_key, bearer: null, origin: undefined }, REST);
    const stored = await ApiKeyStore.findOne(accountAccessScope(testService, owner.key), { key: owner.apiKeyKey });
    expect(JSON.stringify(stored)).not.toContain(owner.api_key);
    expect(stored?.last_used).toBeInstanceOf(Date);
  });

  test('opens nothing once it is revoked', async () => {
    const { api_key, apiKeyKey, key } = await account();
    const credentials = { apiKey: api_key, bearer: null, origin: undefined };
    expect(await identify(testService, credentials, REST)).toMatchObject({ kind: 'owner' });
    expect(await revokeApiKey(apiKeyKey, accountAccessScope(testService, owner.key))).toBe(false);
    expect(await identify(testService, credentials, REST)).toMatchObject({ kind: 'owner' });
    expect(await revokeApiKey(apiKeyKey, accountAccessScope(testService, key))).toBe(true);
    await expect(identify(testService, credentials, REST)).rejects.toThrow(refused);
  });
});

describe('an OAuth bearer', () => {
  test('proves the app for its user, without an Origin or from our own pages', async () => {
    for (const origin of [undefined, ISSUER]) {
      const caller = await identify(testService, { apiKey: null, bearer: app.access_token, origin }, GRAPHQL);
      expect(caller).toMatchObject({ kind: 'app', account_key: owner.key, client_id: app.client_id, group_keys: null });
    }
  });

  test('is refused at /graphql from the page of a stranger', async () => {
    const credentials = { apiKey: null, bearer: app.access_token, origin: EMBEDDER };
    await expect(identify(testService, credentials, GRAPHQL)).rejects.toThrow(refused);
    expect(await identify(testService, credentials, REST)).toMatchObject({ kind: 'app' });
  });

  test('is stored hashed and dies with its lifetime', async () => {
    const short = await appFor(await user(owner.key), ['account.read']);
    const stored = await OauthRecordStore.find(testService, { client_id: short.client_id });
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain(short.access_token);
    await OauthRecordStore.updateOne(
      testService,
      { kind: 'AccessToken', client_id: short.client_id },
      { expires_at: new Date(0) },
    );
    await expect(
      identify(testService, { apiKey: null, bearer: short.access_token, origin: undefined }, REST),
    ).rejects.toThrow(refused);
  });
});

describe('a special-purpose token', () => {
  test('proves the map of its vehicle at /graphql, from its origin', async () => {
    const caller = await identify(testService, { apiKey: null, bearer: tripToken, origin: EMBEDDER }, GRAPHQL);
    expect(caller).toMatchObject({ kind: 'embed', account_key: owner.key, scope: {} });
  });

  test('proves nothing at the REST API', async () => {
    await expect(identify(testService, { apiKey: null, bearer: tripToken, origin: EMBEDDER }, REST)).rejects.toThrow(
      refused,
    );
  });
});

describe('however many ask at the same time', () => {
  /** Asks for as long as the work takes, eight at a time, and once more when it is done. */
  async function askBeside(ask: () => Promise<string>, work: () => Promise<unknown>): Promise<string> {
    let isDone = false;
    const askers = Array.from({ length: 8 }, async () => {
      while (!isDone) await ask();
    });
    await work();
    const after = ask();
    isDone = true;
    await Promise.all(askers);
    return after;
  }

  const kindOf = (credentials: Partial<Credentials>, rules: EndpointRules) => (): Promise<string> =>
    identify(testService, { apiKey: null, bearer: null, origin: undefined, ...credentials }, rules).then(
      ({ kind }) => kind,
      ({ code }) => code,
    );

  test('a key opens nothing to whoever asks after it was revoked', async () => {
    const { api_key, apiKeyKey, key } = await account();
    const ask = kindOf({ apiKey: api_key }, REST);
    expect(await ask()).toBe('owner');
    const accessScope = accountAccessScope(testService, key);
    const revoke = (revoked: Date | null) => () => ApiKeyStore.updateOne(accessScope, { key: apiKeyKey }, { revoked });
    for (let time = 0; time < 20; time++) {
      expect(await askBeside(ask, revoke(new Date()))).toBe('UNAUTHENTICATED');
      expect(await askBeside(ask, revoke(null))).toBe('owner');
    }
  });

  test('an access token and the map of its grant open nothing to whoever asks after it was revoked', async () => {
    const { access_token, client_id, grant } = await appFor(await user(owner.key), ['account_activity.read']);
    const claims = { sub: `vehicle:${await vehicle(owner.key)}`, aud: EMBEDDER, scope: 'loc-past', client_id };
    const map = await signTripToken(testService, ISSUER, { ...claims, grant: grant.grant_hash });
    const askers = [kindOf({ bearer: access_token }, REST), kindOf({ bearer: map, origin: EMBEDDER }, GRAPHQL)];
    expect(await Promise.all(askers.map((ask) => ask()))).toEqual(['app', 'embed']);
    const both = async () => (await Promise.all(askers.map((ask) => ask()))).join();
    expect(await askBeside(both, () => revokeGrant(testService, grant.grant_hash))).toBe(
      'UNAUTHENTICATED,UNAUTHENTICATED',
    );
  });
});
