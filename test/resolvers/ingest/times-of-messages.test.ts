import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { shownPositions, storedPositions } from '../../hosts/stored-positions.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
let secret: string;
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  secret = (await issueIngestKey(testService, { account_key: owner.key, device_key: null })).secret;
});
afterAll(() => host.app.close());

const timeOf = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const secondsAfter = (seconds: number) => new Date(Date.parse(timeOf(1)) + seconds * 1000).toISOString();
const PLACE = [53, 8] as const;

async function traccar(position: object) {
  const device = await recordingDevice(owner);
  const given = { fixTime: timeOf(1), deviceTime: timeOf(1), latitude: 53, longitude: 8, valid: true, ...position };
  const { body } = await host.post(secret, { device: { uniqueId: device.serial }, position: given });
  return { body, stored: await storedPositions(device) };
}

async function ownTracks(message: object) {
  const device = await recordingDevice(owner);
  const authorization = `Basic ${Buffer.from(`van:${device.secret}`).toString('base64')}`;
  const headers = { host: 'localhost', 'content-type': 'application/json', authorization };
  const payload = { _type: 'location', lat: 53, lon: 8, ...message };
  await host.app.inject({ method: 'POST', url: '/api/v2/ingest/owntracks', headers, payload });
  return storedPositions(device);
}

describe('a fix that is older than its message', () => {
  const facts = { attributes: { ignition: false, batteryLevel: 70, alarm: 'sos' } };

  test('is stored at its own time; what else the message says is at the time of the message', async () => {
    const { body, stored } = await traccar({ deviceTime: timeOf(11), outdated: true, ...facts });
    expect(body).toMatchObject({ accepted: 2, refused: null });
    expect(stored).toEqual([
      { time: timeOf(1), place: PLACE, words: [], ignition: null, battery: null },
      { time: timeOf(11), place: PLACE, words: ['sos', '!stale'], ignition: 0, battery: 70 },
    ]);
  });

  test('by ten seconds or less is new', async () => {
    const { stored } = await traccar({ deviceTime: secondsAfter(10), ...facts });
    expect(stored).toMatchObject([{ time: timeOf(1), words: ['sos'], ignition: 0, battery: 70 }]);
  });

  test.each([
    ['after', [0, 20]],
    ['before', [20, 0]],
  ])('loses nothing of a message that comes %s another one with the same fix', async (_, ages) => {
    const device = await recordingDevice(owner);
    for (const age of ages) {
      const attributes = { ignition: age === 0, batteryLevel: 80 - age };
      const fix = { fixTime: timeOf(1), deviceTime: secondsAfter(age), latitude: 53, longitude: 8, valid: true };
      await host.post(secret, { device: { uniqueId: device.serial }, position: { ...fix, attributes } });
    }
    expect(await storedPositions(device)).toMatchObject([
      { time: timeOf(1), words: [], ignition: 1, battery: 80 },
      { time: secondsAfter(20), words: ['!stale'], ignition: 0, battery: 60 },
    ]);
  });

  test('is recognized in a message of OwnTracks', async () => {
    const tst = Date.parse(timeOf(1)) / 1000;
    expect(await ownTracks({ tst, created_at: tst + 600, batt: 70 })).toMatchObject([
      { time: timeOf(1), words: [], battery: null },
      { time: timeOf(11), words: ['!stale'], battery: 70 },
    ]);
  });

  test.each([
    ['without a time', { fixTime: null }],
    ['of 1970', { fixTime: '1970-01-01T00:00:00.000+00:00' }],
    ['of the future', { fixTime: '2126-03-01T12:00:00.000+00:00' }],
    ['that is not valid', { valid: 'false' }],
    ['without coordinates', { latitude: null, longitude: null }],
  ])('%s is no place; the rest counts at the time of the message', async (_, position) => {
    const { stored } = await traccar({ deviceTime: timeOf(11), ...position, ...facts });
    expect(stored).toMatchObject([{ time: timeOf(11), words: ['sos', '!invalid'], ignition: 0, battery: 70 }]);
  });
});

test('a message without a fix at the time of a known position adds to it, and takes no place from it', async () => {
  const device = await recordingDevice(owner);
  const message = (position: object) => ({
    device: { uniqueId: device.serial },
    position: { fixTime: timeOf(1), deviceTime: timeOf(1), latitude: 53, longitude: 8, ...position },
  });
  await host.post(secret, message({}));
  await host.post(secret, message({ valid: false, attributes: { alarm: 'tow' } }));
  expect(await storedPositions(device)).toMatchObject([{ place: PLACE, words: ['tow'] }]);
});

const seconds = Date.parse(timeOf(1)) / 1000;

test.each([
  ['milliseconds', seconds * 1000],
  ['milliseconds as text', String(seconds * 1000)],
  ['seconds', seconds],
  ['seconds as text', String(seconds)],
  ['a date and a time', timeOf(1).slice(0, 19).replace('T', ' ')],
  ['ISO 8601', timeOf(1)],
])('%s are a time of Traccar and of OwnTracks', async (_, time) => {
  expect((await traccar({ fixTime: time, deviceTime: time })).stored).toMatchObject([{ time: timeOf(1), words: [] }]);
  expect(await ownTracks({ tst: time })).toMatchObject([{ time: timeOf(1), words: [] }]);
});

test.each([
  ['kn', 10, 11.5],
  ['kmh', 10, 6.2],
  ['mph', 10, 10],
  ['ms', 10, 22.4],
  [undefined, 10, 11.5],
])('a speed in %s at the path of OsmAnd is %d of it', async (unit, speed, expected) => {
  const device = await recordingDevice(owner);
  const given = { id: device.secret, lat: '53', lon: '8', timestamp: String(seconds), speed: String(speed) };
  const query = new URLSearchParams({ ...given, ...(unit && { speed_unit: unit }) });
  const answer = await host.app.inject({ url: `/api/v2/ingest/osmand?${query}`, headers: { host: 'localhost' } });
  expect(answer.json()).toMatchObject({ accepted: 1, refused: null });
  expect(await shownPositions(device)).toMatchObject([{ speed: expect.closeTo(expected, 1) }]);
});

test('another unit of speed is refused with those that there are', async () => {
  const device = await recordingDevice(owner);
  const url = `/api/v2/ingest/osmand?id=${device.secret}&lat=53&lon=8&timestamp=${seconds}&speed=1&speed_unit=furlong`;
  const answer = await host.app.inject({ url, headers: { host: 'localhost' } });
  expect(answer.json()).toMatchObject({ accepted: 0, refused: 'speed_unit must be one of kn, kmh, mph, ms' });
});
