import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { useDatabase } from '../../database.ts';
import { at, ingestHost, recordingDevice, timeAt } from './ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

const TRIP =
  'key device_key start_point { timestamp } end_point { timestamp } point_count distance_meters stops { arrival } encoded_polyline';

interface SeenTrip {
  readonly key: string;
  readonly start_point: { readonly timestamp: string };
  readonly end_point: { readonly timestamp: string };
  readonly point_count: number;
}

async function tripsOf({ owner, vehicle_key }: Awaited<ReturnType<typeof recordingDevice>>): Promise<SeenTrip[]> {
  const query = `{ trips(vehicle_key: "${vehicle_key}", first: 1000) { nodes { ${TRIP} } } }`;
  const { data, errors } = await host.graphql(query, owner.headers);
  expect(errors).toBeUndefined();
  return (data.trips as { nodes: SeenTrip[] }).nodes;
}

const spans = (trips: readonly SeenTrip[]) =>
  trips.map(({ start_point, end_point, point_count }) => [start_point.timestamp, end_point.timestamp, point_count]);

describe('trips', () => {
  test('open with an engine start, are seen up to now, and close with an engine stop', async () => {
    const device = await recordingDevice();
    expect(await host.post(device.secret, { points: [at(0, 'engine_start'), at(1)] })).toMatchObject({
      status: 200,
      body: { accepted: 2, duplicates: 0 },
    });
    const [open] = await tripsOf(device);
    expect(spans(await tripsOf(device))).toEqual([[timeAt(0), timeAt(1), 2]]);
    await host.post(device.secret, { points: [at(2)] });
    expect(spans(await tripsOf(device))).toEqual([[timeAt(0), timeAt(2), 3]]);
    await host.post(device.secret, { points: [at(3, 'engine_stop')] });
    const [closed] = await tripsOf(device);
    expect(spans(await tripsOf(device))).toEqual([[timeAt(0), timeAt(3), 4]]);
    expect(closed?.key).toBe(open?.key);
  });
});
