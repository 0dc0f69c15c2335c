import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { Admission } from '../../../http/admission/admission.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { ORIGIN } from '../../clients/graphql-client.ts';
import { issueIngestKey, revokeIngestKey } from '../../../auth/ingest-keys.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { device as addedDevice } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { shownPositions } from '../../hosts/stored-positions.ts';
import { testHost } from '../../hosts/test-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let app: FastifyInstance;
beforeAll(async () => {
  host = await ingestHost();
  ({ app } = host);
});
afterAll(() => app.close());
afterEach(() => {
  vi.useRealTimers();
});

type Device = Awaited<ReturnType<typeof recordingDevice>>;
type Headers = Readonly<Record<string, string>>;

const START = Date.UTC(2026, 2, 1, 12);
const secondsAt = (minute: number) => START / 1000 + minute * 60;
const KMH = 1.609344;

const minutesOf = (points: readonly { readonly timestamp: string }[]) =>
  points.map(({ timestamp }) => Number(timestamp.slice(14, 16)));

const basic = (password: string, login = 'jane') => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

async function send(method: 'GET' | 'POST', url: string, headers: Headers, payload?: string) {
  const {
    statusCode,
    body,
    headers: answered,
  } = await app.inject({
    method,
    url: `/api/v2/ingest/${url}`,
    headers: { host: 'localhost', ...headers },
    ...(payload !== undefined && { payload }),
  });
  return { status: statusCode, body: body === '' ? '' : (JSON.parse(body) as unknown), headers: answered };
}

const JSON_BODY = { 'content-type': 'application/json' };
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' };

