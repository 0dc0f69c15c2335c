import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { findIngestKey, issueIngestKey, revokeIngestKey } from '../../../auth/ingest-keys.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { IngestKeyStore } from '../../../models/vehicles/ingest-key.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { appFor, device, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { at, ingestHost, post, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let mine: Awaited<ReturnType<typeof recordingDevice>>;
let forwarder: { readonly key: string; readonly secret: string };
beforeAll(async () => {
  host = await ingestHost();
  mine = await recordingDevice();
  forwarder = await issueIngestKey(testService, { account_key: mine.owner.key, device_key: null });
});
afterAll(() => host.app.close());

/** Counts the positions of a device that are in no closed trip. */
async function stored(device_key: string): Promise<number> {
  return DeviceMinuteStore.countDocuments(unrestricted(testService), { device_key });
}

describe('credentials', () => {
  test.each([
    ['none', () => ({})],
    ['an unknown key', () => ({ authorization: 'Bearer wb_device_unknown' })],
    ["the owner's API key", () => mine.owner.headers],
    ['a device key as API key', () => ({ 'service-api-key': mine.secret })],
    ['two at once', () => ({ ...mine.owner.headers, authorization: `Bearer ${mine.secret}` })],
  ])('%s are 401, empty, with a challenge', async (_, headers) => {
    const answer = await post(host.app, headers(), { points: [at(0)] });
    expect(answer).toMatchObject({ status: 401, body: '' });
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test("an app's access token is 401", async () => {
    const { headers } = await appFor(await user(mine.owner.key), ['devices.manage']);
    expect(await post(host.app, headers, { points: [] })).toMatchObject({ status: 401 });
  });

  test.each(['/api/v2/account', '/api/v2/devices'])('a device key opens nothing at %s', async (url) => {
    for (const secret of [mine.secret, forwarder.secret]) {
      const headers = { host: 'localhost', authorization: `Bearer ${secret}` };
      expect((await host.app.inject({ url, headers })).statusCode).toBe(401);
    }
  });

  test('a device key opens nothing at /graphql', async () => {
    const { errors } = await host.graphql('{ account { key } }', { authorization: `Bearer ${mine.secret}` });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  test('a revoked key is invalid immediately; revoking names the kind', async () => {
    const { key, secret } = await issueIngestKey(testService, {
      account_key: mine.owner.key,
      device_key: mine.device_key,
    });
    expect(await host.post(secret, { points: [] })).toMatchObject({ status: 200 });
    expect(await revokeIngestKey(testService, key, 'forwarder')).toBe(false);
    expect(await revokeIngestKey(testService, key, 'device')).toBe(true);
    expect(await host.post(secret, { points: [] })).toMatchObject({ status: 401 });
  });

  test('a removed device is nobody', async () => {
    const { secret, device_key } = await recordingDevice(mine.owner);
    await DeviceStore.updateOne(unrestricted(testService), { key: device_key }, { status: 'removed' });
    expect(await host.post(secret, { points: [] })).toMatchObject({ status: 401 });
  });

  test('the secret is stored hashed, and its last use to the minute', async () => {
    await findIngestKey(testService, mine.secret);
    const keys = await IngestKeyStore.find(unrestricted(testService), { device_key: mine.device_key });
    expect(JSON.stringify(keys)).not.toContain(mine.secret);
    expect(keys[0]?.last_used).toBeInstanceOf(Date);
  });
});

describe('which device', () => {
  test('a device may name itself, in any letter case', async () => {
    const { secret } = mine;
    const serial = mine.serial.toUpperCase();
    expect(await host.post(secret, { serial, points: [] })).toMatchObject({ status: 200 });
  });

  test('a device that names another is 404, empty', async () => {
    const other = await recordingDevice(mine.owner);
    const answer = await host.post(mine.secret, { serial: other.serial, points: [at(0)] });
    expect(answer).toMatchObject({ status: 404, body: '' });
    expect(await stored(other.device_key)).toBe(0);
  });

  test('a forwarder adds to the devices of its account, by serial', async () => {
    const { serial } = await recordingDevice(mine.owner);
    const answer = await host.post(forwarder.secret, { serial, points: [at(0), at(1)] });
    expect(answer).toMatchObject({ status: 200, body: { accepted: 2, duplicates: 0 } });
  });

  test('a forwarder that names an unknown or a foreign device is 404, empty', async () => {
    const foreign = await recordingDevice();
    for (const serial of ['unknown', foreign.serial]) {
      expect(await host.post(forwarder.secret, { serial, points: [at(0)] })).toMatchObject({ status: 404, body: '' });
    }
    expect(await stored(foreign.device_key)).toBe(0);
  });

  test('a forwarder must name one', async () => {
    const answer = await host.post(forwarder.secret, { points: [at(0)] });
    expect(answer).toMatchObject({ status: 400, body: { errors: 'serial is required' } });
  });

  test('a device that is not assigned to a vehicle is answered so', async () => {
    const { key, serial } = await device(mine.owner.key);
    const { secret } = await issueIngestKey(testService, { account_key: mine.owner.key, device_key: key });
    expect(await host.post(secret, { serial, points: [at(0)] })).toMatchObject({
      status: 400,
      body: { errors: 'The device is not assigned to a vehicle' },
    });
  });
});

describe('what is wrong with a body', () => {
  const point = { lat: 53, lon: 8 };
  const timestamp = '2026-03-01T12:00:00Z';
  test.each([
    [{}, 'points is required'],
    [{ points: null }, 'points is required'],
    [{ points: {} }, 'points must be a list'],
    [{ points: [at(0), null] }, 'points[1] is required'],
    [{ points: [7] }, 'points[0] must be an object'],
    [{ points: [{ timestamp }] }, 'points[0].point is required'],
    [{ points: [{ point: [53, 8], timestamp }] }, 'points[0].point must be an object'],
    [
      { points: [at(0), at(1), at(2), { point: { lat: 91, lon: 8 }, timestamp }] },
      'points[3].point.lat must be a number',
    ],
    [{ points: [{ point: { lat: 'north', lon: 8 }, timestamp }] }, 'points[0].point.lat must be a number'],
    [{ points: [{ point: { lat: 53, lon: 180.1 }, timestamp }] }, 'points[0].point.lon must be a number'],
    [{ points: [{ point }] }, 'points[0].timestamp is required'],
    [{ points: [{ point, timestamp: 1772366400 }] }, 'points[0].timestamp must be a non-empty string'],
    [{ points: [{ point, timestamp: '2026-02-30' }] }, 'points[0].timestamp must be a date-time'],
    [{ points: [{ point, timestamp: '2026-03-01 12:00:00' }] }, 'points[0].timestamp must be a date-time'],
    [{ points: [{ point, timestamp: '9999-03-01T12:00:00Z' }] }, 'points[0].timestamp must not be in the future'],
    [{ points: [{ point, timestamp, heading: 361 }] }, 'points[0].heading must be a number from 0 to 360'],
    [{ points: [{ point, timestamp, speed: -1 }] }, 'points[0].speed must be a number'],
    [{ points: [{ point, timestamp, events: 'engine_start' }] }, 'points[0].events must be a list'],
    [{ points: [{ point, timestamp, events: ['engine_start', 'Über'] }] }, 'points[0].events[1] must be a word'],
    [{ points: Array.from({ length: 1001 }, () => 0) }, 'points must be at most 1000'],
    [{ points: [], serial: 7 }, 'serial must be a non-empty string'],
    [{ points: [{ point, timestamp, odometer: -1 }] }, 'points[0].odometer must be a number'],
    [{ points: [{ point, timestamp, fuel_level: 101 }] }, 'points[0].fuel_level must be a number from 0 to 100'],
    [{ points: [{ point, timestamp, battery_level: 'full' }] }, 'points[0].battery_level must be a number'],
    [{ points: [{ point, timestamp, accuracy: -1 }] }, 'points[0].accuracy must be a number'],
    [{ points: [{ point, timestamp, ignition: 2 }] }, 'points[0].ignition must be true or false'],
    ['[]', 'The body must be a JSON object'],
    ['{"points":', 'The body must be valid JSON'],
  ])('%j is 400 and names it: %s', async (body, message) => {
    const { device_key, secret } = mine;
    const answer = await host.post(secret, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: expect.stringMatching(/^/) } });
    expect((answer.body as { errors: string }).errors.startsWith(message)).toBe(true);
    expect(await stored(device_key)).toBe(0);
  });

  test('a wrong content type is 400, too much of it 413, another method 405', async () => {
    const authorization = `Bearer ${mine.secret}`;
    const plain = await post(host.app, { authorization, 'content-type': 'text/plain' }, { points: [] });
    expect(plain).toMatchObject({ status: 400, body: { errors: 'Content-Type must be application/json' } });
    const large = await host.post(mine.secret, `{"points":[],"x":"${'x'.repeat(1024 * 1024)}"}`);
    expect(large).toMatchObject({ status: 413, body: { errors: expect.any(String) } });
    const read = await host.app.inject({ url: '/api/v2/ingest', headers: { host: 'localhost' } });
    expect([read.statusCode, read.body]).toEqual([405, '']);
  });

  test('400 comes before 404', async () => {
    expect(await host.post(forwarder.secret, { serial: 'unknown', points: [0] })).toMatchObject({ status: 400 });
  });

  test('unknown members, nulls and a clock that is a little fast are fine', async () => {
    const { secret } = await recordingDevice(mine.owner);
    const fast = new Date(Date.now() + 60_000).toISOString();
    const points = [
      { point: { ...point, alt: 3 }, timestamp: fast, heading: null, speed: null, events: null, hdop: 1 },
    ];
    expect(await host.post(secret, { points, firmware: '1.2' })).toMatchObject({
      body: { accepted: 1, duplicates: 0 },
    });
  });
});

describe('a device on which another server works', () => {
  test.each([
    ['for 20 seconds', 20_001, { status: 503, body: '' }],
    ['for a shorter time', 12_000, { status: 200, body: { accepted: 1, duplicates: 0 } }],
  ])('%s', async (_, worked, expected) => {
    const { device_key, secret } = await recordingDevice(mine.owner);
    const mayTake = vi.spyOn(DeviceStore, 'findOneAndUpdate');
    const begun = performance.now();
    let passed = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => begun + passed);
    const care = (by: string | null) =>
      DeviceStore.updateOne(
        unrestricted(testService),
        { key: device_key },
        { care: { by, until: new Date(Date.now() + 3_600_000 + passed) } },
      );
    await care('another server');
    try {
      const answer = host.post(secret, { points: [at(0)] });
      // It renews its lease.
      for (const second of Array.from({ length: Math.floor(worked / 1000) }).keys()) {
        const { length } = mayTake.mock.calls;
        await expect.poll(() => mayTake.mock.calls.length > length, { interval: 5 }).toBe(true);
        passed = second * 1000;
        await care('another server');
      }
      passed = worked;
      if (expected.status === 200) await care(null);
      expect(await answer).toMatchObject(expected);
      expect((await answer).headers['retry-after']).toBe(expected.status === 503 ? '10' : undefined);
    } finally {
      now.mockRestore();
      mayTake.mockRestore();
    }
  });
});

test('answers are what the description of the API says', async () => {
  const client = await AccountClient.of(host.app);
  const headers = { authorization: `Bearer ${mine.secret}` };
  expect((await client.post('/ingest', { points: [] }, headers)).statusCode).toBe(200);
  expect((await client.post('/ingest', { points: 7 }, headers)).statusCode).toBe(400);
  expect((await client.post('/ingest', { points: [] })).statusCode).toBe(401);
  const { json } = await host.app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } });
  expect(json()).toMatchObject({
    paths: { '/ingest': { post: { security: [{ deviceKey: [] }, { forwarderKey: [] }] } } },
  });
});

