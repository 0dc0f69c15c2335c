import type { FastifyInstance } from 'fastify';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { TRIP_TOKEN_ROLES, verifyTripToken } from '../../auth/trip-token.ts';
import { newKey } from '../../models/key.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { tokenEndpoint } from '../../server/endpoints/token-endpoint.ts';
import { account, appFor, group, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { httpsClient } from '../clients/https-client.ts';
import { openHost } from '../hosts/open-host.ts';
import { listen, testCertificate } from '../hosts/test-host.ts';

useDatabase();

const ISSUER = 'https://localhost:8443';

let app: FastifyInstance;
let valid: { body: Record<string, unknown>; authorization: string };

beforeAll(async () => {
  app = await openHost([await tokenEndpoint(testService, new URL(ISSUER), ISSUER)]);
  const { key } = await account();
  const { client_id, client_secret, headers } = await appFor(await user(key), ['account_activity.read']);
  valid = {
    body: {
      client_id,
      client_secret,
      sub: `vehicle:${await vehicle(key)}`,
      aud: 'https://fleet.example',
      roles: TRIP_TOKEN_ROLES,
      scope: 'loc-past',
    },
    authorization: headers.authorization,
  };
});
afterAll(() => app.close());

function post(body: unknown, authorization: string | null = valid.authorization, type = 'application/json') {
  return app.inject({
    method: 'POST',
    url: '/api/special-purpose/v1/token',
    headers: {
      host: 'localhost',
      'content-type': type,
      ...(authorization === null ? {} : { authorization }),
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

test('A body of more than 128 KiB is 413, whoever sends it', async () => {
  const padded = (bytes: number) => JSON.stringify(valid.body).padEnd(bytes);
  expect((await post(padded(128 * 1024))).statusCode).toBe(200);
  for (const authorization of [valid.authorization, null]) {
    const refused = await post(padded(128 * 1024 + 1), authorization);
    expect([refused.statusCode, refused.json()]).toEqual([413, { errors: 'The body is too large' }]);
  }
});

async function claimsOf(token: string) {
  const keys = await app.inject({ url: '/.well-known/jwks.json', headers: { host: 'localhost' } });
  return (await jwtVerify(token, createLocalJWKSet(keys.json()))).payload;
}

describe('a request that is all right', () => {
  test('gets a token for an hour, never to be stored', async () => {
    const response = await post(valid.body);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const { token, ...rest } = response.json();
    expect(rest).toEqual({ expires_in: 3600, token_type: 'Bearer' });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'trips+jwt', kid: expect.any(String) });
    const { iat = 0, ...claims } = await claimsOf(token);
    expect(claims).toEqual({
      iss: ISSUER,
      sub: valid.body.sub,
      aud: 'https://fleet.example',
      roles: TRIP_TOKEN_ROLES,
      scope: 'loc-past',
      exp: iat + 3600,
      jti: expect.any(String),
      client_id: valid.body.client_id,
      grant: expect.any(String),
    });
  });

  test.each([
    'loc-past',
    'loc-past-gte:2026-01-01',
    'loc-past-lt:2026-01-01T00:00:00Z',
    'loc-past-gte:2026-01-01T00:00:00.123+05:30',
    'loc-past-lt:2026-01-01T00:00',
  ])('may ask for %s', async (scope) => {
    const response = await post({ ...valid.body, scope });
    expect(response.statusCode).toBe(200);
    expect(await claimsOf(response.json().token)).toMatchObject({ scope });
  });

  test('is signed for the origin of aud', async () => {
    for (const [aud, origin] of [
      ['https://Fleet.example:443/map?a=1', 'https://fleet.example'],
      ['https://bücher.example', 'https://xn--bcher-kva.example'],
      ['https://[::1]:8443', 'https://[::1]:8443'],
      ['https://192.0.2.1', 'https://192.0.2.1'],
    ]) {
      const response = await post({ ...valid.body, aud });
      expect([aud, response.statusCode, response.json()]).toEqual([aud, 200, expect.anything()]);
      expect(await claimsOf(response.json().token)).toMatchObject({ aud: origin });
    }
  });
});

/** The specification's error table, top to bottom: what is wrong, and the answer. */
const FAULTS = [
  ['no client_id', 400, 'Missing client credentials', { client_id: undefined }],
  ['no client_secret', 400, 'Missing client credentials', { client_secret: '' }],
  ['no bearer', 400, 'Missing auth token', { authorization: null }],
  ['no scope', 400, 'Missing required claims', { scope: null }],
  ['aud without https', 400, 'Invalid aud', { aud: 'http://fleet.example' }],
  ['other roles', 400, 'Invalid roles', { roles: 'service://<service-trips-map/>' }],
  ['sub of another kind', 400, 'Invalid sub', { sub: 'device:1' }],
  ['an unknown scope', 400, 'Invalid scope', { scope: 'loc-future' }],
  ['a wrong secret', 401, 'Invalid client credentials', { client_secret: 'wrong' }],
  ['an unknown bearer', 401, 'Invalid token', { authorization: 'Bearer unknown' }],
] as const;

describe('errors', () => {
  test.each(FAULTS)('%s: %i %s', async (_, status, errors, change) => {
    const { authorization, body } = { ...valid, ...change };
    const { authorization: _gone, ...claims } = { authorization, ...body, ...change };
    const response = await post(claims, authorization);
    expect([response.statusCode, response.json()]).toEqual([status, { errors }]);
    if (status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
  });

  test('of several faults in one request the first of the table is the answer, whichever they are', async () => {
    for (let subset = 1; subset < 2 ** FAULTS.length; subset++) {
      const present = FAULTS.filter((_, at) => subset & (1 << at));
      const change = Object.assign({}, ...present.toReversed().map(([, , , one]) => one));
      const { authorization = valid.authorization, ...claims } = { ...valid.body, ...change };
      const response = await post(claims, authorization);
      expect([present.map(([name]) => name), response.json().errors]).toEqual([
        present.map(([name]) => name),
        present[0]?.[2],
      ]);
    }
  });

  test.each([
    ['malformed JSON', '{', 'Missing client credentials'],
    ['no object', '[]', 'Missing client credentials'],
    ['an empty body', '', 'Missing client credentials'],
  ])('%s is 400 %s', async (_, body, errors) => {
    const response = await post(body);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });

  test.each(['', ';;', 'text/plain', 'application/jsonp'])('a body of type %j cannot be read: 400', async (type) => {
    const response = await post(valid.body, valid.authorization, type);
    expect([response.statusCode, response.json()]).toEqual([400, { errors: 'Missing client credentials' }]);
  });

  test.each<[string, unknown, number, string]>([
    ['client_id', 7, 401, 'Invalid client credentials'],
    ['client_id', { $ne: null }, 401, 'Invalid client credentials'],
    ['client_secret', ['a'], 401, 'Invalid client credentials'],
    ['aud', 7, 400, 'Invalid aud'],
    ['aud', ['https://fleet.example'], 400, 'Invalid aud'],
    ['aud', 'https://', 400, 'Invalid aud'],
    ['aud', 'https://*.example', 400, 'Invalid aud'],
    ['aud', 'https://a%2Aexample', 400, 'Invalid aud'],
    ['aud', 'https://fleet%2eexample', 400, 'Invalid aud'],
    ['aud', 'https://fl%65et.example', 400, 'Invalid aud'],
    ['aud', 'https://fleet!.example', 400, 'Invalid aud'],
    ['aud', "https://fleet';$&,=.example", 400, 'Invalid aud'],
    ['aud', 'https://a..example', 400, 'Invalid aud'],
    ['aud', `https://${'a'.repeat(64)}.example`, 400, 'Invalid aud'],
    ['aud', `https://${'a.'.repeat(124)}example`, 400, 'Invalid aud'],
    ['aud', 'https://0x7f.1', 400, 'Invalid aud'],
    ['aud', 'https://2130706433', 400, 'Invalid aud'],
    ['aud', 'https://fleet.example\u0001', 400, 'Invalid aud'],
    ['aud', 'https://me@fleet.example', 400, 'Invalid aud'],
    ['aud', 'https://@fleet.example', 400, 'Invalid aud'],
    ['aud', ' https://fleet.example', 400, 'Invalid aud'],
    ['aud', 'https://fleet.example\r\nx: y', 400, 'Invalid aud'],
    ['aud', 'https:fleet.example', 400, 'Invalid aud'],
    ['roles', 'service://<service-trips-map />\n', 400, 'Invalid roles'],
    ['roles', ['service://<service-trips-map />'], 400, 'Invalid roles'],
    ['sub', 'vehicle:', 400, 'Invalid sub'],
    ['sub', 'vehicle:a b', 400, 'Invalid sub'],
    ['sub', 'vehicle:a\n', 400, 'Invalid sub'],
    ['sub', 'Vehicle:a', 400, 'Invalid sub'],
    ['sub', 'vehicle:\u0430', 400, 'Invalid sub'],
    ['sub', { toString: 1 }, 400, 'Invalid sub'],
    ['scope', 'LOC-PAST', 400, 'Invalid scope'],
    ['scope', 'loc-past ', 400, 'Invalid scope'],
    ['scope', 'loc-past-gte:', 400, 'Invalid scope'],
    ['scope', 'loc-past-gte:2026-02-30', 400, 'Invalid scope'],
    ['scope', 'loc-past-lt:2026-01-01 00:00', 400, 'Invalid scope'],
    ['scope', 'loc-past-lt:2026-01-01T24:00', 400, 'Invalid scope'],
    ['scope', 'x'.repeat(100_000), 400, 'Invalid scope'],
    ['scope', true, 400, 'Invalid scope'],
  ])('%s %j: %i %s', async (name, value, status, errors) => {
    const response = await post({ ...valid.body, [name]: value });
    expect([response.statusCode, response.json()]).toEqual([status, { errors }]);
  });

  test('an unknown vehicle, a foreign one and one outside the groups are the same 401', async () => {
    const foreign = await account();
    const { key } = await account();
    const north = await group(key, 'North');
    const restricted = await appFor(await user(key, [north]), ['account_activity.read']);
    for (const vehicleKey of [newKey(), await vehicle(foreign.key), await vehicle(key)]) {
      const response = await post(
        {
          ...valid.body,
          client_id: restricted.client_id,
          client_secret: restricted.client_secret,
          sub: `vehicle:${vehicleKey}`,
        },
        restricted.headers.authorization,
      );
      expect([response.statusCode, response.json()]).toEqual([401, { errors: 'Invalid token' }]);
    }
  });

  test('a bearer of another app, without the scope, of a revoked grant or a disabled user is 401 Invalid token', async () => {
    const { key } = await account();
    const someone = await user(key);
    const sub = `vehicle:${await vehicle(key)}`;
    const answerTo = async (app: Awaited<ReturnType<typeof appFor>>, bearer = app.headers.authorization) => {
      const { client_id, client_secret } = app;
      return (await post({ ...valid.body, client_id, client_secret, sub }, bearer)).json();
    };
    const refused = { errors: 'Invalid token' };
    const first = await appFor(someone, ['account_activity.read']);
    expect(await answerTo(first)).toHaveProperty('token');
    expect(await answerTo(first, valid.authorization)).toEqual(refused);
    expect(await answerTo(await appFor(someone, ['account.read']))).toEqual(refused);

    await OauthRecordStore.deleteOne(testService, { kind: 'Grant', id_hash: first.grant.id_hash });
    expect(await answerTo(first)).toEqual(refused);

    const second = await appFor(someone, ['account_activity.read']);
    await UserStore.updateOne(unrestricted(testService), { key: someone }, { disabled: true });
    expect(await answerTo(second)).toEqual(refused);
  });
});

test('two credentials are 401 Invalid token, once all else is right', async () => {
  const url = `https://localhost:${await listen(app)}/api/special-purpose/v1/token`;
  const ask = httpsClient((await testCertificate()).ca);
  const { authorization } = valid;
  for (const credentials of [
    { authorization: [authorization, authorization] },
    { authorization: ['Basic dTpw', authorization] },
    { authorization, 'service-api-key': 'wb_key_x' },
  ]) {
    const headers = { 'content-type': 'application/json', ...credentials };
    const sent = async (body: object) => {
      const { status, text } = await ask(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return [status, JSON.parse(text)];
    };
    expect(await sent(valid.body)).toEqual([401, { errors: 'Invalid token' }]);
    expect(await sent({ ...valid.body, aud: 'x' })).toEqual([400, { errors: 'Invalid aud' }]);
  }
});

test('no page may read the endpoint: it answers no CORS header', async () => {
  const response = await app.inject({
    method: 'OPTIONS',
    url: '/api/special-purpose/v1/token',
    headers: { host: 'localhost', origin: 'https://fleet.example', 'access-control-request-method': 'POST' },
  });
  expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('a driver gets no token, and one issued before the user became a driver opens nothing', async () => {
  const { key } = await account();
  const someone = await user(key);
  const { client_id, client_secret, headers } = await appFor(someone, ['account_activity.read']);
  const body = { ...valid.body, client_id, client_secret, sub: `vehicle:${await vehicle(key)}` };
  const issued = await post(body, headers.authorization);
  expect(issued.statusCode).toBe(200);
  const { token } = issued.json();
  expect(await verifyTripToken(testService, token, ISSUER, 'https://fleet.example')).toMatchObject({ kind: 'embed' });
  await UserStore.updateOne(unrestricted(testService), { key: someone }, { account_role: 'driver' });
  const refused = await post(body, headers.authorization);
  expect([refused.statusCode, refused.json()]).toEqual([401, { errors: 'Invalid token' }]);
  expect(await verifyTripToken(testService, token, ISSUER, 'https://fleet.example')).toBeNull();
  await UserStore.updateOne(unrestricted(testService), { key: someone }, { account_role: 'viewer' });
  expect((await post(body, headers.authorization)).statusCode).toBe(200);
});
