import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { AccountStore } from '../../../models/account/account.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { purgeExpired } from '../../../tracking/retention/purge-expired.ts';
import { at, ingestHost, recordingDevice, seenTrips } from '../../hosts/ingest-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type Device = Awaited<ReturnType<typeof recordingDevice>>;

const drive = (from: number, count: number) => Array.from({ length: count }, (_, step) => at(from + step * 10));
/** Two trips with 10 minutes between them, and a third one a day later. */
const DRIVES = [...drive(0, 13), ...drive(720, 20), ...drive(86_400, 13)];

async function recorded() {
  const device = await recordingDevice();
  for (const point of [...DRIVES.slice(13), ...DRIVES.slice(0, 13)])
    await host.post(device.secret, { points: [point] });
  return device;
}

const settings = ({ owner }: Device, input: string) =>
  host.ask(`mutation { updateTripSettings(input: { ${input} }) { trip_settings { gap_seconds } } }`, owner.headers);

const recut = ({ owner, vehicle_key }: Device, more = '') =>
  host.ask(`mutation { recutTrips(vehicle_key: "${vehicle_key}"${more}) { trips_before trips_after } }`, owner.headers);

const keysOf = async ({ owner, vehicle_key }: Device) => {
  const { trips } = await host.ask(
    `{ trips(vehicle_key: "${vehicle_key}") { nodes { key point_count } } }`,
    owner.headers,
  );
  return (trips as { nodes: { key: string; point_count: number }[] }).nodes;
};

test('recorded trips stay when settings change, until they are cut again', async () => {
  const device = await recorded();
  const before = await keysOf(device);
  expect(before.map(({ point_count }) => point_count)).toEqual([13, 20, 13]);
  await settings(device, 'gap_seconds: 900');
  expect(await keysOf(device)).toEqual(before);
  expect(await recut(device, ', input: { dry_run: true }')).toEqual({
    recutTrips: { trips_before: 3, trips_after: 2 },
  });
  expect(await keysOf(device)).toEqual(before);
  expect(await recut(device)).toEqual({ recutTrips: { trips_before: 3, trips_after: 2 } });
  // The longer of both gives its key.
  expect(await keysOf(device)).toEqual([{ key: before[1]?.key, point_count: 33 }, before[2]]);
});

test('cutting again takes trips of a device back that is secondary by now, and makes them when it is no longer', async () => {
  const device = await recorded();
  const before = await seenTrips(host, device);
  const set = (reporter: string) =>
    host.ask(
      `mutation { updateDeviceTripSettings(key: "${device.device_key}", input: { reporter: ${reporter} }) { key } }`,
      device.owner.headers,
    );
  await set('secondary');
  expect(await recut(device)).toEqual({ recutTrips: { trips_before: 3, trips_after: 0 } });
  await set('null');
  expect(await recut(device)).toEqual({ recutTrips: { trips_before: 0, trips_after: 3 } });
  expect(await seenTrips(host, device)).toEqual(before);
  const everywhere = `mutation { updateTripSettings(input: { reporter: secondary }) { key } }`;
  expect((await host.graphql(everywhere, device.owner.headers)).errors).toMatchObject([
    { message: expect.stringContaining('reporter must not be secondary') },
  ]);
});

test.each(['updateTripSettings(input: {})', 'updateDeviceTripSettings(key: "DEVICE", input: {})'])(
  '%s writes nothing',
  async (change) => {
    const device = await recordingDevice();
    const queries = await queriesDuring(async () => {
      await host.ask(`mutation { ${change.replace('DEVICE', device.device_key)} { key } }`, device.owner.headers);
    });
    expect(
      queries.filter(
        ({ method, collection }) => /update|Update/.test(method) && /^(accounts|devices)$/.test(collection),
      ),
    ).toEqual([]);
  },
);

test('cutting again and back loses no position, and repeating it changes nothing', async () => {
  const device = await recorded();
  const before = await seenTrips(host, device);
  await settings(device, 'minimum_meters: 1000');
  expect(await recut(device)).toEqual({ recutTrips: { trips_before: 3, trips_after: 1 } });
  expect(await recut(device)).toEqual({ recutTrips: { trips_before: 1, trips_after: 1 } });
  await settings(device, 'minimum_meters: 0');
  expect(await recut(device)).toEqual({ recutTrips: { trips_before: 1, trips_after: 3 } });
  expect(await seenTrips(host, device)).toEqual(before);
});

test('trips whose positions have expired stay as they are', async () => {
  const device = await recorded();
  const kept = { positions_days: 30, trips: 'keep_facts', pending: null } as never;
  await AccountStore.updateOne(unrestricted(testService), { key: device.owner.key }, { retention: kept });
  await purgeExpired(testService);
  const before = await keysOf(device);
  expect(before).toHaveLength(3);
  await settings(device, 'gap_seconds: 900');
  await recut(device);
  expect(await keysOf(device)).toEqual(before);
});

test('only positions of the window are cut', async () => {
  const device = await recorded();
  await settings(device, 'minimum_meters: 10000');
  const after = ', input: { recorded_after: "2026-03-02T00:00:00Z" }';
  expect(await recut(device, after)).toEqual({ recutTrips: { trips_before: 1, trips_after: 0 } });
  expect((await keysOf(device)).map(({ point_count }) => point_count)).toEqual([13, 20]);
});

test('a vehicle of another account is not found', async () => {
  const [device, other] = [await recordingDevice(), await recordingDevice()];
  const query = `mutation { recutTrips(vehicle_key: "${other.vehicle_key}") { trips_after } }`;
  expect((await host.graphql(query, device.owner.headers)).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
});

test('cutting again finds no silences while a vehicle stood that its device has left', async () => {
  const device = await recordingDevice();
  const { headers } = device.owner;
  const stay = Array.from({ length: 20 }, (_, step) => ({ ...at(600 + step * 600), point: at(120).point }));
  await host.post(device.secret, { points: [...drive(0, 13), ...stay, ...drive(12_600, 13)] });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 1, 1) });
  await host.ask('mutation { createRule(input: { name: "Silent", silent_minutes: 60 }) { key } }', headers);
  vi.useRealTimers();
  const unassigned = `updateDevice(key: "${device.device_key}", input: { vehicle_key: null }) { key }`;
  await host.ask(`mutation { ${unassigned} }`, headers);
  await settings(device, 'minimum_meters: 10000');
  expect(await recut(device)).toEqual({ recutTrips: { trips_before: 2, trips_after: 0 } });
  const { events } = await host.ask('{ events(event: device_silent) { nodes { timestamp } } }', headers);
  expect(events).toEqual({ nodes: [] });
});
