import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { issueIngestKey, revokeIngestKey } from '../../../auth/ingest-keys.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { account, appFor, device as addedDevice, user } from '../../services/account-fixture.ts';
import { ask, embedOf } from '../../fixtures/trip-query.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, recordingDevice, seenTrips } from '../../hosts/ingest-host.ts';
import { shownPositions } from '../../hosts/stored-positions.ts';

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
afterEach(() => {
  vi.useRealTimers();
});

/** Members of a message beside those that all messages have. */
interface Said {
  readonly minute: number;
  readonly ignition?: boolean;
  readonly event?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly eventAttributes?: Readonly<Record<string, unknown>>;
  readonly position?: Readonly<Record<string, unknown>> | null;
}

/** A message of Traccar 6, with the members that its JSON has. */
function message(uniqueId: string, said: Said) {
  const { minute, ignition, event, position = {}, eventAttributes = {} } = said;
  const time = `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000+00:00`;
  const attributes = {
    ...(ignition !== undefined && { ignition }),
    motion: true,
    distance: 15.4,
    totalDistance: 12500.5,
    batteryLevel: 85,
    ...said.attributes,
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
      event: {
        id: 1216,
        attributes: eventAttributes,
        deviceId: 10,
        type: event,
        eventTime: time,
        positionId: 18336,
        geofenceId: 0,
      },
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

/** Report of a vehicle that stands where it was at a minute. */
const standing = (minute: number, since: number, ignition: boolean): Said => ({
  minute,
  ignition,
  position: { latitude: 53.0758 + since * 0.001, speed: 0 },
});

test('a day of a tracker makes its trips: where the vehicle stands and the ignition goes off, one ends', async () => {
  const device = await recordingDevice(owner);
  const day: Said[] = [
    standing(0, 2, false),
    { ...standing(2, 2, true), event: 'ignitionOn' },
    { minute: 3, ignition: true },
    { minute: 7, ignition: true },
    standing(8, 8, false),
    { ...standing(8, 8, false), event: 'ignitionOff' },
    standing(12, 8, false),
    standing(34, 8, false),
    standing(40, 8, true),
    { minute: 41, ignition: true },
    { minute: 42, ignition: true },
  ];
  const counts = [];
  for (const said of day) counts.push((await host.post(secret, message(device.serial, said))).body);
  expect(counts).toEqual(
    day.map((_, at) => ({ accepted: at === 5 ? 0 : 1, duplicates: at === 5 ? 1 : 0, refused: null })),
  );
  const trips = (await seenTrips(host, device)) as { points: { timestamp: string; events: string[] }[] }[];
  expect(
    trips.map(({ points }) => points.map(({ timestamp, events }) => [timestamp.slice(14, 16), ...events])),
  ).toEqual([
    [['02'], ['03'], ['07'], ['08']],
    [['40'], ['41'], ['42']],
  ]);
});

test('where a vehicle is parked is kept, even after a day, and is no trip', async () => {
  const device = await recordingDevice(owner);
  const sendParked = (minute: number) => host.post(secret, message(device.serial, standing(minute, 0, false)));
  for (const minute of [0, 10, 20]) await sendParked(minute);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 });
  for (const minute of [30, 15]) await sendParked(minute);
  const kept = await shownPositions(device);
  expect(kept.map(({ timestamp }) => Number(timestamp.slice(14, 16)))).toEqual([0, 10, 15, 20, 30]);
  expect(await seenTrips(host, device)).toEqual([]);
});

test('an event that comes after its position adds to it', async () => {
  const device = await recordingDevice(owner);
  for (const said of [{ minute: 1 }, { minute: 2 }, { minute: 2, event: 'ignitionOn' }]) {
    await host.post(secret, message(device.serial, said));
  }
  expect((await shownPositions(device)).map(({ ignition }) => ignition)).toEqual([null, true]);
});

test('a position without attributes is a position', async () => {
  const device = await recordingDevice(owner);
  const said = { minute: 1, position: { attributes: null } };
  expect((await host.post(secret, message(device.serial, said))).body).toMatchObject({ accepted: 1, duplicates: 0 });
});

test('speeds come in knots, times with any offset', async () => {
  const device = await recordingDevice(owner);
  const said = { minute: 1, position: { speed: 20, fixTime: '2026-03-01T14:01:00.000+0200' } };
  await host.post(secret, message(device.serial, said));
  expect(await shownPositions(device)).toMatchObject([
    {
      timestamp: '2026-03-01T12:01:00+00:00',
      point: { lat: 53.0768, lon: 8.8072 },
      speed: expect.closeTo(23.02, 1),
      heading: 180,
    },
  ]);
});

