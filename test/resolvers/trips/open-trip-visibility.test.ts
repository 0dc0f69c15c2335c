import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let device: Awaited<ReturnType<typeof recordingDevice>>;
let tripKey: string;

const list = (headers: Readonly<Record<string, string>>) =>
  host.graphql(
    `{ trips(vehicle_key: "${device.vehicle_key}") { nodes { key point_count start_point { point { lon } } } } }`,
    headers,
  );

beforeAll(async () => {
  host = await ingestHost();
  device = await recordingDevice();
  await host.post(device.secret, {
    points: [at(0, 'engine_start'), ...Array.from({ length: 9 }, (_, i) => at(10 + i * 10))],
  });
  const { data } = await list(device.owner.headers);
  tripKey = (data.trips as { nodes: { key: string }[] }).nodes[0]?.key ?? '';
});
afterAll(() => host.app.close());

test.each(['gpx', 'geojson'])('a trip that is still open is exported up to now, as %s', async (format) => {
  const url = `/api/v2/trip/${tripKey}.${format}`;
  const { statusCode, body } = await host.app.inject({ url, headers: { host: 'localhost', ...device.owner.headers } });
  expect(statusCode).toBe(200);
  if (format === 'geojson') expect(JSON.parse(body).geometry.coordinates).toHaveLength(10);
  else expect(body.split('<trkpt ')).toHaveLength(11);
});

test('privacy zones hold for a trip that is still open', async () => {
  const apps = await appFor(await user(device.owner.key), ['account_activity.read']);
  const seenBy = async (headers: Readonly<Record<string, string>>) => (await list(headers)).data.trips;
  expect(await seenBy(apps.headers)).toEqual(await seenBy(device.owner.headers));
  // 30 seconds of the road are 200 metres.
  await createPrivacyZone(accountAccessScope(testService, device.owner.key), { ...at(0).point, radius_meters: 210 });
  expect(await seenBy(device.owner.headers)).toMatchObject({ nodes: [{ point_count: 10 }] });
  expect(await seenBy(apps.headers)).toEqual({
    nodes: [{ key: tripKey, point_count: 6, start_point: { point: { lon: at(40).point.lon } } }],
  });
});
