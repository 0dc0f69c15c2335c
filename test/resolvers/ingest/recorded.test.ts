import { existsSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { ingestHost } from '../../hosts/ingest-host.ts';
import { RECORDED, replay, type Replayed } from '../../hosts/recorded-requests.ts';
import { shownPositions, storedPositions } from '../../hosts/stored-positions.ts';
import { useDatabase } from '../../services/database.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 27, 10, 35) });
});
afterEach(() => {
  vi.useRealTimers();
});

interface SeenTrip {
  readonly start_point: { readonly timestamp: string };
  readonly point_count: number;
  readonly distance_meters: number;
}

async function replayed(folder: string) {
  const { owner, devices, answers, others } = await replay(host, folder);
  const stored = await Promise.all(devices.map(storedPositions));
  const query = `{ events(first: 200) { nodes { event timestamp } }
    trips(first: 200) { nodes { start_point { timestamp } point_count distance_meters } }
    ingestRejections { nodes { reason path count serial detail } } }`;
  const data = await host.ask(query, owner.headers);
  const { nodes: events } = data.events as { nodes: { event: string; timestamp: string }[] };
  const { nodes: trips } = data.trips as { nodes: SeenTrip[] };
  const { nodes: rejections } = data.ingestRejections as { nodes: Record<string, unknown>[] };
  /** Answers of a path, in between. */
  const read = (path: string) =>
    others.filter((one) => one.path.startsWith(`/api/v2/${path}`)).map(({ text }) => JSON.parse(text));
  return { stored, answers, others, rejections, events, trips, read };
}

/** The trips in answers of GraphQL. */
const tripsIn = (answers: readonly Replayed[]): { key: string; point_count: number }[][] =>
  answers
    .filter(({ text }) => text.startsWith('{"data":{"trips"'))
    .map(({ text }) => JSON.parse(text).data.trips.nodes);

const isMarked =
  (mark: string) =>
  ({ words }: { readonly words: readonly string[] }) =>
    words.some((word) => word.split('=', 1)[0] === mark);