test('an event of the server about the device adds nothing', async () => {
  const device = await recordingDevice(owner);
  const answer = await host.post(secret, message(device.serial, { minute: 1, event: 'deviceOffline', position: null }));
  expect(answer).toMatchObject({ status: 200, body: { accepted: 0, duplicates: 0 } });
  expect(await seenTrips(host, device)).toEqual([]);
});

test('an invalid fix counts: the device was heard', async () => {
  const device = await recordingDevice(owner);
  await host.post(
    secret,
    message(device.serial, { minute: 1, position: { valid: false, fixTime: '1970-01-01T00:00:00.000+00:00' } }),
  );
  const answer = await host.graphql(`{ device(key: "${device.device_key}") { is_connected } }`, owner.headers);
  expect(answer.data).toEqual({ device: { is_connected: true } });
});

test('readings are stored with their positions, open or closed, and a position without any has none', async () => {
  const device = await recordingDevice(owner);
  const drive: Said[] = [
    {
      minute: 1,
      event: 'ignitionOn',
      ignition: true,
      attributes: { odometer: 16_093_440, fuelLevel: 61.25, batteryLevel: 85 },
    },
    { minute: 2, attributes: { obdOdometer: 16_095_050, batteryLevel: undefined, fuel: 40 } },
    { minute: 3, attributes: { odometer: -1, fuelLevel: 101, batteryLevel: 'full' } },
  ];
  for (const said of drive) await host.post(secret, message(device.serial, said));
  const expected = [
    { odometer: 10_000, fuel_level: 61.3, battery_level: 85, ignition: true },
    { odometer: 10_001, fuel_level: null, battery_level: null, ignition: null },
    { odometer: null, fuel_level: null, battery_level: null, ignition: null },
  ];
  expect(await shownPositions(device)).toMatchObject(expected);
  await host.post(secret, message(device.serial, { minute: 4, ignition: false, event: 'ignitionOff' }));
  expect(await shownPositions(device)).toMatchObject([...expected, { battery_level: 85, ignition: false }]);
});

test('a trip tells of odometer, fuel, idling and driving, open or closed; a trip map sees none of it', async () => {
  const device = await recordingDevice(owner);
  const facts =
    'start_point { odometer fuel_level } end_point { odometer fuel_level } idle_time hard_brakes rapid_accels';
  const query = `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { ${facts} } } }`;
  const seen = async (headers: Readonly<Record<string, string>>) => {
    const { data } = await host.graphql(query, headers);
    return (data.trips as { nodes: unknown[] }).nodes;
  };
  const drive: Said[] = [
    { minute: 0, ignition: true, event: 'ignitionOn', attributes: { odometer: 1_609_344, fuelLevel: 50 } },
    { minute: 1, position: { speed: 0 } },
    { minute: 2, position: { speed: 0, latitude: 53.0768 }, attributes: { alarm: 'hardBraking' } },
    { minute: 3, attributes: { odometer: 1_610_953, fuelLevel: 49.5, alarm: 'hardAcceleration' } },
  ];
  for (const said of drive) await host.post(secret, message(device.serial, said));
  const expected = {
    start_point: { odometer: 1000, fuel_level: 50 },
    end_point: { odometer: 1001, fuel_level: 49.5 },
    idle_time: 60,
    hard_brakes: 1,
    rapid_accels: 1,
  };
  expect(await seen(owner.headers)).toEqual([expected]);
  await host.post(secret, message(device.serial, { minute: 4, ignition: false, event: 'ignitionOff' }));
  expect(await seen(owner.headers)).toEqual([expected]);
  const none = { odometer: null, fuel_level: null };
  const { data } = await ask<{ trips: { nodes: unknown[] } }>(embedOf(owner.key, device.vehicle_key), query);
  expect(data.trips.nodes).toEqual([
    { start_point: none, end_point: none, idle_time: null, hard_brakes: null, rapid_accels: null },
  ]);
});

