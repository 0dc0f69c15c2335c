import { expect, onTestFinished, test } from 'vitest';

import { revokeApiKey } from '../../../auth/api-keys.ts';
import { revokeGrant } from '../../../auth/grants.ts';
import { rotateSigningKeys } from '../../../auth/signing-keys.ts';
import { signTripToken } from '../../../auth/trip-token.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { type HttpsClient, jsonOf } from '../../clients/https-client.ts';
import { appFor, user } from '../../services/account-fixture.ts';
import { recordingDevice } from '../../hosts/ingest-host.ts';
import { twoWorkers } from '../../processes/two-workers.ts';
import { testService, openTestDatabase } from '../../services/database.ts';

const PAGE = 'https://fleet.example';
const START = Math.floor(Date.now() / 1000) * 1000 - 600_000;
const HOME = { lat: 53.08, lon: 8.8 };

/** A position so many seconds after the first, on a road that leads east from home. */
const positionAt = (seconds: number) => ({
  point: { lat: HOME.lat, lon: HOME.lon + seconds * 0.0001 },
  timestamp: new Date(START + seconds * 1000).toISOString(),
});
const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => positionAt(from + at));

test('whatever one worker has in memory, it answers by what was changed through the other, or by a command', async () => {
  const { service, clients } = await twoWorkers();
  const database = await openTestDatabase(readConfig(service.settings), false);
  onTestFinished(() => database.close());
  const [first, second] = await clients();
  const vehicle = await recordingDevice();
  const { client_id, grant } = await appFor(await user(vehicle.owner.key), ['account_activity.read']);
  const claims = {
    sub: `vehicle:${vehicle.vehicle_key}`,
    aud: PAGE,
    scope: 'loc-past',
    client_id,
    grant: grant.grant_hash,
  };
  const issue = async () => `Bearer ${await signTripToken(testService, readConfig(service.settings).authUrl, claims)}`;
  let token = await issue();

  const json = { 'content-type': 'application/json' };
  const send = (client: HttpsClient, path: string, headers: Readonly<Record<string, string>>, body?: object) =>
    client(service.url + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...json, ...headers },
    });
  const owner = vehicle.owner.headers;
  const ingest = async (client: HttpsClient, from: number, to: number) =>
    jsonOf(
      await send(
        client,
        '/api/v2/ingest',
        { authorization: `Bearer ${vehicle.secret}` },
        { points: positions(from, to) },
      ),
    );
  const query = `{ trips(vehicle_key: "${vehicle.vehicle_key}", first: 9) { nodes { point_count } } }`;
  /** Asks a worker for the trips of the map twice: the second answer may be one from memory. */
  const mapOf = async (client: HttpsClient) => {
    const answers = [];
    for (let time = 0; time < 2; time++)
      answers.push(await send(client, '/graphql', { authorization: token, origin: PAGE }, { query }));
    const [{ status, text } = { status: 0, text: '' }, again] = answers;
    expect(again).toMatchObject({ status, text });
    return status === 200
      ? JSON.parse(text).data.trips.nodes.map((node: { point_count: number }) => node.point_count)
      : status;
  };
  const maps = async () => [await mapOf(first), await mapOf(second)];

  /** Waits at the first worker for changes, until their text has a word or none come: that a trip has grown may come before. */
  const followUntil = async (word: string, from: string): Promise<string> => {
    const headers = { ...owner, prefer: 'wait=20' };
    const { text } = await send(first, `/api/v2/changes?cursor=${from}`, headers);
    const { changes, cursor } = JSON.parse(text);
    return text.includes(word) || changes.length === 0 ? text : followUntil(word, cursor);
  };

  // Positions: the responses to trip maps.
  await ingest(first, 0, 10);
  expect(await maps()).toEqual([[10], [10]]);
  await ingest(second, 10, 20);
  expect(await maps()).toEqual([[20], [20]]);

  // Places, by which positions become visits.
  const place = { name: 'Home', point: HOME, radius: 100 };
  await ingest(second, 20, 21);
  jsonOf(await send(first, '/api/v2/places', owner, place));
  const visits = async () => jsonOf(await send(first, '/api/v2/places/visits', owner)).visits;
  expect(await visits()).toEqual([]);
  const now = { point: HOME, timestamp: new Date().toISOString(), events: ['engine_start'] };
  const device = { authorization: `Bearer ${vehicle.secret}` };
  jsonOf(await send(second, '/api/v2/ingest', device, { points: [now] }));
  expect(await visits()).toMatchObject([{ vehicle_key: vehicle.vehicle_key }]);

  // Whoever waits at one worker learns of a change by the other.
  const { cursor } = jsonOf(await send(first, '/api/v2/changes', owner));
  const waiting = followUntil('Night', String(cursor));
  jsonOf(await send(second, '/api/v2/vehicles', owner, { nickname: 'Night' }));
  expect(await waiting).toContain('Night');

  // Privacy zones.
  const zone = `mutation { createPrivacyZone(input: { lat: ${HOME.lat}, lon: ${HOME.lon}, radius_meters: 50 }) { key } }`;
  const before = await maps();
  expect(jsonOf(await send(second, '/graphql', owner, { query: zone }))).toMatchObject({
    data: { createPrivacyZone: {} },
  });
  const [hiddenByFirst, hiddenBySecond] = await maps();
  expect(hiddenByFirst).not.toEqual(before[0]);
  expect(hiddenBySecond).toEqual(hiddenByFirst);

  // The same request once more, at the other worker.
  const once = { ...owner, 'idempotency-key': 'k1' };
  const make = async (client: HttpsClient) => jsonOf(await send(client, '/api/v2/vehicles', once, { nickname: 'Van' }));
  expect(await make(first)).toEqual(await make(second));

  // Signing keys.
  await rotateSigningKeys(testService, new Date(), true);
  expect(await maps()).toEqual([401, 401]);
  token = await issue();
  expect(await maps()).toEqual([hiddenByFirst, hiddenByFirst]);

  // Credentials.
  await revokeApiKey(vehicle.owner.apiKeyKey, accountAccessScope(testService, vehicle.owner.key));
  for (const client of [first, second]) expect((await send(client, '/api/v2/account', owner)).status).toBe(401);
  await revokeGrant(testService, grant.grant_hash);
  expect(await maps()).toEqual([401, 401]);
});