describe.skipIf(!existsSync(RECORDED))('what devices sent (needs ../shared)', () => {
  test('times in milliseconds are times', async () => {
    const { stored, rejections } = await replayed('01-traccar-epoch-ms');
    expect(stored[0]?.map(({ time }) => time.slice(11, 16))).toEqual(['04:33', '04:34']);
    expect(rejections).toEqual([]);
  });

  test('in a garage without a fix, the ignition and the power are heard', async () => {
    const { stored, events } = await replayed('06-garage-no-fix');
    const [garage = []] = stored;
    const withoutFix = garage.filter(isMarked('!invalid')).map(({ time, words }) => [time.slice(11, 16), ...words]);
    expect(withoutFix).toEqual([
      ['04:43', '!invalid'],
      ['04:44', 'device_unplug', '!invalid'],
    ]);
    expect(garage.filter(isMarked('!invalid')).map(({ ignition }) => ignition)).toEqual([0, 0]);
    expect(events).toEqual([
      { event: 'device_unplug', timestamp: '2026-11-27T04:44:00+00:00' },
      { event: 'trip_end', timestamp: '2026-11-27T04:42:00+00:00' },
      { event: 'trip_start', timestamp: '2026-11-27T04:33:00+00:00' },
    ]);
  });

  test.each([
    ['drives with an ignition that is always off', '02-ignition-always-off', [['04:33', 40, 17.3]]],
    ['drives with an ignition that goes on and off', '03-ignition-flapping', [['04:33', 40, 17.3]]],
    ['reports every ten minutes', '04b-sparse-tracker', [['04:33', 12, 110.1]]],
    ['arrives in a garage', '06-garage-no-fix', [['04:33', 10, 8]]],
    ['is at 0, 0 at first', '08-null-island', [['04:34', 9, 7.1]]],
    ['is once located by a cell tower', '47-accuracy', [['05:33', 11, 4.9]]],
    // Longer bodies were recorded without their ends, so that the devices that send several positions at once sent nothing.
    [
      'is offline for nine hours',
      '50-offline-nine-hours',
      [
        ['22:33', 10, 4],
        ['22:33', 10, 4],
        ['07:33', 10, 4],
        ['07:33', 10, 4],
      ],
    ],
    ['tells by any path that the ignition is off', '54-ignition-off-by-path', Array(3).fill(['08:34', 10, 8])],
    [
      'is one of two in a vehicle',
      '49-two-devices',
      [
        ['05:33', 10, 4],
        ['05:34', 10, 4],
      ],
    ],
    ['tells the state of the ignition before, too', '56-gv50m', [['06:34', 12, 3.3]]],
  ])('one that %s makes its trips', async (_, folder, expected) => {
    const { trips } = await replayed(folder);
    const seen = trips.map(({ start_point, point_count, distance_meters }) => [
      start_point.timestamp.slice(11, 16),
      point_count,
      Math.round(distance_meters / 100) / 10,
    ]);
    expect(seen).toEqual(expected);
  });

  test('an odometer of 0 and one that leaps are not believed, and the next true one is', async () => {
    const { read } = await replayed('10-odometer');
    const odometers = read('vehicle/').map(({ odometer }) => odometer);
    // Set, after two of 0, after a leap, after the next true one, set, and followed by a true one.
    expect(odometers).toEqual([50_000, 80_702, 80_702, 80_703, 80_703, 80_704]);
  });

  test('an impossible speed is neither a maximum nor speeding', async () => {
    const { read, events } = await replayed('48-speed-spike');
    expect(events.filter(({ event }) => event === 'trip_over_speeding')).toEqual([]);
    expect(read('events')).toHaveLength(1);
  });

  const bordersIn = (events: readonly { event: string }[]) =>
    events.map(({ event }) => event).filter((event) => event.startsWith('vehicle_geofence'));

  test.each([
    // It has driven for 50 seconds: the departure follows once that is a trip, and no arrival does.
    ['begins to leave a place that was drawn around it', '34-place-around-parked', [[]]],
    ['stands on a border, and passes a place between two positions', '35-border-flapping', [[], []]],
    ['strays once from where it has arrived', '58-one-stray-fix', [['vehicle_geofence_arrival']]],
  ])('one that %s makes these events', async (_, folder, expected) => {
    const { read } = await replayed(folder);
    expect(read('events').map(({ events }) => bordersIn(events))).toEqual(expected);
  });

  test('what a device buffered in a vehicle stays with that vehicle when it is moved', async () => {
    const { devices, others } = await replay(host, '38-device-moved');
    const [left, entered] = tripsIn(others);
    expect(devices).toHaveLength(1);
    // The drive that was recorded after the two late positions is of a time before the move, too.
    expect([left?.map(({ point_count }) => point_count), entered]).toEqual([[10, 5], []]);
  });

  test('a trip keeps its key when earlier positions come', async () => {
    const { others } = await replayed('59-keys');
    const [before, after] = tripsIn(others).map((trips) => trips.map(({ key }) => key));
    expect(before).toHaveLength(2);
    expect(after).toEqual(before);
  });

  test('one that is at home makes no trip and no event', async () => {
    expect(await replayed('04-stationary-pings')).toMatchObject({ trips: [], events: [] });
  });

  test('0, 0 is no place on either path', async () => {
    const { stored } = await replayed('08-null-island');
    for (const positions of stored) {
      expect(positions.filter(isMarked('!invalid')).length).toBeGreaterThan(0);
      expect(positions.filter(({ place, words }) => place[0] === 0 && !words.includes('!invalid'))).toEqual([]);
    }
    expect(stored[0]?.filter(({ words }) => !words.includes('!invalid'))).toHaveLength(9);
  });

  test('no position is of 2007', async () => {
    const { stored } = await replayed('09-week-rollover');
    const positions = stored.flat();
    expect(positions.map(({ time }) => time.slice(0, 16))).toEqual([
      '2026-11-27T04:33',
      '2026-11-27T10:33',
      '2026-11-27T04:33',
    ]);
    expect(positions.every(isMarked('!time_corrected'))).toBe(true);
  });

  test('a speed is in knots', async () => {
    const { devices } = await replay(host, '15-speed-unit');
    expect(await Promise.all(devices.map(shownPositions))).toMatchObject([[{ speed: 25.6 }]]);
  });

  test('all kinds of messages of OwnTracks are answered, and counted by what became of them', async () => {
    const { stored, answers, rejections } = await replayed('16-owntracks-kinds');
    expect(answers).toHaveLength(14);
    expect(answers.every(({ status, text }) => status === 200 && text === '[]')).toBe(true);
    expect(stored[0]?.map(({ time }) => time.slice(11, 16))).toEqual(['04:33', '04:34']);
    expect(Object.fromEntries(rejections.map(({ reason, count }) => [reason, count]))).toEqual({
      malformed: 1,
      future: 1,
      encrypted: 1,
      ignored_kind: 9,
    });
  });

  test('the ignition is read as a number and in words', async () => {
    const { stored } = await replayed('46-ignition-as-number');
    for (const positions of stored) {
      expect([...new Set(positions.map(({ ignition }) => ignition))].sort()).toEqual([0, 1]);
    }
  });

  test('a position from a cell tower is marked', async () => {
    const { stored } = await replayed('47-accuracy');
    expect(stored[0]?.filter(isMarked('!inaccurate'))).toMatchObject([{ place: [53.3001, 8.7303] }]);
  });

  test('emergencies are events', async () => {
    const { events } = await replayed('53-sos');
    const alarms = [
      'sos',
      'tow',
      'accident',
      'geofence_exit',
      'trip_hard_brake',
      'hard_cornering',
      'sos',
      'device_unplug',
    ];
    expect(
      events
        .map(({ event }) => event)
        .filter((event) => !/^trip_(start|end)$/.test(event))
        .sort(),
    ).toEqual(alarms.sort());
  });

  test('an unknown device is listed', async () => {
    const { rejections } = await replayed('57-refused-unseen');
    expect(rejections).toMatchObject([{ reason: 'unknown_device', path: 'traccar', count: 1, serial: 'UNKNOWN-1' }]);
  });
});