describe('OwnTracks', () => {
  /** A location as the Android app sends it. */
  const location = (minute: number, more: Readonly<Record<string, unknown>> = {}) => ({
    _type: 'location',
    BSSID: '02:00:00:00:00:00',
    SSID: 'Depot',
    _id: 'c5bf0e62',
    acc: 12,
    alt: 67,
    batt: 78,
    bs: 1,
    cog: 91,
    conn: 'm',
    created_at: secondsAt(minute) + 1,
    inregions: [],
    lat: 53.0758 + minute * 0.001,
    lon: 8.8072,
    m: 2,
    source: 'fused',
    t: 't',
    tid: 'JJ',
    topic: 'owntracks/jane/phone',
    tst: secondsAt(minute),
    vac: 3,
    vel: 50,
    ...more,
  });
  const post = (password: string, message: unknown, headers: Headers = {}) => {
    const payload = typeof message === 'string' ? message : JSON.stringify(message);
    return send('POST', 'owntracks', { ...JSON_BODY, 'x-limit-u': 'jane', ...basic(password), ...headers }, payload);
  };

  test('a location is a position; the answer is an empty list', async () => {
    const device = await recordingDevice();
    const answer = await post(device.secret, location(1));
    expect([answer.status, answer.body]).toEqual([200, []]);
    expect(await shownPositions(device)).toEqual([
      {
        timestamp: '2026-03-01T12:01:00+00:00',
        point: { lat: 53.0768, lon: 8.8072 },
        speed: expect.closeTo(50 / KMH, 1),
        heading: 91,
        events: [],
        odometer: null,
        fuel_level: null,
        battery_level: 78,
        ignition: null,
      },
    ]);
  });

  test('a tracker behind it tells of odometer, fuel and ignition', async () => {
    const device = await recordingDevice();
    await post(device.secret, location(1, { odometer: 1609.344, flvl: 40.5, ign: true }));
    expect(await shownPositions(device)).toMatchObject([{ odometer: 1000, fuel_level: 40.5, ignition: true }]);
  });

  test('a drive that comes late, out of order and twice, with a pause, is two trips in order', async () => {
    const device = await recordingDevice();
    for (const minute of [3, 1, 2, 20, 3, 21, 1, 0])
      expect((await post(device.secret, location(minute))).status).toBe(200);
    expect(minutesOf(await shownPositions(device))).toEqual([0, 1, 2, 3, 20, 21]);
    const { data } = await host.graphql(
      `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { point_count } } }`,
      device.owner.headers,
    );
    expect(data).toEqual({ trips: { nodes: [{ point_count: 4 }, { point_count: 2 }] } });
  });

  test.each([
    [
      'a transition',
      { _type: 'transition', event: 'enter', lat: 53, lon: 8, tst: secondsAt(1), wtst: 1, desc: 'Depot' },
    ],
    ['a last will', { _type: 'lwt', tst: secondsAt(1) }],
    ['a status', { _type: 'status', android: { hib: 0 } }],
    ['an encrypted message', { _type: 'encrypted', data: 'NdNvXb' }],
    ['a dump without a type', { configuration: {} }],
    ['nothing, as after a friend was deleted', ''],
    ['a location in the future', { _type: 'location', lat: 53, lon: 8, tst: 4_928_083_200 }],
    ['a location at the beginning of time', { _type: 'location', lat: 53, lon: 8, tst: 0 }],
  ])('%s is answered like the others, so that the app sends on, and is no position', async (_, message) => {
    const device = await recordingDevice();
    const answer = await post(device.secret, message);
    expect([answer.status, answer.body]).toEqual([200, []]);
    expect(await shownPositions(device)).toEqual([]);
  });

  test('a message is read whatever is said of its type', async () => {
    const device = await recordingDevice();
    await post(device.secret, location(1), FORM_BODY);
    expect(minutesOf(await shownPositions(device))).toEqual([1]);
  });

  test('a device in no vehicle is 400, so that the app keeps what it has', async () => {
    const { owner } = await recordingDevice();
    const { key } = await addedDevice(owner.key);
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key: key });
    expect(await post(secret, location(1))).toMatchObject({
      status: 400,
      body: { errors: 'The device is not assigned to a vehicle' },
    });
  });

  test('the key may be a bearer token, too', async () => {
    const device = await recordingDevice();
    await post('', location(1), { authorization: `Bearer ${device.secret}` });
    expect(minutesOf(await shownPositions(device))).toEqual([1]);
  });

  test.each([
    ['a wrong password', async () => basic('wb_device_unknown')],
    ['no password', async () => basic('')],
    ['a forwarder key', async ({ owner }: Device) => basic((await forwarder(owner.key)).secret)],
    ['two credentials', async ({ secret }: Device) => ({ ...basic(secret), 'service-api-key': secret })],
    ['an API key', async ({ owner }: Device) => ({ ...owner.headers, authorization: '' })],
  ])('%s is 401', async (_, headers) => {
    const device = await recordingDevice();
    const payload = JSON.stringify(location(1));
    expect((await send('POST', 'owntracks', { ...JSON_BODY, ...(await headers(device)) }, payload)).status).toBe(401);
    expect(await shownPositions(device)).toEqual([]);
  });
});

