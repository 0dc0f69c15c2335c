import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { revokeGrant } from '../../../auth/grants.ts';
import { AccountStore, type AccountPlan } from '../../../models/account/account.ts';
import { SecurityEventStore } from '../../../models/account/security-event.ts';
import { ShareStore } from '../../../models/shares/share.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { deleteVehicle, updateVehicle } from '../../../resolvers/vehicles/write-vehicle.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { shareEndpoint } from '../../../pages/endpoints/share-endpoint.ts';
import { type SiteConfig, siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { gatewayEndpoint } from '../../../graphql/endpoint/gateway-endpoint.ts';
import { componentFiles } from '../../../pages/component/component-file.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { fitsScreens } from '../../browser/fits-screens.ts';
import { subscribe } from '../../clients/event-client.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService, changeSettings } from '../../services/database.ts';
import { recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { type OauthHost, oauthHost } from '../../hosts/oauth-host.ts';
import { testHost } from '../../hosts/test-host.ts';

useDatabase();

type Headers = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;
interface Issued extends Json {
  readonly key: string;
  readonly url: string;
  readonly embed_url: string | null;
}

let host: OauthHost;
let browser: Browser;
let config: SiteConfig;
beforeAll(async () => {
  host = await oauthHost(async (url) => {
    changeSettings({ siteUrl: url });
    const graphqlUrl = `${url}/graphql`;
    const addresses = { siteUrl: url, authUrl: url, baseUrl: `${url}/api/v2`, graphqlUrl };
    config = { ...addresses, mapboxAccessToken: null, dataDir: '', tlsCert: null, lan: null };
    return [
      await accountEndpoint(testService, new URL(addresses.baseUrl), new URL(url)),
      await gatewayEndpoint(testService, new URL(graphqlUrl), url, { trustedDocumentsOnly: false }),
      await siteEndpoint(testService, config, await componentFiles(config), async () => null),
      shareEndpoint(testService, config),
    ];
  });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await host.app.close();
});

let device: Awaited<ReturnType<typeof recordingDevice>>;
beforeEach(async () => {
  device = await recordingDevice();
});

const HOUR_MS = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

async function request(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Headers, body?: object) {
  const sent = { method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } };
  const answer = await host.fetch(`${host.issuer}/api/v2${path}`, {
    ...sent,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

async function share(what: Json, headers: Headers = device.owner.headers): Promise<Issued> {
  const { status, body } = await request('POST', '/shares', headers, what);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Last result of the stream of a share that has ended. */
const UNAUTHENTICATED = { errors: [expect.objectContaining({ extensions: { code: 'UNAUTHENTICATED' } })] };

const shareVehicle = () => share({ vehicle_key: device.vehicle_key, expires: inAnHour() });

/** A position some seconds from now, on a road that leads east. */
function at(seconds: number, ...events: string[]): SentPoint {
  const timestamp = new Date(Date.now() + seconds * 1000).toISOString();
  return { point: { lat: 53.0758, lon: 8.8 + seconds * 0.0001 }, timestamp, speed: 30, events };
}

async function record(...points: SentPoint[]): Promise<void> {
  const { status } = await request('POST', '/ingest', { authorization: `Bearer ${device.secret}` }, { points });
  expect(status).toBe(200);
  await leasedWorkEnded(testService);
}

/** The key of the vehicle's newest trip. */
async function newestTrip(): Promise<string> {
  const { body } = await request('GET', `/trips?vehicle_key=${device.vehicle_key}`, device.owner.headers);
  return body.trips[0].key;
}

const open = (url: string) => host.fetch(url);

/** The token that the page of a share has. */
async function tokenOf({ url }: Issued): Promise<string> {
  return /data-token="([^"]+)"/.exec(await (await open(url)).text())?.[1] ?? '';
}

async function ask(token: string, query: string, origin = host.issuer) {
  const headers = { authorization: `Bearer ${token}`, origin, 'content-type': 'application/json' };
  const answer = await host.fetch(`${host.issuer}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  return { status: answer.status, body: await answer.json() };
}

const TRIPS =
  '{ trips { nodes { key vehicle_key start_point { timestamp } end_point { timestamp } tags { value } } } }';

/** Trips that the page of a share can read. */
async function tripsOf(issued: Issued): Promise<Json[]> {
  const { body } = await ask(await tokenOf(issued), TRIPS);
  return body.data.trips.nodes;
}

describe('a share', () => {
  test('is made with its link, which no later answer has', async () => {
    const { url, embed_url, ...shown } = await shareVehicle();
    expect(embed_url).toBe(null);
    expect(embed_url).toBe(null);
    expect(url).toMatch(new RegExp(`^${host.issuer}/s/wb_share_[\\w-]{43}$`));
    expect(shown).toMatchObject({
      vehicle_key: device.vehicle_key,
      trip_key: null,
      opened_count: 0,
      last_opened: null,
    });
    const { headers } = device.owner;
    expect(await request('GET', `/share/${shown.key}`, headers)).toEqual({ status: 200, body: shown });
    expect(await request('GET', '/shares', headers)).toEqual({ status: 200, body: { shares: [shown] } });
    const stored = await ShareStore.find(unrestricted(testService));
    expect(JSON.stringify(stored)).not.toContain(url.split('/').at(-1));
  });

  test.each([
    [{}, 'Send one of vehicle_key, trip_key and group_key'],
    [{ vehicle_key: 'a', trip_key: 'b', expires: '2030-01-01' }, 'Send one of vehicle_key, trip_key and group_key'],
    [{ vehicle_key: 'a', group_key: 'b', expires: '2030-01-01' }, 'Send one of vehicle_key, trip_key and group_key'],
    [{ vehicle_key: 'OWN' }, 'expires is required'],
    [{ vehicle_key: 'OWN', expires: 'soon' }, 'expires'],
    [{ vehicle_key: 'OWN', ends_with_trip: true }, 'ends_with_trip requires trip_key'],
  ])('of %j is rejected', async (what: Json, message) => {
    const body = { ...what, ...(what.vehicle_key === 'OWN' && { vehicle_key: device.vehicle_key }) };
    const answer = await request('POST', '/shares', device.owner.headers, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: expect.stringContaining(message) } });
  });

  test('of a vehicle or a trip of another account is not made, read, changed or revoked', async () => {
    const { key } = await shareVehicle();
    await record(at(-20, 'engine_start'), at(-10));
    const trip_key = await newestTrip();
    const { headers } = await account();
    const rejected = { status: 404, body: null };
    const expires = inAnHour();
    expect(await request('POST', '/shares', headers, { vehicle_key: device.vehicle_key, expires })).toEqual(rejected);
    expect(await request('POST', '/shares', headers, { trip_key, expires })).toEqual(rejected);
    expect(await request('GET', `/share/${key}`, headers)).toEqual(rejected);
    expect(await request('POST', `/share/${key}`, headers, { expires })).toEqual(rejected);
    expect(await request('DELETE', `/share/${key}`, headers)).toEqual(rejected);
    expect(await request('GET', '/shares', headers)).toEqual({ status: 200, body: { shares: [] } });
  });
});

test('the security log tells of shares that are made, ended and revoked, and by whom', async () => {
  const { headers } = device.owner;
  const user_key = await user(device.owner.key);
  const app = await appFor(user_key, ['account_activity.read', 'account_activity.manage']);
  const made = await share({ vehicle_key: device.vehicle_key, expires: inAnHour() }, app.headers);
  await request('POST', `/share/${made.key}`, headers, { expires: inAnHour() });
  await request('POST', `/share/${made.key}`, headers, { expires: new Date().toISOString() });
  await request('DELETE', `/share/${made.key}`, headers);
  const accessScope = accountAccessScope(testService, device.owner.key);
  const logged = await SecurityEventStore.find(accessScope, { subject: made.key }).sort({ _id: 1 });
  expect(logged.map(({ kind, actor, user_key: of }) => [kind, actor, of])).toEqual([
    ['share_created', 'app', user_key],
    ['share_ended', 'owner', null],
    ['share_ended', 'owner', null],
  ]);
});

describe('an app', () => {
  const SCOPES = ['account_activity.read', 'account_activity.manage'];

  test('shares vehicles of the groups of its user alone, and lists what it has shared', async () => {
    const north = await group(device.owner.key, 'North');
    const inside = await vehicle(device.owner.key, [north]);
    await shareVehicle();
    const app = await appFor(await user(device.owner.key, [north]), SCOPES);
    const { headers } = app;
    const what = { vehicle_key: device.vehicle_key, expires: inAnHour() };
    expect(await request('POST', '/shares', headers, what)).toEqual({ status: 404, body: null });
    const { key } = await share({ ...what, vehicle_key: inside }, headers);
    expect((await request('GET', '/shares', headers)).body.shares).toMatchObject([{ key }]);
    expect((await request('GET', '/shares', device.owner.headers)).body.shares).toHaveLength(2);
  });

  test('without account_activity.manage shares nothing, nor do viewers and drivers', async () => {
    const readers = [
      await appFor(await user(device.owner.key), ['account_activity.read']),
      await appFor(await user(device.owner.key, [], { account_role: 'viewer' }), SCOPES),
      await appFor(await user(device.owner.key, [], { account_role: 'driver' }), SCOPES),
    ];
    for (const { headers } of readers) {
      const what = { vehicle_key: device.vehicle_key, expires: inAnHour() };
      expect(await request('POST', '/shares', headers, what)).toMatchObject({
        status: 403,
      });
    }
  });

  test('that has lost its grant has no shares any more', async () => {
    const app = await appFor(await user(device.owner.key), SCOPES);
    const { headers } = app;
    const issued = await share({ vehicle_key: device.vehicle_key, expires: inAnHour() }, headers);
    const token = await tokenOf(issued);
    expect(await ask(token, TRIPS)).toMatchObject({ status: 200 });
    await revokeGrant(testService, app.grant.grant_hash);
    expect(await ask(token, TRIPS)).toMatchObject({ status: 401 });
    expect((await open(issued.url)).status).toBe(404);
  });
});

describe('whoever has the link', () => {
  test('sees of a vehicle what was recorded since the link was made', async () => {
    await record(at(-7200, 'engine_start'), at(-7190), at(-7180, 'engine_stop'));
    await record(at(-20, 'engine_start'), at(-10));
    const issued = await shareVehicle();
    expect(await tripsOf(issued)).toEqual([]);
    const moved = at(1);
    await record(moved, at(2));
    const [trip, ...others] = await tripsOf(issued);
    expect(others).toEqual([]);
    expect(Date.parse(String(Object(trip?.start_point).timestamp))).toBe(
      Math.floor(Date.parse(moved.timestamp) / 1000) * 1000,
    );
  });

  test('sees of a trip that trip alone', async () => {
    await record(at(-7200, 'engine_start'), at(-7190), at(-7180, 'engine_stop'));
    const trip_key = await newestTrip();
    await record(at(-20, 'engine_start'), at(-10));
    const other = await newestTrip();
    const issued = await share({ trip_key, expires: inAnHour() });
    expect(await tripsOf(issued)).toMatchObject([{ key: trip_key, tags: [] }]);
    const token = await tokenOf(issued);
    expect((await ask(token, `{ trip(key: "${other}") { key } }`)).body.errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
  });

  test('sees nothing inside privacy zones', async () => {
    const issued = await shareVehicle();
    await record(at(1, 'engine_start'), at(2));
    expect(await tripsOf(issued)).toHaveLength(1);
    await createPrivacyZone(accountAccessScope(testService, device.owner.key), {
      lat: 53.0758,
      lon: 8.8,
      radius_meters: 500,
    });
    expect(await tripsOf(issued)).toEqual([]);
  });

  test('reads no other vehicle and nothing else of the account, nor from another page', async () => {
    const token = await tokenOf(await shareVehicle());
    const other = await vehicle(device.owner.key);
    expect(await ask(token, `{ trips(vehicle_key: "${other}") { nodes { key } } }`)).toMatchObject({ status: 401 });
    for (const query of ['{ vehicles { nodes { key } } }', '{ account { key } }', '{ shares { nodes { key } } }']) {
      expect(await ask(token, query), query).toMatchObject({ status: 403 });
    }
    expect(await ask(token, TRIPS, 'https://elsewhere.example')).toMatchObject({ status: 401 });
    expect(await request('GET', '/trips', { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });
  });

  test('sees nothing once it is revoked, has ended or its vehicle is deleted', async () => {
    const { headers } = device.owner;
    const [revoked, ended, deleted] = [await shareVehicle(), await shareVehicle(), await shareVehicle()];
    const tokens = await Promise.all([revoked, ended, deleted].map(tokenOf));
    expect(await request('DELETE', `/share/${revoked.key}`, headers)).toMatchObject({ status: 200 });
    const expires = new Date().toISOString();
    expect(await request('POST', `/share/${ended.key}`, headers, { expires })).toMatchObject({ status: 200 });
    expect((await open(ended.url)).status).toBe(410);
    await deleteVehicle(accountAccessScope(testService, device.owner.key), device.vehicle_key);
    expect((await open(deleted.url)).status).toBe(404);
    for (const token of tokens) expect(await ask(token, TRIPS)).toMatchObject({ status: 401 });
    const unknown = await (await open(`${host.issuer}/s/wb_share_unknown`)).text();
    expect(await (await open(revoked.url)).text()).toBe(unknown);
  });

  test('sees nothing once the account has lost its plan, and again when it has it back', async () => {
    const issued = await shareVehicle();
    const token = await tokenOf(issued);
    const setPlan = (account_plan: AccountPlan) =>
      AccountStore.updateOne(unrestricted(testService), { key: device.owner.key }, { account_plan });
    await setPlan('basic');
    expect(await ask(token, TRIPS)).toMatchObject({ status: 401 });
    expect((await open(issued.url)).status).toBe(404);
    await setPlan('premium');
    expect(await ask(token, TRIPS)).toMatchObject({ status: 200 });
  });

  test('follows the vehicle by a stream, which ends when the share is revoked', async () => {
    const issued = await shareVehicle();
    const headers = { authorization: `Bearer ${await tokenOf(issued)}`, origin: host.issuer };
    const moved = 'subscription ($keys: [String!]) { vehicle_moved(vehicle_keys: $keys) { vehicle_key } }';
    const { port } = new URL(host.issuer);
    const { next } = await subscribe(Number(port), moved, headers, { keys: [device.vehicle_key] });
    await record(at(1, 'engine_start'));
    expect(await next()).toEqual({ data: { vehicle_moved: { vehicle_key: device.vehicle_key } } });
    await request('DELETE', `/share/${issued.key}`, device.owner.headers);
    expect(await next()).toEqual(UNAUTHENTICATED);
  });

  test.each(['an engine start', 'a pause'])(
    'follows a vehicle on the trip that is shared to its end, and not on the next, which follows %s',
    async (parting) => {
      const byEngine = parting === 'an engine start';
      const begin = byEngine ? 0 : -900;
      const [first, second, third] = [at(begin), at(begin + 1), at(begin + 2, ...(byEngine ? ['engine_stop'] : []))];
      const next = byEngine ? at(3, 'engine_start') : at(3);
      await record(byEngine ? at(-10, 'engine_start') : at(begin - 10), first);
      const issued = await share({ trip_key: await newestTrip(), expires: inAnHour() });
      const headers = { authorization: `Bearer ${await tokenOf(issued)}`, origin: host.issuer };
      const moved =
        'subscription ($keys: [String!]) { vehicle_moved(vehicle_keys: $keys) { vehicle_location { timestamp } } }';
      const { port } = new URL(host.issuer);
      const stream = await subscribe(Number(port), moved, headers, { keys: [device.vehicle_key] });
      const timeOf = ({ timestamp }: SentPoint) => ({ timestamp: timestamp.replace(/\.\d+Z$/, '+00:00') });
      const movement = (point: SentPoint) => ({ data: { vehicle_moved: { vehicle_location: timeOf(point) } } });
      expect(await stream.next()).toEqual(movement(first));
      const other = await recordingDevice(device.owner);
      await request('POST', `/device/${other.device_key}`, device.owner.headers, { vehicle_key: device.vehicle_key });
      await request('POST', '/ingest', { authorization: `Bearer ${other.secret}` }, { points: [at(0)] });
      for (const point of [second, third]) {
        await record(point);
        expect(await stream.next()).toEqual(movement(point));
      }
      await record(next);
      await request('DELETE', `/share/${issued.key}`, device.owner.headers);
      expect(await stream.next()).toEqual(UNAUTHENTICATED);
    },
  );

  test('follows a trip that is shared until late positions make it part of another', async () => {
    await record(at(-600), at(-590));
    await record(at(-100), at(-90));
    const issued = await share({ trip_key: await newestTrip(), expires: inAnHour() });
    const moved = 'subscription ($keys: [String!]) { vehicle_moved(vehicle_keys: $keys) { vehicle_key } }';
    const headers = { authorization: `Bearer ${await tokenOf(issued)}`, origin: host.issuer };
    const stream = await subscribe(Number(new URL(host.issuer).port), moved, headers, { keys: [device.vehicle_key] });
    expect(await stream.next()).toHaveProperty('data');
    await record(at(-340));
    expect(await stream.next()).toEqual(UNAUTHENTICATED);
    expect((await open(issued.url)).status).toBe(404);
  });

  test('sees a trip until it is over if the share ends with it', async () => {
    await record(at(-20, 'engine_start'), at(-10));
    const issued = await share({ trip_key: await newestTrip(), ends_with_trip: true });
    const token = await tokenOf(issued);
    expect(await tripsOf(issued)).toHaveLength(1);
    const moved = 'subscription ($keys: [String!]) { vehicle_moved(vehicle_keys: $keys) { vehicle_key } }';
    const headers = { authorization: `Bearer ${token}`, origin: host.issuer };
    const stream = await subscribe(Number(new URL(host.issuer).port), moved, headers, { keys: [device.vehicle_key] });
    expect(await stream.next()).toHaveProperty('data');
    await record(at(0, 'engine_stop'));
    // The end of the trip may still come before.
    let last = await stream.next();
    while (last?.data) last = await stream.next();
    expect(last).toEqual(UNAUTHENTICATED);
    expect(await ask(token, TRIPS)).toMatchObject({ status: 401 });
    expect((await open(issued.url)).status).toBe(410);
  });
});

describe('a share of a group', () => {
  const MOVED = 'subscription { vehicle_moved { vehicle_key nickname vehicle_location { timestamp } } }';
  let north: Awaited<ReturnType<typeof group>>;
  const inGroup = (of: { readonly vehicle_key: string }, ...groups: readonly { readonly key: string }[]) =>
    updateVehicle(accountAccessScope(testService, device.owner.key), of.vehicle_key, {
      group_keys: groups.map(({ key }) => key),
    });
  const shareGroup = (headers?: Headers) => share({ group_key: north.key, expires: inAnHour() }, headers);
  const recordBy = async ({ secret }: { readonly secret: string }, ...points: SentPoint[]) => {
    await request('POST', '/ingest', { authorization: `Bearer ${secret}` }, { points });
    await leasedWorkEnded(testService);
  };
  const follow = async (issued: Issued) => {
    const headers = { authorization: `Bearer ${await tokenOf(issued)}`, origin: host.issuer };
    const { next } = await subscribe(Number(new URL(host.issuer).port), MOVED, headers);
    return async () => Object(await next()).data?.vehicle_moved ?? null;
  };
  const vehiclesOf = async (issued: Issued) => new Set((await tripsOf(issued)).map((trip) => Object(trip).vehicle_key));
  let other: typeof device;
  let outside: typeof device;
  beforeEach(async () => {
    north = await group(device.owner.key, 'North');
    other = await recordingDevice(device.owner);
    outside = await recordingDevice(device.owner);
    for (const one of [device, other]) await inGroup(one, north);
  });

  test('shows trips of all its vehicles since it was made, and of no others', async () => {
    await record(at(-7200, 'engine_start'), at(-7190), at(-7180, 'engine_stop'));
    const issued = await shareGroup();
    expect(issued).toMatchObject({ vehicle_key: null, trip_key: null, group_key: north.key });
    for (const one of [device, other, outside]) await recordBy(one, at(1, 'engine_start'), at(2, 'engine_stop'));
    expect(await tripsOf(issued)).toHaveLength(2);
    expect(await vehiclesOf(issued)).toEqual(new Set([device.vehicle_key, other.vehicle_key]));
    const token = await tokenOf(issued);
    const tripsBy = (key: string) => ask(token, `{ trips(vehicle_key: "${key}") { nodes { key } } }`);
    expect((await tripsBy(other.vehicle_key)).body.data.trips.nodes).toHaveLength(1);
    expect(await tripsBy(outside.vehicle_key)).toMatchObject({ status: 401 });
    const { body } = await request('GET', `/trips?vehicle_key=${outside.vehicle_key}`, device.owner.headers);
    expect((await ask(token, `{ trip(key: "${body.trips[0].key}") { key } }`)).body.errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
  });

  test('follows all of them by one stream, also those that join it, and tells of those that leave it', async () => {
    const next = await follow(await shareGroup());
    for (const one of [outside, device, other]) await recordBy(one, at(1, 'engine_start'));
    const keys = [await next(), await next()].map(({ vehicle_key }) => vehicle_key);
    expect(new Set(keys)).toEqual(new Set([device.vehicle_key, other.vehicle_key]));
    await inGroup(outside, north);
    expect(await next()).toMatchObject({ vehicle_key: outside.vehicle_key });
    await inGroup(device);
    expect(await next()).toEqual({ vehicle_key: device.vehicle_key, nickname: null, vehicle_location: null });
    await recordBy(device, at(3));
    await recordBy(other, at(3));
    expect(await next()).toMatchObject({ vehicle_key: other.vehicle_key });
    const body = { nickname: 'New van', group_keys: [north.key] };
    const created = (await request('POST', '/vehicles', device.owner.headers, body)).body;
    await request('POST', `/device/${device.device_key}`, device.owner.headers, { vehicle_key: created.key });
    await recordBy(device, at(5));
    expect(await next()).toMatchObject({ vehicle_key: created.key, nickname: 'New van' });
  });

  test('ends with its end, and with the sight that its creator has of the group', async () => {
    const { headers } = device.owner;
    const app = await appFor(await user(device.owner.key, [north]), [
      'account_activity.read',
      'account_activity.manage',
    ]);
    const [revoked, ended, ofApp] = [await shareGroup(), await shareGroup(), await shareGroup(app.headers)];
    const tokens = await Promise.all([revoked, ended, ofApp].map(tokenOf));
    const next = await follow(revoked);
    await record(at(1, 'engine_start'));
    expect(await next()).toMatchObject({ vehicle_key: device.vehicle_key });
    await request('DELETE', `/share/${revoked.key}`, headers);
    expect(await next()).toBe(null);
    await request('POST', `/share/${ended.key}`, headers, { expires: new Date().toISOString() });
    await revokeGrant(testService, app.grant.grant_hash);
    for (const token of tokens) expect(await ask(token, TRIPS)).toMatchObject({ status: 401 });
    expect((await open(ended.url)).status).toBe(410);
    for (const { url } of [revoked, ofApp]) expect((await open(url)).status).toBe(404);
  });

  test('shows nothing inside privacy zones', async () => {
    const issued = await shareGroup();
    for (const one of [device, other]) await recordBy(one, at(1, 'engine_start'), at(2));
    expect(await tripsOf(issued)).toHaveLength(2);
    const zone = { lat: 53.0758, lon: 8.8, radius_meters: 500 };
    await createPrivacyZone(accountAccessScope(testService, device.owner.key), zone);
    expect(await tripsOf(issued)).toEqual([]);
  });

  test('is rejected of a group that the caller does not see, or with more than 50 vehicles; those that join are not shown', async () => {
    const south = await group(device.owner.key, 'South');
    const app = await appFor(await user(device.owner.key, [south]), [
      'account_activity.read',
      'account_activity.manage',
    ]);
    const what = { group_key: north.key, expires: inAnHour() };
    for (const { headers } of [app, await account()]) {
      expect(await request('POST', '/shares', headers, what)).toEqual({ status: 404, body: null });
    }
    for (let more = 3; more <= 50; more++) await vehicle(device.owner.key, [north]);
    const issued = await shareGroup();
    const late = await recordingDevice(device.owner);
    await inGroup(late, north);
    for (const one of [device, late]) await recordBy(one, at(1, 'engine_start'), at(2, 'engine_stop'));
    expect(await vehiclesOf(issued)).toEqual(new Set([device.vehicle_key]));
    expect(await request('POST', '/shares', device.owner.headers, what)).toEqual({
      status: 400,
      body: { errors: 'group_key has 51 vehicles, and a share shows at most 50' },
    });
  });

  test('is a page with the name of the group', async () => {
    const { url } = await shareGroup();
    expect(await (await open(url)).text()).toContain('<h1>North</h1>');
  });
});

describe('the image of a share', () => {
  const image = (url: string, format: 'svg' | 'png') => open(`${url}/trip.${format}`);
  /** Lines of trips, of which those across gaps are none. */
  const linesIn = (svg: string): number => svg.match(/stroke-width="4.5"\/>/g)?.length ?? 0;

  test('is the lines that its page shows, as SVG and as PNG, which any page may show and nobody stores', async () => {
    await record(at(-7200, 'engine_start'), at(-7100), at(-7000, 'engine_stop'));
    await record(at(-60, 'engine_start'), at(-10));
    const { key, url } = await share({ trip_key: await newestTrip(), expires: inAnHour() });
    const [svg, png] = [await image(url, 'svg'), await image(url, 'png')];
    expect(linesIn(await svg.text())).toBe(1);
    expect(await sharp(await png.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    for (const { headers } of [svg, png]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      });
    }
    expect([svg, png].map(({ headers }) => headers.get('content-type'))).toEqual([
      'image/svg+xml; charset=utf-8',
      'image/png',
    ]);
    const { body } = await request('GET', `/share/${key}`, device.owner.headers);
    expect(body).toMatchObject({ opened_count: 2 });
  });

  test('has of a vehicle what was recorded since the link was made, and nothing inside privacy zones', async () => {
    await record(at(-60, 'engine_start'), at(-10));
    const { url } = await shareVehicle();
    const lines = async () => linesIn(await (await image(url, 'svg')).text());
    expect(await lines()).toBe(0);
    await record(at(1), at(20), at(40));
    expect(await lines()).toBe(1);
    await createPrivacyZone(accountAccessScope(testService, device.owner.key), {
      lat: 53.0758,
      lon: 8.8,
      radius_meters: 5000,
    });
    const hidden = await (await image(url, 'svg')).text();
    expect(linesIn(hidden)).toBe(0);
    expect(hidden).not.toContain('<circle');
  });

  test('ends as its page does', async () => {
    const [ended, revoked] = [await shareVehicle(), await shareVehicle()];
    const { headers } = device.owner;
    await request('POST', `/share/${ended.key}`, headers, { expires: new Date().toISOString() });
    await request('DELETE', `/share/${revoked.key}`, headers);
    for (const { url } of [ended, revoked, { url: `${host.issuer}/s/wb_share_unknown` }]) {
      const page = await open(url);
      const text = await page.text();
      for (const format of ['svg', 'png'] as const) {
        const answer = await image(url, format);
        expect([answer.status, await answer.text()]).toEqual([page.status, text]);
      }
    }
  });

  test('is drawn from 500 positions of a trip at most', async () => {
    const points = Array.from({ length: 990 }, (_, second) => ({
      ...at(second - 1000),
      point: { lat: 53 + Math.sin(second / 2) / 900, lon: 8.8 + second / 10_000 },
    }));
    await record(...points);
    const { url } = await share({ trip_key: await newestTrip(), expires: inAnHour() });
    const [, line = ''] = /<path d="(M[^"]*)" stroke="#2563eb"/.exec(await (await image(url, 'svg')).text()) ?? [];
    expect(line.match(/[ML]/g)?.length).toBeGreaterThan(300);
    expect(line.match(/[ML]/g)?.length).toBeLessThanOrEqual(500);
  });

  test('stands on the page where scripts do not run, and is named nowhere in it', async () => {
    const { url } = await shareVehicle();
    await record(at(1, 'engine_start'), at(20));
    const text = await (await open(url)).text();
    expect(text).not.toContain('og:image');
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    const drawn = page.locator('.map-frame img');
    expect(await drawn.getAttribute('alt')).toContain('Lines of the trips');
    await expect.poll(() => drawn.boundingBox()).toMatchObject({ width: expect.any(Number) });
    await context.close();
  });
});

describe('the page of a share', () => {
  test('runs no scripts but its own, sends no referrer, and is neither stored nor indexed', async () => {
    const { url } = await shareVehicle();
    for (const address of [url, `${host.issuer}/s/unknown`]) {
      const { headers } = await open(address);
      expect(headers.get('content-security-policy')).toMatch(/script-src 'nonce-[\w-]+';/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toContain('noindex');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('is logged without its secret', async () => {
    const { url } = await shareVehicle();
    const { app, lines } = await testHost([shareEndpoint(testService, config)]);
    const secret = String(url.split('/').at(-1));
    for (const path of ['', '/trip.svg', '/trip.png']) {
      await app.inject({ url: `/s/${secret}${path}`, headers: { host: 'localhost' } });
    }
    expect(lines.join('\n')).toContain('/s/');
    expect(lines.join('\n')).not.toContain(secret);
  });

  test('is counted each time it is opened', async () => {
    const { key, url } = await shareVehicle();
    await open(url);
    await open(url);
    const { body } = await request('GET', `/share/${key}`, device.owner.headers);
    expect(body).toMatchObject({ opened_count: 2, last_opened: expect.any(String) });
  });

  test('shows the vehicle on a phone, follows it, and goes dark when the link is revoked', async () => {
    const { key, url } = await shareVehicle();
    await record(at(1, 'engine_start'), at(20), at(40));
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.goto(url);
    const becomes = (script: string) => expect.poll(() => page.evaluate(script)).toBe(true);
    await becomes("document.querySelector('service-trips-map')?.trips.length === 1");
    await becomes("document.querySelector('service-trips-map').shadowRoot.querySelector('[part~=live-age]') !== null");
    await record(at(60));
    await becomes("document.querySelector('service-trips-map').trips[0]?.durationSeconds > 50");
    const facts = page.locator('.facts');
    await expect.poll(() => facts.innerText()).toMatch(/State\s+Driving\s+Speed\s+30 mph\s+Last update\s+\d+ sec ago/);
    await fitsScreens(page, 'share');
    expect(await request('DELETE', `/share/${key}`, device.owner.headers)).toMatchObject({ status: 200 });
    await page.waitForSelector('.share-ended');
    expect(await page.locator('service-trips-map').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('of a trip that has ended has its date, length and duration, and a replay instead of a live position', async () => {
    await record(at(-7200, 'engine_start'), at(-7100), at(-7000), at(-6960, 'engine_stop'));
    const trip_key = await newestTrip();
    const { url } = await share({ trip_key, expires: inAnHour() });
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(url);
    const facts = page.locator('.facts');
    await expect
      .poll(() => facts.innerText())
      .toMatch(/^Date\s+\w+, .*\s+Time\s.*\s+Distance\s+[\d.]+ mi\s+Duration\s+4 min$/);
    await page.locator('[part=replay]').waitFor();
    expect(await page.getByText('Waiting for a position').count()).toBe(0);
    await page.close();
  });
});
