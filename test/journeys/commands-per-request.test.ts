import { createHash } from 'node:crypto';

import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { TRIP_TOKEN_ROLES } from '../../auth/trip-token.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { oauthEndpoint } from '../../pages/endpoints/oauth-endpoint.ts';
import { tokenEndpoint } from '../../server/endpoints/token-endpoint.ts';
import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { account, app, appFor, device, group, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { authorize, CALLBACK, type OauthHost, oauthHost, send, signInUser } from '../hosts/oauth-host.ts';
import { queriesDuring } from '../services/queries-during.ts';

useDatabase();

const VERIFIER = 'correct-horse-battery-staple-correct-horse-battery';
const SCOPES = ['account.read', 'account_activity.read'];

let host: OauthHost;
let made: Awaited<ReturnType<typeof records>>;
beforeAll(async () => {
  host = await oauthHost(async (issuer) => [
    await accountEndpoint(testService, new URL(`${issuer}/api/v2`), new URL(issuer)),
    await tokenEndpoint(testService, new URL(issuer), issuer),
    await oauthEndpoint(testService, issuer),
    await gatewayEndpoint(),
  ]);
  made = await records();
  // Notes that the key was used, which is written once a minute.
  await inject({ url: '/api/v2/account', headers: made.owner });
});
afterAll(() => host.app.close());

async function records() {
  const { key, headers: owner } = await account();
  const north = await group(key, 'North');
  const vehicle_key = await vehicle(key, [north]);
  const devices = await Promise.all(Array.from({ length: 10 }, () => device(key, { vehicle_key, groups: [north] })));
  const acting = await appFor(await user(key), SCOPES);
  return { key, owner, vehicle_key, deviceKey: devices[0]?.key ?? '', acting };
}

const inject = (request: InjectOptions) =>
  host.app.inject({ ...request, headers: { host: 'localhost', ...request.headers } });

/** Commands but those for the signing keys, which are kept for a second: whether they are read depends on the time. */
async function commandsDuring(work: () => Promise<void>): Promise<string[]> {
  const sent = (await queriesDuring(work)).filter(({ collection }) => collection !== 'signing_keys');
  return sent.map(({ collection, method }) => `${collection}.${method}`);
}

/** Database commands of a request; a change of one of these numbers is a change of the cost of every such request. */
test.each<[commands: number, status: number, what: string, request: () => InjectOptions]>([
  [2, 200, 'GET /device/{key}', () => ({ url: `/api/v2/device/${made.deviceKey}`, headers: made.owner })],
  [2, 404, 'GET /device/{key} of none', () => ({ url: '/api/v2/device/none', headers: made.owner })],
  [3, 200, 'GET /device/{key} by an app', () => rest(`/device/${made.deviceKey}`, made.acting.headers)],
  [2, 200, 'GET /devices', () => rest('/devices', made.owner)],
  [3, 200, 'GET /devices from a cursor on', () => rest(`/devices?cursor=${made.deviceKey}`, made.owner)],
  [4, 200, 'GET /groups', () => rest('/groups', made.owner)],
  [2, 201, 'POST /groups', () => posted('/groups', { name: 'South' })],
  [3, 201, 'POST /devices', () => posted('/devices', { serial: 'WB-1' })],
  [4, 201, 'POST /devices in a vehicle', () => posted('/devices', { serial: 'WB-2', vehicle_key: made.vehicle_key })],
  [3, 201, 'POST /vehicles', () => posted('/vehicles', { nickname: 'Van 3' })],
  [4, 201, 'POST /places', () => posted('/places', { name: 'Depot', point: { lat: 40, lon: 8 }, radius: 50 })],
  [5, 201, 'POST /shares', () => posted('/shares', { vehicle_key: made.vehicle_key, expires: '2099-12-31T18:00:00Z' })],
  [0, 401, 'a request without a key', () => rest('/devices', {})],
  [1, 401, 'a request with a wrong key', () => rest('/devices', { 'service-api-key': 'wrong' })],
  [2, 200, 'a device by GraphQL', () => graphql(`{ device(key: "${made.deviceKey}") { key serial } }`)],
  [2, 200, 'devices by GraphQL', () => graphql('{ devices { nodes { key serial status } } }')],
  [4, 200, 'groups by GraphQL', () => graphql('{ groups { key children { key } member_counts { car user } } }')],
  [1, 200, 'a special-purpose token', () => specialPurposeToken()],
])('takes %d database commands, answered %d: %s', async (commands, status, _, request) => {
  const sent = await commandsDuring(async () => {
    expect((await inject(request())).statusCode).toBe(status);
  });
  expect(sent).toHaveLength(commands);
});

test('takes 7 database commands: a refresh', async () => {
  const client = await app(made.key, { scopes: SCOPES, redirect_uris: [CALLBACK] });
  const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const asked = { client_id: client.client_id, code_challenge, code_challenge_method: 'S256' };
  const answer = await authorize(host, await signInUser(made.key), asked);
  const code = { code: answer.searchParams.get('code') ?? '', redirect_uri: CALLBACK, code_verifier: VERIFIER };
  const { body } = await send(host, '/oauth/token', { grant_type: 'authorization_code', ...client, ...code });
  const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token), ...client };
  const sent = await commandsDuring(async () => {
    expect((await send(host, '/oauth/token', refresh)).status).toBe(200);
  });
  expect(sent).toHaveLength(7);
});

function rest(path: string, headers: Readonly<Record<string, string>>): InjectOptions {
  return { url: `/api/v2${path}`, headers };
}

function posted(path: string, payload: object): InjectOptions {
  return { ...rest(path, made.owner), method: 'POST', payload };
}

function graphql(query: string): InjectOptions {
  return { method: 'POST', url: '/graphql', headers: made.owner, payload: { query } };
}

function specialPurposeToken(): InjectOptions {
  const { client_id, client_secret, headers } = made.acting;
  const claims = { sub: `vehicle:${made.vehicle_key}`, aud: 'https://fleet.example', scope: 'loc-past' };
  const payload = { client_id, client_secret, ...claims, roles: TRIP_TOKEN_ROLES };
  return { method: 'POST', url: '/api/special-purpose/v1/token', headers, payload };
}