describe('Overland', () => {
  /** A location as the iOS app sends it. */
  const location = (minute: number, more: Readonly<Record<string, unknown>> = {}) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [8.8072, 53.0758 + minute * 0.001] },
    properties: {
      timestamp: `2026-03-01T04:${String(minute).padStart(2, '0')}:00-0800`,
      altitude: 67,
      speed: 13.4112,
      speed_accuracy: 1,
      course: 91,
      horizontal_accuracy: 5,
      vertical_accuracy: 3,
      motion: ['driving'],
      battery_state: 'unplugged',
      battery_level: 0.78,
      device_id: 'jane',
      wifi: '',
      ...more,
    },
  });
  const post = (secret: string, message: unknown) =>
    send('POST', 'overland', { ...JSON_BODY, authorization: `Bearer ${secret}` }, JSON.stringify(message));

  test('all locations of a message are positions; the answer is the receipt for which the app deletes them', async () => {
    const device = await recordingDevice();
    const locations = [location(2, { speed: -1, course: -1, battery_level: -1 }), location(1)];
    const answer = await post(device.secret, { locations, current: location(9), trip: {} });
    expect([answer.status, answer.body]).toEqual([200, { result: 'ok' }]);
    expect(await shownPositions(device)).toEqual([
      {
        timestamp: '2026-03-01T12:01:00+00:00',
        point: { lat: 53.0768, lon: 8.8072 },
        speed: 30,
        heading: 91,
        events: [],
        odometer: null,
        fuel_level: null,
        battery_level: 78,
        ignition: null,
      },
      expect.objectContaining({
        timestamp: '2026-03-01T12:02:00+00:00',
        speed: null,
        heading: null,
        battery_level: null,
      }),
    ]);
  });

  test('what can be stored is, beside what cannot', async () => {
    const device = await recordingDevice();
    const locations = [
      { type: 'Feature', geometry: null, properties: { timestamp: '2026-03-01T12:09:00Z' } },
      location(1),
      location(2, { horizontal_accuracy: -1 }),
      location(3, { timestamp: 'noon' }),
      location(4, { action: 'visit' }),
      location(5, { type: 'trip', mode: 'car' }),
      'nothing',
      location(6),
    ];
    expect((await post(device.secret, { locations })).body).toEqual({ result: 'ok' });
    expect(minutesOf(await shownPositions(device))).toEqual([1, 6]);
  });

  test('a queue of more positions than other messages may have is stored', async () => {
    const device = await recordingDevice();
    const locations = Array.from({ length: 1200 }, (_, second) =>
      location(second / 60, { timestamp: new Date(START + second * 1000).toISOString() }),
    );
    expect((await post(device.secret, { locations })).status).toBe(200);
    const { data } = await host.graphql(
      `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { point_count } } }`,
      device.owner.headers,
    );
    expect(data).toEqual({ trips: { nodes: [{ point_count: 1200 }] } });
  });

  test.each([
    ['no location', { locations: [] }],
    ['none that can be stored', { locations: [location(1, { timestamp: 'noon' })] }],
    ['no list', {}],
  ])('%s is answered like the others', async (_, message) => {
    const device = await recordingDevice();
    expect(await post(device.secret, message)).toMatchObject({ status: 200, body: { result: 'ok' } });
    expect(await shownPositions(device)).toEqual([]);
  });

  test('a device in no vehicle is 400, so that the app keeps what it has', async () => {
    const { owner } = await recordingDevice();
    const { key } = await addedDevice(owner.key);
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key: key });
    expect((await post(secret, { locations: [location(1)] })).status).toBe(400);
  });

  test.each([
    ['a wrong key', async () => ({ authorization: 'Bearer wb_device_unknown' })],
    ['no key', async () => ({})],
    ['a password', async ({ secret }: Device) => basic(secret)],
    [
      'a forwarder key',
      async ({ owner }: Device) => ({ authorization: `Bearer ${(await forwarder(owner.key)).secret}` }),
    ],
    ['an API key', async ({ owner }: Device) => owner.headers],
  ])('%s is 401', async (_, headers: (device: Device) => Promise<Headers>) => {
    const device = await recordingDevice();
    const payload = JSON.stringify({ locations: [location(1)] });
    expect((await send('POST', 'overland', { ...JSON_BODY, ...(await headers(device)) }, payload)).status).toBe(401);
    expect(await shownPositions(device)).toEqual([]);
  });
});

const forwarder = (account_key: string) => issueIngestKey(testService, { account_key, device_key: null });

