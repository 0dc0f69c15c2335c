import { beforeAll, describe, expect, test } from 'vitest';

import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { useDatabase, testService } from '../../services/database.ts';
import {
  actionOf,
  authorizeUrl,
  CALLBACK,
  registeredApp,
  send,
  useOauthHost,
  Visitor,
} from '../../hosts/oauth-host.ts';
import { testHost } from '../../hosts/test-host.ts';

useDatabase();
const service = useOauthHost();

let client_id: string;
let client_secret: string;
beforeAll(async () => {
  ({ client_id, client_secret } = await registeredApp({ scopes: ['account.read'] }));
});

test('metadata stands at the well-known path and names what is offered', async () => {
  const { issuer, fetch } = service.at;
  const metadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true,
  });
});

test('an issuer with a path has its metadata before that path, and its endpoints below it', async () => {
  const { app } = await testHost([await oauthEndpoint(testService, 'https://localhost:8443/auth')]);
  const metadata = await app.inject({ url: '/.well-known/oauth-authorization-server/auth' });
  expect(metadata.json()).toMatchObject({ authorization_endpoint: 'https://localhost:8443/auth/authorize' });
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: CALLBACK });
  const { headers, statusCode } = await app.inject({ url: `/auth/authorize?${query}` });
  expect(statusCode).toBe(303);
  expect(headers.location).toMatch(/^\/auth\/authorize\/request\/[\w-]+$/);
});

test('a proxy’s words about the address change nothing, nor does the Host header', async () => {
  const { app } = await testHost([await oauthEndpoint(testService, 'https://auth.example')], { proxies: '127.0.0.1' });
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: CALLBACK });
  const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', host: 'evil.example' };
  const answer = await app.inject({ url: `/authorize?${query}`, headers: forged });
  expect(JSON.stringify([answer.headers, answer.body])).not.toContain('evil.example');
  expect(answer.headers['set-cookie']).toEqual(expect.arrayContaining([expect.stringMatching(/; secure/i)]));
});

test('endpoints carry the headers of every answer', async () => {
  const { headers } = await send(service.at, '/oauth/token', { grant_type: 'authorization_code' });
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
});

describe('the token endpoint refuses', () => {
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`,
  });

  test('another method by 405', async () => {
    const answer = await service.at.fetch(`${service.at.issuer}/oauth/token`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a wrong secret in the header by 401 with a challenge', async () => {
    const { status, headers, body } = await send(
      service.at,
      '/oauth/token',
      { grant_type: 'refresh_token' },
      basic('no'),
    );
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  test('two ways to authenticate in one request', async () => {
    const fields = { grant_type: 'refresh_token', client_id, client_secret };
    expect((await send(service.at, '/oauth/token', fields, basic(client_secret))).body.error).toBe('invalid_request');
  });

  test.each(['client_credentials', 'password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'the grant %s',
    async (grant_type) => {
      const { body } = await send(service.at, '/oauth/token', { grant_type, client_id, client_secret });
      expect(body.error).toBe('unsupported_grant_type');
    },
  );

  test('a body that is JSON, repeated, or too large', async () => {
    const post = async (body: string, type = 'application/x-www-form-urlencoded') => {
      const url = `${service.at.issuer}/oauth/token`;
      const answer = await service.at.fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
      return [answer.status, (await answer.json()).error];
    };
    const fields = `grant_type=refresh_token&client_id=${client_id}&client_secret=${client_secret}`;
    expect(await post('{}', 'application/json')).toEqual([400, 'invalid_request']);
    expect(await post(`${fields}&refresh_token=a&refresh_token=b`)).toEqual([400, 'invalid_request']);
    expect(await post(`${fields}&refresh_token=${'x'.repeat(100_000)}`)).toEqual([413, 'invalid_request']);
  });
});

test('a form that is no form gets a page', async () => {
  const visitor = new Visitor(service.at);
  const action = actionOf(await visitor.get(authorizeUrl(service.at, { client_id })));
  const page = await visitor.post(action, {}, { 'content-type': 'application/json' });
  expect([page.status, page.text.includes('This form cannot be accepted')]).toEqual([400, true]);
});

test('one browser that begins many requests keeps the newest few', async () => {
  const visitor = new Visitor(service.at);
  for (let begun = 0; begun < 10; begun++) await visitor.get(authorizeUrl(service.at, { client_id }));
  const flows = [...visitor.cookies.keys()].filter((name) => name.startsWith('__Host-waybridge_flow_'));
  expect(flows.length).toBeLessThanOrEqual(6);
});

test('addresses of waiting requests are not in the log', async () => {
  const { app, lines } = await testHost([await oauthEndpoint(testService, 'https://localhost:8443')]);
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: CALLBACK });
  const { headers } = await app.inject({ url: `/authorize?${query}` });
  const uid = String(headers.location).split('/').at(-1) ?? '';
  await app.inject({ url: `/authorize/request/${uid}` });
  expect(uid.length).toBeGreaterThan(20);
  expect(lines.join('')).toContain('/authorize/request/');
  expect(lines.join('')).not.toContain(uid);
});
