import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { INGEST_PATHS, type Saying } from '../../hosts/ingest-paths.ts';
import { storedPositions } from '../../hosts/stored-positions.ts';
import { account } from '../../services/account-fixture.ts';
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

describe.each(Object.entries(INGEST_PATHS))('by %s', (name, send) => {
  /** Sends what a new device says; returns what is stored of it, and the device. */
  const hear = async (...said: readonly Saying[]) => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    const device = await recordingDevice(await account({ trip_settings: null }));
    const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
    for (const saying of said) expect(await send(host, device, saying, secret)).toMatchObject({ status: 200 });
    return { device, stored: await storedPositions(device) };
  };

  test.each([
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

  test('the ignition is the same however it is written', async () => {
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
  const tripsOf = async ({ owner, vehicle_key }: Awaited<ReturnType<typeof hear>>['device']) => {
    const query = `{ trips(vehicle_key: "${vehicle_key}") { nodes { point_count distance_meters } } }`;
    return (await host.ask(query, owner.headers)).trips;
  };

  test.each([
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
      ignition: true,
    }));
    const { device } = await hear(...said);
    expect(await tripsOf(device)).toMatchObject({ nodes: [{ point_count: 4 }, { point_count: 4 }] });
  });

  test.skipIf(name === 'OwnTracks')('an alarm is an event of its time, with or without a place', async () => {
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
  });
});