describe('OsmAnd', () => {
  /** An address as Traccar Client 8 requests it. */
  const address = (id: string, minute: number, more: Readonly<Record<string, string>> = {}) =>
    `osmand?${new URLSearchParams({
      id,
      timestamp: String(secondsAt(minute)),
      lat: String(53.0758 + minute * 0.001),
      lon: '8.8072',
      speed: '20.0',
      bearing: '180.0',
      altitude: '12.0',
      accuracy: '5.0',
      batt: '85.0',
      ...more,
    })}`;

  test.each(['GET', 'POST'] as const)('the parameters of a %s are a position', async (method) => {
    const device = await recordingDevice();
    const answer = await send(method, address(device.secret, 1), {});
    expect(answer).toMatchObject({ status: 200, body: { accepted: 1, duplicates: 0, refused: null } });
    expect(await shownPositions(device)).toEqual([
      {
        timestamp: '2026-03-01T12:01:00+00:00',
        point: { lat: 53.0768, lon: 8.8072 },
        speed: expect.closeTo(23.02, 1),
        heading: 180,
        events: [],
        odometer: null,
        fuel_level: null,
        battery_level: 85,
        ignition: null,
      },
    ]);
  });

  test('a form is a position', async () => {
    const device = await recordingDevice();
    const form = address(device.secret, 1).split('?')[1] ?? '';
    expect(await send('POST', 'osmand', FORM_BODY, form)).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect(minutesOf(await shownPositions(device))).toEqual([1]);
  });

  test.each([
    ['seconds', String(secondsAt(1))],
    ['milliseconds', String(secondsAt(1) * 1000)],
    ['ISO 8601', '2026-03-01T12:01:00Z'],
    ['ISO 8601 with an offset', '2026-03-01T14:01:00.000+02:00'],
    ['a date and a time', '2026-03-01 12:01:00'],
  ])('a time may be %s', async (_, timestamp) => {
    const device = await recordingDevice();
    await send('GET', address(device.secret, 1, { timestamp }), {});
    expect(await shownPositions(device)).toMatchObject([{ timestamp: '2026-03-01T12:01:00+00:00' }]);
  });

  test('without a time it is now', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START + 60_000 });
    const device = await recordingDevice();
    await send('GET', `osmand?deviceid=${device.secret}&location=53.0768,8.8072&heading=90`, {});
    expect(await shownPositions(device)).toMatchObject([
      { timestamp: '2026-03-01T12:01:00+00:00', heading: 90, speed: null },
    ]);
  });

  test('readings and alarms of a tracker are kept', async () => {
    const device = await recordingDevice();
    const more = { odometer: '1609344', fuelLevel: '40.5', ignition: 'true', alarm: 'hardBraking' };
    await send('GET', address(device.secret, 1, more), {});
    expect(await shownPositions(device)).toMatchObject([
      { odometer: 1000, fuel_level: 40.5, ignition: true, events: ['trip_hard_brake'] },
    ]);
  });

  /** A message as Traccar Client 9 sends it. */
  const location = (device_id: string, minute: number, more: Readonly<Record<string, unknown>> = {}) =>
    JSON.stringify({
      location: {
        timestamp: new Date(START + minute * 60_000).toISOString(),
        coords: {
          latitude: 53.0758 + minute * 0.001,
          longitude: 8.8072,
          accuracy: 3.8,
          speed: 10.29,
          speed_accuracy: 0.26,
          heading: 63,
          heading_accuracy: 0.28,
          altitude: 35.7,
          altitude_accuracy: 3.8,
        },
        is_moving: true,
        odometer: 12_345,
        event: 'motionchange',
        uuid: '0e9a2473-a9a7-4c00-997b-fb97d2154e75',
        battery: { level: 0.79, is_charging: false },
        activity: { type: 'in_vehicle', confidence: 100 },
        extras: {},
        ...more,
      },
      device_id,
    });
  const postJson = (payload: string) => send('POST', 'osmand', JSON_BODY, payload);

  test('the JSON of Traccar Client 9 is a position; its odometer is not the vehicle’s', async () => {
    const device = await recordingDevice();
    expect(await postJson(location(device.secret, 1))).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect(await shownPositions(device)).toMatchObject([
      {
        timestamp: '2026-03-01T12:01:00+00:00',
        point: { lat: 53.0768, lon: 8.8072 },
        speed: expect.closeTo(23.02, 1),
        heading: 63,
        odometer: null,
        battery_level: 79,
      },
    ]);
  });

  test('unknown speeds, headings and battery levels are -1 there', async () => {
    const device = await recordingDevice();
    const coords = { latitude: 53, longitude: 8, accuracy: 5, speed: -1, heading: -1, altitude: 0, floor: null };
    await postJson(location(device.secret, 1, { coords, battery: { level: -1, is_charging: false }, alarm: 'sos' }));
    expect(await shownPositions(device)).toMatchObject([
      { speed: null, heading: null, battery_level: null, events: ['sos'] },
    ]);
  });

  test('a drive that comes late, out of order and twice, with a pause, is two trips in order', async () => {
    const device = await recordingDevice();
    for (const minute of [3, 1, 2, 20, 3, 21]) await postJson(location(device.secret, minute));
    for (const minute of [1, 0, 21]) await send('GET', address(device.secret, minute), {});
    expect(minutesOf(await shownPositions(device))).toEqual([0, 1, 2, 3, 20, 21]);
    const { data } = await host.graphql(
      `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { point_count } } }`,
      device.owner.headers,
    );
    expect(data).toEqual({ trips: { nodes: [{ point_count: 4 }, { point_count: 2 }] } });
  });

  test.each([
    [
      'that only says where messages go',
      (id: string) => send('POST', 'osmand', FORM_BODY, `id=${id}&notificationToken=f`),
    ],
    ['without a location', (id: string) => postJson(JSON.stringify({ device_id: id }))],
  ])('a message %s says that the device is there, and is no position', async (_, message) => {
    const device = await recordingDevice();
    expect(await message(device.secret)).toMatchObject({ status: 200, body: { accepted: 0, refused: null } });
    expect(await shownPositions(device)).toEqual([]);
    const { last_transmission } = (await DeviceStore.findOne(unrestricted(testService), {
      key: device.device_key,
    })) ?? { last_transmission: null };
    expect(last_transmission).toBeInstanceOf(Date);
  });

  test.each([
    ['lat=91', { lat: '91' }, 'lat must be a number from -90 to 90'],
    ['no number', { lon: 'east' }, 'lon must be a number from -180 to 180'],
    ['no time', { timestamp: 'noon' }, 'timestamp must be seconds since 1970, or a date-time'],
    ['the future', { timestamp: '2147483000' }, 'timestamp must not be in the future'],
    ['the beginning of time', { timestamp: '0' }, 'timestamp must not be more than 1,024 weeks ago'],
  ])(
    '%s is refused with the reason and success: the app sends again, before all others, what is not',
    async (_, more, refused) => {
      const device = await recordingDevice();
      const answer = await send('GET', address(device.secret, 1, more), {});
      expect(answer).toMatchObject({ status: 200, body: { accepted: 0, refused } });
    },
  );

  test.each([
    ['no id', async () => ''],
    ['an unknown one', async () => 'wb_device_unknown'],
    ['the serial', async ({ serial }: Device) => serial],
    [
      'a revoked key',
      async ({ secret, owner, device_key }: Device) => {
        const issued = await issueIngestKey(testService, { account_key: owner.key, device_key });
        await revokeIngestKey(testService, issued.key, 'device');
        return issued.secret === secret ? '' : issued.secret;
      },
    ],
    ['a forwarder key', async ({ owner }: Device) => (await forwarder(owner.key)).secret],
  ])('%s is 401, empty', async (_, idOf) => {
    const device = await recordingDevice();
    const id = await idOf(device);
    for (const answer of [await send('GET', address(id, 1), {}), await postJson(location(id, 1))]) {
      expect(answer).toMatchObject({ status: 401, body: '' });
    }
    expect(await shownPositions(device)).toEqual([]);
  });

  test('two ids are 401, as an id beside a bearer token', async () => {
    const { secret } = await recordingDevice();
    expect((await send('GET', `${address(secret, 1)}&id=${secret}`, {})).status).toBe(401);
    expect((await send('GET', address(secret, 1), { authorization: `Bearer ${secret}` })).status).toBe(401);
  });

  test('nothing is stored by HEAD', async () => {
    const device = await recordingDevice();
    const answer = await app.inject({
      method: 'HEAD',
      url: `/api/v2/ingest/${address(device.secret, 1)}`,
      headers: { host: 'localhost' },
    });
    expect(answer.statusCode).toBe(405);
    expect(await shownPositions(device)).toEqual([]);
  });

  test('a body of more than 64 KiB is 413: who sends it is not known yet', async () => {
    const { secret } = await recordingDevice();
    const long = location(secret, 1, { extras: { text: 'x'.repeat(65_536) } });
    expect((await postJson(long)).status).toBe(413);
  });
});

