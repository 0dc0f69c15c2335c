import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { revokeApiKey } from '../../../auth/api-keys.ts';
import { revokeGrant } from '../../../auth/grants.ts';
import { signTripToken } from '../../../auth/trip-token.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { followVehicles } from '../../../resolvers/live/vehicle-movement-resolver.ts';
import { lookAtOthers, looksAtOthers } from '../../../notifying/live/other-processes.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { updateVehicle } from '../../../resolvers/vehicles/write-vehicle.ts';
import { ORIGIN } from '../../clients/graphql-client.ts';
import { subscribe } from '../../clients/event-client.ts';
import { connectTls } from '../../clients/raw-client.ts';
import { httpsFetch } from '../../clients/https-fetch.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { listen } from '../../hosts/test-host.ts';

useDatabase();

const MOVED = `subscription ($vehicle_keys: [String!], $group_key: String) {
  vehicle_moved(vehicle_keys: $vehicle_keys, group_key: $group_key) {
    vehicle_key vehicle_location { timestamp point { lat lon } }
  } }`;

const FLEET = 'subscription { vehicleMoved { vehicle { key devices { key } } } }';

let host: Awaited<ReturnType<typeof ingestHost>>;
let port: number;
beforeAll(async () => {
  host = await ingestHost();
  port = await listen(host.app);
});
afterAll(() => host.app.close());

type Recorder = Awaited<ReturnType<typeof recordingDevice>>;

const send = async ({ secret }: Recorder, ...seconds: number[]) => {
  const answer = await host.post(secret, { points: seconds.map((one) => at(one)) });
  expect(answer.status).toBe(200);
};
const follow = (headers: Record<string, string>, variables: object) =>
  subscribe(port, MOVED, headers, variables as Record<string, unknown>);
const movedTo = ({ vehicle_key }: Recorder, seconds: number) => {
  const { lat, lon } = at(seconds).point;
  const vehicle_location = { timestamp: timeAt(seconds), point: { lat, lon: expect.closeTo(lon, 9) } };
  return { data: { vehicle_moved: { vehicle_key, vehicle_location } } };
};
const ended = (code: string) => ({ errors: [expect.objectContaining({ extensions: { code } })] });

/** A device whose trip has begun, and a token for its vehicle with the page that may use it. */
async function mapOf(device: Recorder, scope = 'loc-past') {
  const { client_id, grant } = await appFor(await user(device.owner.key), ['account_activity.read']);
  const claims = { sub: `vehicle:${device.vehicle_key}`, aud: 'https://fleet.example', scope, client_id };
  const token = await signTripToken(testService, ORIGIN, { ...claims, grant: grant.grant_hash });
  return { grant, headers: { authorization: `Bearer ${token}`, origin: 'https://fleet.example' } };
}

