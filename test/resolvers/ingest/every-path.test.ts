import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { canSay, INGEST_PATHS, type Saying } from '../../hosts/ingest-paths.ts';
import { storedPositions } from '../../hosts/stored-positions.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { account, device as addedDevice, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.useRealTimers();
});

const NOW = Date.UTC(2026, 2, 1, 12);
const PLACE = [53.0758, 8.8072] as const;
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000);
const WEEKS_1024_MS = 1024 * 7 * 86_400_000;

type Device = Awaited<ReturnType<typeof recordingDevice>>;

async function rejectionsOf({ owner }: Device) {
  await leasedWorkEnded(testService);
  const { ingestRejections } = await host.ask('{ ingestRejections { nodes { reason count } } }', owner.headers);
  return (ingestRejections as { nodes: unknown[] }).nodes;
}

const moveTo = ({ owner, device_key }: Device, vehicle_key: string) =>
  host.ask(
    `mutation { updateDevice(key: "${device_key}", input: { vehicle_key: "${vehicle_key}" }) { key } }`,
    owner.headers,
  );

describe.each(Object.entries(INGEST_PATHS))('by %s', (name, send) => {
  /** Sends what a new device says; returns what is stored of it, and the device. */
  const hear = async (...said: readonly Saying[]) => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    const device = await recordingDevice(await account({ trip_settings: null }));
    const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
    for (const saying of said) expect(await send(host, device, saying, secret)).toMatchObject({ status: 200 });
    return { device, stored: await storedPositions(device) };
  };

  const isIgnitionSaid = canSay(name, { ignition: true });

  test.skipIf(!isIgnitionSaid).each([
    ['0, 0', [0, 0] as const],
    ['no place', null],
  ])('%s is no place: the time and the readings count, at the last known place', async (_, place) => {
    const { stored } = await hear({ at: minutesAgo(3), place: PLACE }, { at: minutesAgo(2), place, ignition: true });
    expect(stored).toMatchObject([
      { time: minutesAgo(3).toISOString(), place: PLACE, words: [] },
      { time: minutesAgo(2).toISOString(), place: PLACE, words: ['!invalid'], ignition: 1 },
    ]);
  });

  test('0, 0 before any other place stays 0, 0, and is marked', async () => {
    const { stored } = await hear({ at: minutesAgo(2), place: [0, 0] });
    expect(stored).toMatchObject([{ place: [0, 0], words: ['!invalid'] }]);
  });

  test('an accuracy above 200 meters is marked, another is not', async () => {
    const { stored } = await hear(
      { at: minutesAgo(3), place: PLACE, accuracy: 200 },
      { at: minutesAgo(2), place: [53.3, 8.7], accuracy: 2200 },
    );
    expect(stored).toMatchObject([{ words: [] }, { place: [53.3, 8.7], words: ['!inaccurate=2200'] }]);
  });

  test.skipIf(!isIgnitionSaid)('the ignition is the same however it is written', async () => {
    const on = [true, 'true', 1, '1', 'ON', 'yes', '1.0'];
    const off = [false, 'false', 0, '0', 'off', 'No'];
    const written = [...on, ...off];
    const said = written.map((ignition, at) => ({ at: minutesAgo(30 - at), place: PLACE, ignition }));
    const { stored } = await hear(...said);
    expect(stored.map(({ ignition }) => ignition)).toEqual([...on.map(() => 1), ...off.map(() => 0)]);
  });

  test.each([
    ['in UTC', 0],
    ['in a local time an hour ahead', 60],
    ['in a local time ten and a half hours ahead', 630],
  ])('a time of 1,024 weeks ago %s is corrected, and marked', async (_, ahead) => {
    const at = new Date(minutesAgo(2 - ahead).getTime() - WEEKS_1024_MS);
    const { stored } = await hear({ at, place: PLACE });
    expect(stored).toMatchObject([{ time: minutesAgo(2).toISOString(), place: PLACE, words: ['!time_corrected'] }]);
  });

  const kilometersNorth = (kilometers: number) => [PLACE[0] + kilometers / 111.195, PLACE[1]] as const;
  const tripsOf = async ({ owner, vehicle_key }: Device) => {
    const query = `{ trips(vehicle_key: "${vehicle_key}") { nodes { point_count distance_meters } } }`;
    return (await host.ask(query, owner.headers)).trips;
  };

  test.skipIf(!isIgnitionSaid).each([
    ['off', () => false],
    ['loose', (at: number) => at % 3 === 0],
    ['unknown', () => undefined],
  ])('an ignition that is %s ends no drive', async (_, ignition) => {
    const drive = Array.from({ length: 9 }, (_, at) => at);
    const said = drive.map((at) => ({ at: minutesAgo(30 - at), place: kilometersNorth(at), ignition: ignition(at) }));
    const { device } = await hear(...said);
    expect(await tripsOf(device)).toEqual({ nodes: [{ point_count: 9, distance_meters: expect.closeTo(8000, -1) }] });
  });

  test('where a vehicle stands, scattered by a few meters, is no trip', async () => {
    const said = [0, 30, 60, 90].map((minute) => ({
      at: minutesAgo(100 - minute),
      place: kilometersNorth(minute / 3000),
    }));
    const { device, stored } = await hear(...said);
    expect(stored).toHaveLength(4);
    expect(await tripsOf(device)).toEqual({ nodes: [] });
  });

  test('hours without a position part two trips, though the ignition stays on', async () => {
    const minutes = [0, 1, 2, 3, 540, 541, 542, 543];
    const said = minutes.map((minute, at) => ({
      at: minutesAgo(550 - minute),
      place: kilometersNorth(at),
      ...(isIgnitionSaid && { ignition: true }),
    }));
    const { device } = await hear(...said);
    expect(await tripsOf(device)).toMatchObject({ nodes: [{ point_count: 4 }, { point_count: 4 }] });
  });

  /** A drive of a kilometer a minute from one time until another, in minutes before now. */
  const drive = (from: number, until: number): Saying[] =>
    Array.from({ length: from - until + 1 }, (_, at) => ({
      at: minutesAgo(from - at),
      place: kilometersNorth(60 - from + at),
    }));

  test('a single spike of speed is neither the maximum of the trip nor speeding', async () => {
    const said = drive(30, 10).map((one, at) => ({ ...one, speed: at === 8 ? 180 : 16.7 }));
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    const { owner, ...device } = await recordingDevice(await account({ trip_settings: null }));
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key: null });
    await host.ask('mutation { createRule(input: { name: "Fast", speed_limit: 75 }) { key } }', owner.headers);
    for (const saying of said) await send(host, { ...device, owner }, saying, secret);
    await leasedWorkEnded(testService);
    const query = '{ trips { nodes { max_speed } } events { nodes { event } } }';
    expect(await host.ask(query, owner.headers)).toEqual({
      trips: { nodes: [{ max_speed: expect.closeTo(37.4, 0) }] },
      events: { nodes: [{ event: 'trip_start' }] },
    });
  });

  test('what is not believed is used for nothing: no way, no speed, no visit, no location', async () => {
    const FAR = [53.3, 8.7] as const;
    const beyond = (minutes: number) => ({ at: minutesAgo(minutes), place: FAR, accuracy: 2200, speed: 80 });
    vi.useFakeTimers({ toFake: ['Date'], now: NOW - 86_400_000 });
    const device = await recordingDevice(await account({ trip_settings: null }));
    const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
    const ask = (query: string) => host.ask(query, device.owner.headers);
    await ask('mutation { createRule(input: { name: "Fast", speed_limit: 75 }) { key } }');
    const place = `{ name: "Far", point: { lat: ${FAR[0]}, lon: ${FAR[1]} }, radius: 500 }`;
    await ask(`mutation { createPlace(input: ${place}) { key } }`);
    vi.setSystemTime(NOW);
    const said = [...drive(30, 25), beyond(24.5), ...drive(24, 20), beyond(19)];
    for (const saying of said) expect(await send(host, device, saying, secret)).toMatchObject({ status: 200 });
    await leasedWorkEnded(testService);
    const query = `{ trips { nodes { point_count distance_meters } } events { nodes { event } }
      vehicle(key: "${device.vehicle_key}") { vehicle_location { point { lat lon } } } }`;
    const [lat, lon] = kilometersNorth(40);
    expect(await ask(query)).toEqual({
      trips: { nodes: [{ point_count: 11, distance_meters: expect.closeTo(10_000, -1) }] },
      events: { nodes: [{ event: 'trip_start' }] },
      vehicle: { vehicle_location: { point: { lat: expect.closeTo(lat, 5), lon } } },
    });
    expect(await storedPositions(device)).toHaveLength(said.length);
  });

  test('other places at a known time are listed, whatever request they come in', async () => {
    const [first, , third] = drive(30, 28);
    if (!first || !third) throw new Error('too short');
    const { device, stored } = await hear(first, third, { ...first, place: kilometersNorth(1) }, first);
    expect(stored).toHaveLength(2);
    expect(await rejectionsOf(device)).toMatchObject([{ reason: 'same_time', count: 1 }]);
  });

  test('a message that can never be stored is listed, and loses no other', async () => {
    const [first, second, third] = drive(30, 28);
    if (!first || !second || !third) throw new Error('too short');
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    const device = await recordingDevice(await account({ trip_settings: null }));
    const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
    const statuses: number[] = [];
    for (const saying of [first, { ...second, place: [91, 8] as const }, third])
      statuses.push((await send(host, device, saying, secret)).status);
    // Apps and Traccar repeat what is not answered with success, and everything behind it waits.
    expect(statuses).toEqual([200, name === 'points' || name === 'batch' ? 400 : 200, 200]);
    expect(await storedPositions(device)).toHaveLength(2);
    expect(await rejectionsOf(device)).toMatchObject([{ reason: 'malformed', count: 1 }]);
  });

  test('a trip keeps its key when earlier positions of it come late', async () => {
    const keys = async ({ owner }: Device) => await host.ask('{ trips { nodes { key } } }', owner.headers);
    const { device } = await hear(...drive(30, 20));
    const before = await keys(device);
    const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
    for (const saying of drive(35, 31)) await send(host, device, saying, secret);
    expect(await keys(device)).toEqual(before);
    expect(await tripsOf(device)).toMatchObject({ nodes: [{ point_count: 16 }] });
  });

  test('what a device buffered in a vehicle is recorded for that vehicle, though it has been moved since', async () => {
    const { device } = await hear(...drive(30, 25));
    const other = await vehicle(device.owner.key);
    vi.setSystemTime(minutesAgo(15));
    await moveTo(device, other);
    vi.setSystemTime(NOW);
    const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
    for (const saying of [...drive(10, 5), ...drive(24, 20)]) await send(host, device, saying, secret);
    expect(await tripsOf(device)).toMatchObject({ nodes: [{ point_count: 11 }] });
    expect(await tripsOf({ ...device, vehicle_key: other })).toMatchObject({ nodes: [{ point_count: 6 }] });
  });

  test('two devices on one drive make one trip if one of them is secondary', async () => {
    const { device } = await hear(...drive(30, 25));
    const { key: device_key, serial } = await addedDevice(device.owner.key, { vehicle_key: device.vehicle_key });
    const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key });
    const second = { ...device, device_key, serial, secret };
    const setting = `updateDeviceTripSettings(key: "${device_key}", input: { reporter: secondary }) { key }`;
    await host.ask(`mutation { ${setting} }`, device.owner.headers);
    const forwarder = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
    for (const saying of drive(32, 20)) await send(host, second, saying, forwarder.secret);
    expect(await tripsOf(device)).toMatchObject({ nodes: [{ point_count: 6 }] });
    expect(await storedPositions(second)).toHaveLength(13);
  });

  test.skipIf(!canSay(name, { alarm: 'sos' }))(
    'an alarm is an event of its time, with or without a place',
    async () => {
      const { device } = await hear(
        { at: minutesAgo(3), place: PLACE, alarm: 'tow' },
        { at: minutesAgo(2), place: null, alarm: 'sos' },
      );
      const query = '{ events { nodes { event timestamp context { point { lat lon } } } } }';
      const { data } = await host.graphql(query, device.owner.headers);
      const { nodes } = data.events as { nodes: { event: string }[] };
      const point = { lat: PLACE[0], lon: PLACE[1] };
      expect(nodes.filter(({ event }) => event === 'sos' || event === 'tow')).toEqual([
        { event: 'sos', timestamp: '2026-03-01T11:58:00+00:00', context: { point } },
        { event: 'tow', timestamp: '2026-03-01T11:57:00+00:00', context: { point } },
      ]);
    },
  );
});