test("the newest odometer is the vehicle's, in whatever order it comes; apps see none if there is a privacy zone", async () => {
  const holder = await account();
  const device = await recordingDevice(holder);
  const app = await appFor(await user(holder.key), ['vehicles.read']);
  const vehicleFor = async (headers: Record<string, string>) => {
    const { data } = await host.graphql('{ vehicles { nodes { odometer updated } } }', headers);
    return (data.vehicles as { nodes: { odometer: unknown }[] }).nodes[0];
  };
  const odometer = async (headers: Record<string, string> = holder.headers) => (await vehicleFor(headers))?.odometer;
  const sendRead = (minute: number, miles: number | undefined) =>
    host.post(device.secret, message(device.serial, { minute, attributes: { odometer: miles && miles * 1609.344 } }));
  const seen = [];
  for (const [minute, miles] of [
    [5, undefined],
    [6, 1001],
    [7, 1002],
    [8, undefined],
    [1, 1000],
  ] as const) {
    await sendRead(minute, miles);
    seen.push(await odometer());
  }
  expect(seen).toEqual([null, 1001, 1002, 1002, 1002]);
  expect(await odometer(app.headers)).toBe(1002);
  await createPrivacyZone(accountAccessScope(testService, holder.key), { lat: 0, lon: 0, radius_meters: 200 });
  const before = await vehicleFor(app.headers);
  await sendRead(9, 1003);
  await sendRead(2, 1004);
  await host.graphql(
    `mutation { updateVehicle(key: "${device.vehicle_key}", input: { odometer: 1005 }) { key } }`,
    holder.headers,
  );
  expect(await odometer()).toBe(1005);
  expect(await vehicleFor(app.headers)).toEqual({ ...before, odometer: null });
});

test('an odometer that cannot be driven to is stored and not believed, for the vehicle or its trip, and a reset is', async () => {
  const holder = await account();
  const device = await recordingDevice(holder);
  const change = `mutation { updateVehicle(key: "${device.vehicle_key}", input: { odometer: 50000 }) { key } }`;
  await host.graphql(change, holder.headers);
  const seen = [];
  for (const [minute, meters] of [
    0, 0, 129_874_060.8, 129_875_670.144, 129_877_279.488, 2_312_261_923, 129_878_888.832, 1609, 3219, 4828,
  ].entries()) {
    const attributes = { odometer: meters, fuelLevel: minute === 4 ? 0 : 50 };
    const position = { latitude: 53 + minute * 0.0145, speed: 52 };
    await host.post(device.secret, message(device.serial, { minute, attributes, position }));
    const { vehicle } = (await host.ask(`{ vehicle(key: "${device.vehicle_key}") { odometer } }`, holder.headers)) as {
      vehicle: { odometer: number };
    };
    seen.push(vehicle.odometer);
  }
  expect(seen).toEqual([50_000, 50_000, 80_700, 80_701, 80_702, 80_702, 80_703, 80_703, 80_703, 3]);
  const ends = 'odometer fuel_level';
  const query = `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { key start_point { ${ends} } end_point { ${ends} } } } }`;
  const { trips } = (await host.ask(query, holder.headers)) as { trips: { nodes: { key: string }[] } };
  expect(trips.nodes).toEqual([
    {
      key: expect.any(String),
      start_point: { odometer: 80_700, fuel_level: 50 },
      end_point: { odometer: 80_703, fuel_level: 50 },
    },
  ]);
  const read = `{ tripPoints(trip_key: "${trips.nodes[0]?.key}") { nodes { odometer } } }`;
  const points = (await host.ask(read, holder.headers)).tripPoints as { nodes: { odometer: number }[] };
  expect(points.nodes.map(({ odometer }) => Math.round(odometer))).toEqual([
    0, 0, 80_700, 80_701, 80_702, 1_436_773, 80_703, 1, 2, 3,
  ]);
});

test('readings that go on inside a privacy zone are shown to the owner alone', async () => {
  const holder = await account();
  const device = await recordingDevice(holder);
  const attributes = { odometer: 1_609_344, fuelLevel: 50 };
  for (const minute of [1, 2]) await host.post(device.secret, message(device.serial, { minute, attributes }));
  await createPrivacyZone(accountAccessScope(testService, holder.key), { lat: 0, lon: 0, radius_meters: 200 });
  const app = await appFor(await user(holder.key), ['account_activity.read', 'trippoints.read']);
  const query = `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { key } } }`;
  const { trips } = await host.ask(query, holder.headers);
  const [trip] = (trips as { nodes: { key: string }[] }).nodes;
  const seen = async (headers: Readonly<Record<string, string>>) => {
    const read = `{ tripPoints(trip_key: "${trip?.key}") { nodes { odometer fuel_level battery_level } } }`;
    return ((await host.ask(read, headers)).tripPoints as { nodes: unknown[] }).nodes;
  };
  const hidden = { odometer: null, fuel_level: null, battery_level: 85 };
  const shown = { odometer: 1000, fuel_level: 50, battery_level: 85 };
  expect(await seen(app.headers)).toEqual([hidden, hidden]);
  expect(await seen(holder.headers)).toEqual([shown, shown]);
});

