import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { DeviceMinuteModel } from '../../../models/trips/device-minute.ts';
import { UNRESTRICTED } from '../../../models/tenancy.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { ingestHost, recordingDevice, seenTrips } from '../../services/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
let secret: string;
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  secret = (await issueIngestKey({ account_key: owner.key, device_key: null })).secret;
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.useRealTimers();
});

/** Members of a message beside those that all messages have. */
interface Said {
  readonly minute: number;
  readonly ignition?: boolean;
  readonly event?: string;
  readonly position?: Readonly<Record<string, unknown>> | null;
}

/** A message of Traccar 6, with the members that its JSON has. */
function message(uniqueId: string, { minute, ignition, event, position = {} }: Said) {
  const time = `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000+00:00`;
  const attributes = {
    ...(ignition !== undefined && { ignition }),
    motion: true,
    distance: 15.4,
    totalDistance: 12500.5,
    batteryLevel: 85,
  };
  return {
    ...(position && {
      position: {
        id: 18336 + minute,
        attributes,
        deviceId: 10,
        protocol: 'gt06',
        serverTime: '2026-03-01T13:00:05.000+00:00',
        deviceTime: time,
        fixTime: time,
        valid: true,
        outdated: false,
        latitude: 53.0758 + minute * 0.001,
        longitude: 8.8072,
        altitude: 12.0,
        speed: 20.0,
        course: 180.0,
        address: null,
        accuracy: 0.0,
        network: null,
        geofenceIds: null,
        ...position,
      },
    }),
    ...(event && {
      event: { id: 1216, attributes: {}, deviceId: 10, type: event, eventTime: time, positionId: 18336, geofenceId: 0 },
    }),
    device: {
      id: 10,
      attributes: {},
      groupId: 0,
      name: 'Van',
      uniqueId,
      status: 'online',
      lastUpdate: '2026-03-01T13:00:05.000+00:00',
      positionId: 18335,
      phone: null,
      model: 'GT06',
      category: 'car',
      disabled: false,
    },
  };
}

test('a day of a tracker makes its trips: the ignition ends them, parked vehicles make none', async () => {
  const device = await recordingDevice(owner);
  const day: Said[] = [
    { minute: 0, ignition: false },
    { minute: 2, ignition: true, event: 'ignitionOn' },
    { minute: 3, ignition: true },
    { minute: 13, ignition: true },
    { minute: 14, ignition: false },
    { minute: 14, ignition: false, event: 'ignitionOff' },
    { minute: 24, ignition: false },
    { minute: 34, ignition: false },
    { minute: 40, ignition: true },
    { minute: 41, ignition: true },
  ];
  const counts = [];
  for (const said of day) counts.push((await host.post(secret, message(device.serial, said))).body);
  expect(counts).toEqual(
    day.map((_, at) => (at === 5 ? { accepted: 0, duplicates: 1 } : { accepted: 1, duplicates: 0 })),
  );
  const trips = (await seenTrips(host, device)) as { points: { timestamp: string; events: string[] }[] }[];
  expect(
    trips.map(({ points }) => points.map(({ timestamp, events }) => [timestamp.slice(14, 16), ...events])),
  ).toEqual([
    [['02', 'engine_start'], ['03'], ['13'], ['14', 'ignition_off', 'engine_stop']],
    [['40'], ['41']],
  ]);
});

describe('where a vehicle is parked', () => {
  const DAY_MS = 86_400_000;
  const minutesOf = ({ vehicle_key }: { readonly vehicle_key: string }) =>
    DeviceMinuteModel.countDocuments({ vehicle_key }, { accessScope: UNRESTRICTED });
  const sendParked = (serial: string, minute: number) =>
    host.post(secret, message(serial, { minute, ignition: false }));

  test('is forgotten after a day, though the tracker never falls silent', async () => {
    const device = await recordingDevice(owner);
    for (const minute of [0, 10, 20]) await sendParked(device.serial, minute);
    expect(await minutesOf(device)).toBe(3);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS + 1000 });
    await sendParked(device.serial, 30);
    expect(await minutesOf(device)).toBe(1);
  });

  test('is kept while a trip is open, whose positions lie beside', async () => {
    const device = await recordingDevice(owner);
    await sendParked(device.serial, 0);
    await host.post(secret, message(device.serial, { minute: 20, ignition: true }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS + 1000 });
    await sendParked(device.serial, 10);
    expect(await minutesOf(device)).toBe(3);
    expect(await seenTrips(host, device)).toMatchObject([{ point_count: 1 }]);
  });
});

test('an event that comes after its position adds to it, and the trip begins there', async () => {
  const device = await recordingDevice(owner);
  for (const said of [
    { minute: 1, ignition: true },
    { minute: 2, ignition: true },
    { minute: 2, ignition: true, event: 'ignitionOn' },
  ]) {
    await host.post(secret, message(device.serial, said));
  }
  const trips = (await seenTrips(host, device)) as { points: { events: string[] }[] }[];
  expect(trips.map(({ points }) => points.map(({ events }) => events))).toEqual([[[]], [['engine_start']]]);
});

test('a position without attributes is a position', async () => {
  const device = await recordingDevice(owner);
  const said = { minute: 1, position: { attributes: null } };
  expect((await host.post(secret, message(device.serial, said))).body).toEqual({ accepted: 1, duplicates: 0 });
});

test('speeds come in knots, times with any offset', async () => {
  const device = await recordingDevice(owner);
  const said = { minute: 1, position: { speed: 20, fixTime: '2026-03-01T14:01:00.000+0200' } };
  await host.post(secret, message(device.serial, said));
  expect(await seenTrips(host, device)).toMatchObject([
    {
      start_point: { timestamp: '2026-03-01T12:01:00+00:00', point: { lat: 53.0768, lon: 8.8072 } },
      points: [{ speed: expect.closeTo(23.02, 1), heading: 180 }],
    },
  ]);
});

test.each([
  ['an event without a position', { minute: 1, event: 'deviceOffline', position: null }],
  ['a position without a fix', { minute: 1, position: { valid: false, latitude: 0, longitude: 0 } }],
])('%s adds nothing', async (_, said) => {
  const device = await recordingDevice(owner);
  const answer = await host.post(secret, message(device.serial, said));
  expect(answer).toMatchObject({ status: 200, body: { accepted: 0, duplicates: 0 } });
  expect(await seenTrips(host, device)).toEqual([]);
});

test('a device may send such messages of itself, and of no other', async () => {
  const [one, other] = [await recordingDevice(owner), await recordingDevice(owner)];
  expect(await host.post(one.secret, message(one.serial, { minute: 1 }))).toMatchObject({ status: 200 });
  expect(await host.post(one.secret, message(other.serial, { minute: 1 }))).toMatchObject({ status: 404, body: '' });
});

test('an unknown and a foreign uniqueId are 404', async () => {
  const foreign = await recordingDevice();
  for (const uniqueId of ['868618052108909', foreign.serial]) {
    expect(await host.post(secret, message(uniqueId, { minute: 1 }))).toMatchObject({ status: 404, body: '' });
  }
  expect(await seenTrips(host, foreign)).toEqual([]);
});
