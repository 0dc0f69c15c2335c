import { existsSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { ingestHost } from '../../hosts/ingest-host.ts';
import { RECORDED, replay } from '../../hosts/recorded-requests.ts';
import { storedPositions } from '../../hosts/stored-positions.ts';
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

async function replayed(folder: string) {
  const { owner, devices, answers } = await replay(host, folder);
  const stored = await Promise.all(devices.map(storedPositions));
  const query = `{ events(first: 200) { nodes { event timestamp } }
    ingestRejections { nodes { reason path count serial detail } } }`;
  const data = await host.ask(query, owner.headers);
  const { nodes: events } = data.events as { nodes: { event: string; timestamp: string }[] };
  const { nodes: rejections } = data.ingestRejections as { nodes: Record<string, unknown>[] };
  return { stored, answers, rejections, events: events.filter(({ event }) => !/^trip_(start|end)$/.test(event)) };
}

const isMarked =
  (mark: string) =>
  ({ words }: { readonly words: readonly string[] }) =>
    words.includes(mark);

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
    expect(withoutFix.map((words) => words.filter((word) => word !== 'engine_stop'))).toEqual([
      ['04:43', 'ignition_off', '!invalid'],
      ['04:44', 'ignition_off', 'device_unplug', '!invalid'],
    ]);
    expect(events).toEqual([{ event: 'device_unplug', timestamp: '2026-11-27T04:44:00+00:00' }]);
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
    const { devices, owner } = await replay(host, '15-speed-unit');
    const query = `{ trips(vehicle_key: "${devices[0]?.vehicle_key}") { nodes { max_speed } } }`;
    expect(await host.ask(query, owner.headers)).toEqual({ trips: { nodes: [{ max_speed: 25.6 }] } });
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
    expect(events.map(({ event }) => event).sort()).toEqual(alarms.sort());
  });

  test('an unknown device is listed', async () => {
    const { rejections } = await replayed('57-refused-unseen');
    expect(rejections).toMatchObject([{ reason: 'unknown_device', path: 'traccar', count: 1, serial: 'UNKNOWN-1' }]);
  });
});