describe('connected', () => {
  const FIELDS = '{ is_connected disconnected_timestamp last_transmission }';
  const shown = async (one: Awaited<ReturnType<typeof recordingDevice>>) => {
    const { data } = await host.graphql(`{ device(key: "${one.device_key}") ${FIELDS} }`, one.owner.headers);
    const headers = { host: 'localhost', ...one.owner.headers };
    const rest = await host.app.inject({ url: `/api/v2/device/${one.device_key}`, headers });
    const list = await host.app.inject({ url: `/api/v2/devices?q=${one.serial}`, headers });
    expect(rest.json()).toMatchObject(data.device as object);
    expect(list.json().devices).toMatchObject([data.device]);
    return data.device;
  };

  test.each([
    ['at once', 0, true],
    ['after 14:59 minutes', 15 * 60 - 1, true],
    ['after 15 minutes', 15 * 60, false],
    ['after a day', 86_400, false],
  ])('a device that was seen is shown %s in every answer', async (_, seconds, is_connected) => {
    const one = await recordingDevice(mine.owner);
    expect(await shown(one)).toEqual({ is_connected: false, disconnected_timestamp: null, last_transmission: null });
    const seen = Date.UTC(2026, 4, 1, 12);
    vi.useFakeTimers({ toFake: ['Date'], now: seen });
    try {
      await host.post(one.secret, { points: [at(0)] });
      vi.setSystemTime(seen + seconds * 1000);
      expect(await shown(one)).toEqual({
        is_connected,
        disconnected_timestamp: is_connected ? null : '2026-05-01T12:15:00+00:00',
        last_transmission: '2026-05-01T12:00:00+00:00',
      });
      await host.post(one.secret, { points: [] });
      expect(await shown(one)).toMatchObject({ is_connected: true, disconnected_timestamp: null });
    } finally {
      vi.useRealTimers();
    }
  });

  test('where there are privacy zones, others read the last position outside them', async () => {
    const one = await recordingDevice();
    const { headers } = await appFor(await user(one.owner.key), ['account.read', 'devices.manage']);
    const accessScope = accountAccessScope(testService, one.owner.key);
    const seen = async () => {
      const read = `{ device(key: "${one.device_key}") ${FIELDS} devices { nodes ${FIELDS} } }`;
      const write = `mutation { updateDevice(key: "${one.device_key}", input: { subscription_status: active }) ${FIELDS} }`;
      const { data } = await host.graphql(read, headers);
      expect(data.devices).toEqual({ nodes: [data.device] });
      expect((await host.graphql(write, headers)).data).toEqual({ updateDevice: data.device });
      return data.device;
    };
    const silent = { is_connected: false, disconnected_timestamp: null, last_transmission: null };
    const seenAt = (seconds: number) => ({ ...silent, is_connected: true, last_transmission: timeAt(seconds) });
    // Position 200 is 1.3 kilometres away, and position 300 is 2.
    const zone = { ...at(200).point, radius_meters: 300 };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at(0).timestamp) });
    try {
      const send = async (seconds: number) => {
        vi.setSystemTime(Date.parse(at(seconds).timestamp) + 2000);
        await host.post(one.secret, { points: [at(seconds)] });
      };
      await send(0);
      expect(await seen()).toEqual({ ...seenAt(0), last_transmission: timeAt(2) });
      await createPrivacyZone(accessScope, zone);
      expect(await seen()).toEqual(silent);
      await send(100);
      expect(await seen()).toEqual(seenAt(100));
      await send(200);
      await host.post(one.secret, { points: [at(100)] });
      expect(await seen()).toEqual(seenAt(100));
      expect(await shown(one)).toMatchObject({ last_transmission: timeAt(202) });
      await send(300);
      await host.post(one.secret, { points: [at(90)] });
      expect(await seen()).toEqual(seenAt(300));
      vi.setSystemTime(Date.parse(at(300).timestamp) + 15 * 60_000);
      expect(await seen()).toEqual({ ...silent, disconnected_timestamp: timeAt(1200), last_transmission: timeAt(300) });
      await createPrivacyZone(accessScope, { ...zone, trips: 'hide' });
      await send(1300);
      expect(await seen()).toEqual(silent);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a request that is refused is no transmission', async () => {
    const one = await recordingDevice(mine.owner);
    await host.post(one.secret, { points: [0] });
    expect(await shown(one)).toMatchObject({ is_connected: false, last_transmission: null });
  });
});
