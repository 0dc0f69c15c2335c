import { afterAll, beforeAll, expect, test } from 'vitest';

import { account } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

/** A position that is so many kilometers from the first one. */
const point = (seconds: number, km: number, more: object = {}): SentPoint => ({
  ...at(seconds),
  point: { lat: km / 111.195, lon: 8 },
  ...more,
});

async function reportingOf({ owner, device_key }: Awaited<ReturnType<typeof recordingDevice>>) {
  const query = `{ device(key: "${device_key}") { reporting { usual_interval_seconds gap_seconds is_ignition_connected } } }`;
  return (await host.graphql(query, owner.headers)).data.device as { reporting: unknown };
}

const every = (seconds: number, count: number, more: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, number) => point(number * seconds, number, more(number)));

test.each([
  ['each half hour', every(1800, 6), { usual_interval_seconds: 1800, gap_seconds: 3600, is_ignition_connected: null }],
  ['each minute', every(60, 6), { usual_interval_seconds: 60, gap_seconds: 900, is_ignition_connected: null }],
  [
    'without a wire',
    every(60, 6, () => ({ ignition: false })),
    { usual_interval_seconds: 60, gap_seconds: 900, is_ignition_connected: false },
  ],
  [
    'with a wire',
    every(60, 6, (number) => ({ ignition: number < 5 })),
    { usual_interval_seconds: 60, gap_seconds: 900, is_ignition_connected: true },
  ],
])('a device shows how it reports: %s', async (_, points, reporting) => {
  const device = await recordingDevice(await account({ trip_settings: null }));
  await host.post(device.secret, { points });
  expect(await reportingOf(device)).toEqual({ reporting });
});

test('a device that has sent nothing has no reporting', async () => {
  expect(await reportingOf(await recordingDevice(await account()))).toEqual({ reporting: null });
});

test.each([
  ['at once', (points: SentPoint[]) => [points]],
  ['one by one', (points: SentPoint[]) => points.map((one) => [one])],
  ['backwards', (points: SentPoint[]) => points.map((one) => [one]).toReversed()],
])('a vehicle that reports each half hour has one trip of a drive: sent %s', async (_, requests) => {
  const device = await recordingDevice(await account({ trip_settings: null }));
  const parked = [0, 1, 2, 3].map((half) => point(half * 1800, 0));
  const drive = [4, 5, 6, 7].map((half) => point(half * 1800, (half - 3) * 30));
  for (const points of requests([...parked, ...drive, point(8 * 1800, 120), point(9 * 1800, 120)])) {
    await host.post(device.secret, { points });
  }
  const { data } = await host.graphql(
    `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { distance_meters } } }`,
    device.owner.headers,
  );
  const { nodes } = data.trips as { nodes: { distance_meters: number }[] };
  expect(nodes.map((trip) => Math.round(trip.distance_meters / 1000))).toEqual([120]);
});