test('alarms are events of their position, under the names of ours, once each', async () => {
  const device = await recordingDevice(owner);
  const drive: Said[] = [
    { minute: 1, attributes: { alarm: 'hardBraking,hardCornering' } },
    { minute: 2, attributes: { alarm: 'hardAcceleration' } },
    {
      minute: 2,
      attributes: { alarm: 'hardAcceleration' },
      event: 'alarm',
      eventAttributes: { alarm: 'hardAcceleration' },
    },
    { minute: 3 },
    { minute: 3, event: 'deviceOverspeed' },
    { minute: 4, attributes: { alarm: 'lowPower, <b>' } },
    { minute: 5, attributes: { alarm: 7 } },
  ];
  for (const said of drive) await host.post(secret, message(device.serial, said));
  expect((await shownPositions(device)).map(({ events }) => events)).toEqual([
    ['trip_hard_brake', 'hard_cornering'],
    ['trip_rapid_accel'],
    ['trip_over_speeding'],
    ['vehicle_low_battery', 'b'],
    ['alarm_7'],
  ]);
});

test.each([
  ['-1', -1],
  ['missing', undefined],
  ['null', null],
  ['impossible', 100_000],
])('a position whose speed and course are %s is kept without them', async (_, unknown) => {
  const device = await recordingDevice(owner);
  const said = { minute: 1, position: { speed: unknown, course: unknown } };
  expect((await host.post(secret, message(device.serial, said))).body).toMatchObject({ accepted: 1 });
  expect(await shownPositions(device)).toMatchObject([{ speed: null, heading: null }]);
});

describe('the time of a receiver that has miscounted the weeks', () => {
  const NOW = Date.UTC(2026, 2, 1, 13);
  const WEEKS_1024_MS = 1024 * 7 * 86_400_000;

  test.each([
    ['a minute', 60_000],
    ['half a year', 180 * 86_400_000],
  ])('is corrected, %s late', async (_, late) => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    const device = await recordingDevice(owner);
    const fixTime = new Date(NOW - late - WEEKS_1024_MS).toISOString();
    expect(fixTime.slice(0, 4)).toMatch(/^200[67]$/);
    const { body } = await host.post(
      secret,
      message(device.serial, { minute: 1, position: { fixTime, deviceTime: fixTime } }),
    );
    expect(body).toMatchObject({ accepted: 1 });
    const timestamp = new Date(NOW - late).toISOString().replace('.000Z', '+00:00');
    expect(await shownPositions(device)).toMatchObject([{ timestamp }]);
  });

  test.each(['1970-01-01T00:00:00.000+00:00', '1999-08-21T23:59:59.000+00:00'])('%s is refused', async (fixTime) => {
    const device = await recordingDevice(owner);
    const answer = await host.post(
      secret,
      message(device.serial, { minute: 1, position: { fixTime, deviceTime: fixTime } }),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { accepted: 0, duplicates: 0, refused: 'position.fixTime must not be more than 1,024 weeks ago' },
    });
  });
});

describe('what would be refused again is answered with success and the reason, since Traccar sends all else again', () => {
  test.each([
    [
      'a time in the future',
      { fixTime: '2126-03-01T12:00:00.000+00:00', deviceTime: null },
      'position.fixTime must not be in the future',
    ],
    ['no time', { fixTime: null, deviceTime: null, serverTime: null }, 'position.fixTime is required'],
    ['half a place', { latitude: null }, 'position.latitude is required'],
  ])('%s', async (_, position, refused) => {
    const device = await recordingDevice(owner);
    const answer = await host.post(secret, message(device.serial, { minute: 1, position }));
    expect(answer).toMatchObject({ status: 200, body: { accepted: 0, duplicates: 0, refused } });
  });

  test.each([
    [{ position: {} }, 'device is required'],
    [{ position: {}, device: {} }, 'device.uniqueId is required'],
    [{ event: {}, device: { uniqueId: 'SN' } }, 'event.type is required'],
  ])('%j', async (body, refused) => {
    expect(await host.post(secret, body)).toMatchObject({ status: 200, body: { accepted: 0, refused } });
  });

  test('an unknown and a foreign uniqueId', async () => {
    const foreign = await recordingDevice();
    for (const uniqueId of ['868618052108909', foreign.serial]) {
      const answer = await host.post(secret, message(uniqueId, { minute: 1 }));
      expect(answer).toMatchObject({ status: 200, body: { accepted: 0, refused: 'No such device' } });
    }
    expect(await seenTrips(host, foreign)).toEqual([]);
  });

  test('a device that is in no vehicle', async () => {
    const { serial } = await addedDevice(owner.key);
    const answer = await host.post(secret, message(serial, { minute: 1 }));
    expect(answer).toMatchObject({ status: 200, body: { refused: 'The device is not assigned to a vehicle' } });
  });

  test('but a revoked key is 401: it may be replaced', async () => {
    const device = await recordingDevice(owner);
    const issued = await issueIngestKey(testService, { account_key: owner.key, device_key: null });
    await revokeIngestKey(testService, issued.key, 'forwarder');
    expect(await host.post(issued.secret, message(device.serial, { minute: 1 }))).toMatchObject({ status: 401 });
  });
});