describe('vehicle_moved', () => {
  test('is followed by GET, too, as by an EventSource', async () => {
    const device = await recordingDevice();
    await send(device, 0);
    const variables = JSON.stringify({ vehicle_keys: [device.vehicle_key] });
    const client = await connectTls(port);
    const headers = ['Host: localhost', 'Accept: text/event-stream', `Service-Api-Key: ${device.owner.api_key}`];
    const target = `/graphql?${new URLSearchParams({ query: MOVED, variables })}`;
    client.send(`GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    expect(await client.received(timeAt(0))).toMatch(/^HTTP\/1\.1 200 /);
    await send(device, 10);
    await client.received(timeAt(10));
    client.leave();
  });

  test('sends the newest position, then each later one, and none that is earlier', async () => {
    const device = await recordingDevice();
    await send(device, 0, 10);
    const { next } = await follow(device.owner.headers, { vehicle_keys: [device.vehicle_key] });
    expect(await next()).toEqual(movedTo(device, 10));
    await send(device, 20);
    expect(await next()).toEqual(movedTo(device, 20));
    await send(device, 5);
    await send(device, 30);
    expect(await next()).toEqual(movedTo(device, 30));
  });

  test('of a group sends positions of its vehicles, and of no others', async () => {
    const owner = await account();
    const north = await group(owner.key, 'North');
    const [inside, outside] = [await recordingDevice(owner), await recordingDevice(owner)];
    await updateVehicle(accountAccessScope(testService, owner.key), inside.vehicle_key, { group_keys: [north.key] });
    const { next } = await follow(owner.headers, { group_key: north.key });
    await send(outside, 0);
    await send(inside, 0);
    expect(await next()).toEqual(movedTo(inside, 0));
  });

  test('without arguments sends positions of all vehicles that the caller sees, also of those that are added later', async () => {
    const owner = await account();
    const first = await recordingDevice(owner);
    const { next } = await subscribe(port, FLEET, owner.headers);
    await send(await recordingDevice(), 0);
    await send(first, 0);
    expect(await next()).toEqual({
      data: { vehicleMoved: { vehicle: { key: first.vehicle_key, devices: [{ key: first.device_key }] } } },
    });
    const later = await recordingDevice(owner);
    await send(later, 0);
    expect(await next()).toMatchObject({ data: { vehicleMoved: { vehicle: { key: later.vehicle_key } } } });
  });

  test('without arguments sends a restricted user no vehicle of other groups', async () => {
    const owner = await account();
    const north = await group(owner.key, 'North');
    const [inside, outside] = [await recordingDevice(owner), await recordingDevice(owner)];
    await updateVehicle(accountAccessScope(testService, owner.key), inside.vehicle_key, { group_keys: [north.key] });
    const { headers } = await appFor(await user(owner.key, [north]), ['account_activity.read', 'vehicles.read']);
    const { next } = await subscribe(port, FLEET, headers);
    await send(outside, 0);
    await send(inside, 0);
    expect(await next()).toMatchObject({ data: { vehicleMoved: { vehicle: { key: inside.vehicle_key } } } });
  });

  test('tells a slow reader of the newest position', async () => {
    const device = await recordingDevice();
    await send(device, 0);
    const caller = { kind: 'owner', account_key: device.owner.key, plan: 'premium' } as const;
    const moved = await followVehicles({ service: testService, caller }, { vehicle_keys: [device.vehicle_key] });
    onTestFinished(async () => void (await moved.return()));
    for (const seconds of [10, 20, 30]) await send(device, seconds);
    const { value } = await moved.next();
    expect(value.vehicle_location.point.lon).toBeCloseTo(at(30).point.lon, 9);
  });

  test("is open to a trip map's token for its vehicle, window and page", async () => {
    const device = await recordingDevice();
    const { grant, headers } = await mapOf(device, `loc-past-lt:${timeAt(15)}`);
    await send(device, 0);
    const { next } = await follow(headers, { vehicle_keys: [device.vehicle_key] });
    expect(await next()).toEqual(movedTo(device, 0));
    await send(device, 20);
    await send(await recordingDevice(device.owner), 0);
    await revokeGrant(testService, grant.grant_hash);
    expect(await next()).toEqual(ended('UNAUTHENTICATED'));
    const later = await mapOf(device, `loc-past-gte:${timeAt(15)}`);
    const stream = await follow(later.headers, { vehicle_keys: [device.vehicle_key] });
    expect(await stream.next()).toEqual(movedTo(device, 20));
  });
});

describe('a stream is refused', () => {
  test("to a trip map's token for another vehicle, a group or another page", async () => {
    const device = await recordingDevice();
    const other = await recordingDevice(device.owner);
    const { headers } = await mapOf(device);
    const own = { vehicle_keys: [device.vehicle_key] };
    expect(await answer(headers, { vehicle_keys: [other.vehicle_key] })).toEqual([401, 'UNAUTHENTICATED']);
    expect(await answer(headers, { group_key: 'any' })).toEqual([401, 'UNAUTHENTICATED']);
    expect(await answer({ ...headers, origin: 'https://other.example' }, own)).toEqual([401, 'UNAUTHENTICATED']);
  });

  const answer = async (headers: Record<string, string>, variables: object, query = MOVED) => {
    const payload = { query, variables };
    const accept = { host: 'localhost', accept: 'text/event-stream', ...headers };
    const response = await host.app.inject({ method: 'POST', url: '/graphql', headers: accept, payload });
    return [response.statusCode, response.json().errors[0].extensions.code];
  };

  test('without credentials, permission, vehicle, or with both arguments', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const variables = { vehicle_keys: [device.vehicle_key] };
    const { headers: poor } = await appFor(await user(device.owner.key), ['account.read']);
    expect(await answer({}, variables)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await answer(poor, variables)).toEqual([403, 'FORBIDDEN']);
    expect(await answer((await account()).headers, variables)).toEqual([404, 'NOT_FOUND']);
    expect(await answer(headers, { ...variables, group_key: 'north' })).toEqual([400, 'BAD_REQUEST']);
    expect(await answer(headers, { vehicle_keys: [] })).toEqual([400, 'BAD_REQUEST']);
    expect(await answer(headers, {}, 'subscription { nothing }')).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  test('to a client that takes no events', async () => {
    const { owner, vehicle_key } = await recordingDevice();
    expect(await answer({ ...owner.headers, accept: 'application/json' }, { vehicle_keys: [vehicle_key] })).toEqual([
      400,
      'BAD_REQUEST',
    ]);
  });
});

describe('a stream ends', () => {
  test('when its API key, grant or the grant of its token is revoked', async () => {
    const device = await recordingDevice();
    const variables = { vehicle_keys: [device.vehicle_key] };
    const app = await appFor(await user(device.owner.key), ['account_activity.read']);
    const map = await mapOf(device);
    const [byKey, byApp, byMap] = [
      await follow(device.owner.headers, variables),
      await follow(app.headers, variables),
      await follow(map.headers, variables),
    ];
    await send(device, 0);
    for (const { next } of [byKey, byApp, byMap]) expect(await next()).toEqual(movedTo(device, 0));
    await revokeGrant(testService, app.grant.grant_hash);
    expect(await byApp.next()).toEqual(ended('UNAUTHENTICATED'));
    expect(await byApp.next()).toBeUndefined();
    await revokeGrant(testService, map.grant.grant_hash);
    expect(await byMap.next()).toEqual(ended('UNAUTHENTICATED'));
    await send(device, 10);
    expect(await byKey.next()).toEqual(movedTo(device, 10));
    await revokeApiKey(device.owner.apiKeyKey, accountAccessScope(testService, device.owner.key));
    expect(await byKey.next()).toEqual(ended('UNAUTHENTICATED'));
  });

  test('when its vehicle leaves the groups of its user', async () => {
    const owner = await account();
    const [north, south] = [await group(owner.key, 'North'), await group(owner.key, 'South')];
    const device = await recordingDevice(owner);
    const move = (key: string) =>
      updateVehicle(accountAccessScope(testService, owner.key), device.vehicle_key, { group_keys: [key] });
    await move(north.key);
    const { headers } = await appFor(await user(owner.key, [north]), ['account_activity.read']);
    const { next } = await follow(headers, { vehicle_keys: [device.vehicle_key] });
    await send(device, 0);
    expect(await next()).toEqual(movedTo(device, 0));
    await move(south.key);
    expect(await next()).toEqual(ended('NOT_FOUND'));
  });
});

test('a stream tells nobody but the owner of positions in a privacy zone, however new that is', async () => {
  const device = await recordingDevice();
  const { headers } = await mapOf(device);
  const variables = { vehicle_keys: [device.vehicle_key] };
  const [map, owner] = [await follow(headers, variables), await follow(device.owner.headers, variables)];
  await send(device, 0);
  for (const { next } of [map, owner]) expect(await next()).toEqual(movedTo(device, 0));
  const { lat, lon } = at(10).point;
  await createPrivacyZone(accountAccessScope(testService, device.owner.key), { lat, lon, radius_meters: 30 });
  for (const seconds of [10, 20]) await send(device, seconds);
  expect(await owner.next()).toEqual(movedTo(device, 10));
  expect(await map.next()).toEqual(movedTo(device, 20));
});

test('a stream knows what other servers have recorded and revoked', async () => {
  const device = await recordingDevice();
  await send(device, 0);
  const { next } = await follow(device.owner.headers, { vehicle_keys: [device.vehicle_key] });
  expect(await next()).toEqual(movedTo(device, 0));
  await lookAtOthers(testService);
  const stored = testService.connection.collection('devices');
  const moved = {
    'position.at': new Date(timeAt(10)),
    'position.lon': at(10).point.lon,
    last_transmission: new Date(),
  };
  await stored.updateOne({ key: device.device_key }, { $set: moved });
  await lookAtOthers(testService);
  expect(await next()).toEqual(movedTo(device, 10));
  await testService.connection
    .collection('api_keys')
    .updateOne({ key: device.owner.apiKeyKey }, { $set: { revoked: new Date() } });
  await testService.connection
    .collection<{ _id: string }>('permission_stamps')
    .updateOne({ _id: 'permissions' }, { $set: { stamp: 'another' } }, { upsert: true });
  await lookAtOthers(testService);
  expect(await next()).toEqual(ended('UNAUTHENTICATED'));
});

test('positions of other servers are looked for less often where that takes long', async () => {
  const device = await recordingDevice();
  await send(device, 0);
  const { next } = await follow(device.owner.headers, { vehicle_keys: [device.vehicle_key] });
  expect(await next()).toEqual(movedTo(device, 0));
  const begun = Date.now();
  let [seconds, duration] = [0, 0.1];
  const times = () => {
    seconds += duration;
    return begun + 1000 * seconds;
  };
  const look = looksAtOthers(testService, times);
  await look();
  const lookAt = async (time: number) => {
    [seconds, duration] = [time, 0];
    return (await queriesDuring(look)).map(({ collection }) => collection);
  };
  // A look of 100 ms is followed by one two seconds later.
  expect(await lookAt(1)).toEqual(['permission_stamps']);
  expect(await lookAt(3)).toEqual(['devices', 'permission_stamps']);
  expect(await lookAt(3.5)).toEqual(['devices', 'permission_stamps']);
});

test('a stream is sent as it comes, and ends with its service, so that the client connects again', async () => {
  const ending = await ingestHost();
  const { owner, vehicle_key, secret } = await recordingDevice();
  const portOfEnding = await listen(ending.app);
  const fetched = await httpsFetch();
  const headers = { ...owner.headers, accept: 'text/event-stream', 'content-type': 'application/json' };
  const body = JSON.stringify({ query: MOVED, variables: { vehicle_keys: [vehicle_key] } });
  const url = `https://127.0.0.1:${portOfEnding}/graphql`;
  const whole = fetched(url, { method: 'POST', headers: { ...headers, 'accept-encoding': 'br, gzip' }, body });
  const { next } = await subscribe(portOfEnding, MOVED, owner.headers, { vehicle_keys: [vehicle_key] });
  await ending.post(secret, { points: [at(0)] });
  expect(await next()).toHaveProperty('data.vehicle_moved.vehicle_key', vehicle_key);
  await ending.app.close();
  await expect(next()).rejects.toThrow();
  const answer = await whole;
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(answer.headers.get('content-encoding')).toBeNull();
  const text = await answer.text();
  expect(text).toMatch(/^:\n\nevent: next\ndata: \{.*\}\n\n$/);
});