test.each(['', '/owntracks'])('an id opens nothing at /ingest%s, nor a password at /ingest', async (path) => {
  const { secret } = await recordingDevice();
  const url = `/api/v2/ingest${path}?id=${secret}`;
  const answer = await app.inject({ method: 'POST', url, headers: { host: 'localhost', ...JSON_BODY }, payload: '{}' });
  expect(answer.statusCode).toBe(401);
  const headers = { host: 'localhost', ...JSON_BODY, ...basic(secret) };
  expect(
    (await app.inject({ method: 'POST', url: '/api/v2/ingest', headers, payload: '{"points":[]}' })).statusCode,
  ).toBe(401);
});

describe('at a service with limits that logs', () => {
  const quota = (name: string, points: number) => ({ name, points, seconds: 60 });
  const others = { forwarder: quota('forwarder', 9), points: quota('points', 9), mapPoints: quota('map', 9) };
  const limitedHost = async () =>
    testHost([await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN))], {
      admission: new Admission({
        ...others,
        appPoints: quota('app', 9),
        account: quota('account', 9),
        accountPoints: quota('account-points', 9),
        caller: quota('caller', 3),
        address: quota('address', 2),
      }),
    });
  const lat = (id: string, more = '') => `/api/v2/ingest/osmand?id=${id}&lat=53&lon=8&timestamp=${secondsAt(1)}${more}`;

  test('positions count for their devices, not for the address from which many of them come', async () => {
    const limited = await limitedHost();
    const statusesOf = async (secret: string, count: number) => {
      const statuses = [];
      for (let sent = 0; sent < count; sent++) {
        statuses.push((await limited.app.inject({ url: lat(secret), headers: { host: 'localhost' } })).statusCode);
      }
      return statuses;
    };
    const [one, other] = [await recordingDevice(), await recordingDevice()];
    expect(await statusesOf(one.secret, 3)).toEqual([200, 200, 200]);
    expect(await statusesOf(other.secret, 4)).toEqual([200, 200, 200, 429]);
  });

  test('guessed ids count for the address', async () => {
    const limited = await limitedHost();
    const guess = async () =>
      (await limited.app.inject({ url: lat('guess'), headers: { host: 'localhost' } })).statusCode;
    expect([await guess(), await guess(), await guess()].at(-1)).toBe(429);
  });

  test('neither an id nor a password is in the log, whatever becomes of the message', async () => {
    const { app: logging, lines } = await limitedHost();
    const { secret } = await recordingDevice();
    const headers = { host: 'localhost', ...JSON_BODY };
    await logging.inject({ url: lat(secret), headers });
    await logging.inject({ url: lat(secret, '&lat=north'), headers });
    await logging.inject({
      method: 'POST',
      url: `/api/v2/ingest/osmand?id=${secret}`,
      headers,
      payload: '{"device_id":',
    });
    await logging.inject({
      method: 'POST',
      url: '/api/v2/ingest/osmand',
      headers,
      payload: `{"device_id":"${secret}"}`,
    });
    await logging.inject({ method: 'PUT', url: lat(secret), headers });
    const url = '/api/v2/ingest/owntracks';
    await logging.inject({
      method: 'POST',
      url,
      headers: { ...headers, ...basic(secret) },
      payload: '{"_type":"lwt"}',
    });
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const hidden of [secret, basic(secret).authorization.slice(6)]) expect(lines.join('')).not.toContain(hidden);
  });
});

test('a position of an app takes as many commands as one of a device', async () => {
  const commandsOf = async (message: (device: Device, minute: number) => Promise<unknown>) => {
    const device = await recordingDevice();
    await message(device, 0);
    await message(device, 1);
    return (await queriesDuring(async () => void (await message(device, 2)))).map(
      ({ collection, method }) => `${collection}.${method}`,
    );
  };
  const timestamp = (minute: number) => new Date(START + minute * 60_000).toISOString();
  const own = await commandsOf(({ secret }, minute) =>
    host.post(secret, { points: [{ point: { lat: 53, lon: 8 }, timestamp: timestamp(minute) }] }),
  );
  const osmAnd = await commandsOf(({ secret }, minute) =>
    send('GET', `osmand?id=${secret}&lat=53&lon=8&timestamp=${timestamp(minute)}`, {}),
  );
  const ownTracks = await commandsOf(({ secret }, minute) => {
    const message = { _type: 'location', lat: 53, lon: 8, tst: secondsAt(minute) };
    return send('POST', 'owntracks', { ...JSON_BODY, ...basic(secret) }, JSON.stringify(message));
  });
  expect(own).toHaveLength(2);
  expect([osmAnd, ownTracks]).toEqual([own, own]);
});