describe('a forwarder whose key makes devices', () => {
  const maker = async () => {
    const holder = await account();
    const key = await issueIngestKey(testService, { account_key: holder.key, device_key: null, creates_devices: true });
    const fleet = async () => {
      const query =
        '{ vehicles { nodes { key nickname device_keys } } devices { nodes { key serial status vehicle_key } } }';
      const { data } = await host.graphql(query, holder.headers);
      return {
        vehicles: (data.vehicles as { nodes: Record<string, unknown>[] }).nodes,
        devices: (data.devices as { nodes: { key: string; vehicle_key: string }[] }).nodes,
      };
    };
    return { holder, secret: key.secret, fleet };
  };

  test('makes one that the account does not have, in a vehicle with its name, once, and it records', async () => {
    const { holder, secret: making, fleet } = await maker();
    const sent = [1, 2, 3].map((minute) => host.post(making, message('868618052108909', { minute })));
    const answers = await Promise.all([
      ...sent,
      host.post(making, message('868618052108909', { minute: 1, event: 'ignitionOn' })),
    ]);
    expect(answers.map(({ body }) => (body as { refused: unknown }).refused)).toEqual([null, null, null, null]);
    const { devices, vehicles } = await fleet();
    expect(devices).toMatchObject([{ serial: '868618052108909', status: 'installed' }]);
    expect(vehicles).toEqual([{ key: devices[0]?.vehicle_key, nickname: 'Van', device_keys: [devices[0]?.key] }]);
    const trips = await host.graphql(
      `{ trips(vehicle_key: "${devices[0]?.vehicle_key}") { nodes { point_count } } }`,
      holder.headers,
    );
    expect(trips.data).toEqual({ trips: { nodes: [{ point_count: 3 }] } });
  });

  test('makes those of a batch, too, under their serials', async () => {
    const { secret: making, fleet } = await maker();
    const points = [{ point: { lat: 53, lon: 8 }, timestamp: '2026-03-01T12:00:00Z' }];
    const batch = ['A1', 'a1', 'A2'].map((serial) => ({ serial, points }));
    expect((await host.post(making, { batch })).body).toMatchObject({ accepted: 2, duplicates: 1 });
    expect((await fleet()).vehicles.map(({ nickname }) => nickname).sort()).toEqual(['A1', 'A2']);
  });

  test('gives the serial as nickname where the name of the server is none', async () => {
    const { secret: making, fleet } = await maker();
    const sent = message('A1', { minute: 1 });
    await host.post(making, { ...sent, device: { ...sent.device, name: 'Van\n\u202egpj' } });
    expect((await fleet()).vehicles).toMatchObject([{ nickname: 'A1' }]);
  });

  test('makes none of another that was removed, nor one without a serial', async () => {
    const { holder, secret: making, fleet } = await maker();
    const { serial } = await addedDevice(holder.key, { status: 'removed' });
    for (const uniqueId of [serial, ' ', 'x'.repeat(1000), 'A\u20281', '\u200b']) {
      const { body } = await host.post(making, message(uniqueId, { minute: 1 }));
      expect(body).toMatchObject({ accepted: 0, refused: 'No such device' });
    }
    expect(await fleet()).toEqual({ vehicles: [], devices: [] });
  });
});

test('a device may send such messages of itself, and of no other', async () => {
  const [one, other] = [await recordingDevice(owner), await recordingDevice(owner)];
  expect((await host.post(one.secret, message(one.serial, { minute: 1 }))).body).toMatchObject({ accepted: 1 });
  const answer = await host.post(one.secret, message(other.serial, { minute: 1 }));
  expect(answer.body).toMatchObject({ accepted: 0, refused: 'No such device' });
});
