import { describe, expect, test } from 'vitest';

import { FAULTS } from '../../../cli/simulator/faults.ts';
import {
  type Batch,
  type Simulation,
  simulatedBatches,
  simulatedSerial,
} from '../../../cli/simulator/simulated-batches.ts';

const START = Date.UTC(2026, 2, 1, 12);
const EVERY_MS = 10_000;
const CITY: Simulation = {
  ...{ vehicles: 20, everySeconds: 10, seed: 'city', faults: 'default', start: START, forSeconds: 3600, batch: 5 },
};

/** The timestamps of each device in the order in which they are sent. */
function timestampsOf(batches: Iterable<Batch>): Map<string, number[]> {
  const timestamps = new Map<string, number[]>();
  for (const { devices } of batches) {
    for (const { serial, points } of devices) {
      const sent = timestamps.get(serial) ?? [];
      sent.push(...points.map(({ timestamp }) => Date.parse(timestamp)));
      timestamps.set(serial, sent);
    }
  }
  return timestamps;
}

test.each(FAULTS)('the same seed yields exactly the same batches, another seed others, with faults %s', (faults) => {
  const batches = [...simulatedBatches({ ...CITY, faults })];
  expect([...simulatedBatches({ ...CITY, faults })]).toEqual(batches);
  expect([...simulatedBatches({ ...CITY, faults, seed: 'town' })]).not.toEqual(batches);
});

test('a vehicle sends the same whoever drives beside it, and however many are sent together', () => {
  const alone = timestampsOf(simulatedBatches({ ...CITY, vehicles: 1, batch: 1 })).get('SIM-0001');
  // Sent at another moment of the interval, some positions are in another request, but all until the last interval are there.
  const among = timestampsOf(simulatedBatches(CITY)).get('SIM-0001');
  const sorted = (times: readonly number[] = []) => [...new Set(times)].sort((one, other) => one - other).slice(0, 200);
  expect(sorted(among)).toEqual(sorted(alone));
  expect(sorted(among)).toHaveLength(200);
});

test('batches are due in order, with at most the devices of one sender, and none before its positions were recorded', () => {
  let before = START;
  for (const { sender, due, devices } of simulatedBatches(CITY)) {
    expect(due).toBeGreaterThanOrEqual(before);
    before = due;
    const serials = Array.from({ length: 5 }, (_, at) => simulatedSerial(sender * 5 + at + 1));
    expect(serials).toEqual(expect.arrayContaining(devices.map(({ serial }) => serial)));
    for (const { points } of devices) {
      for (const { timestamp } of points) expect(Date.parse(timestamp)).toBeLessThanOrEqual(due);
    }
  }
  expect(before).toBe(START + 3_600_000);
});

describe('without faults', () => {
  const batches = [...simulatedBatches({ ...CITY, faults: 'none' })];

  test('each device sends each position once, in order, every ten seconds of a drive', () => {
    const timestamps = timestampsOf(batches);
    expect(timestamps.size).toBe(20);
    for (const sent of timestamps.values()) {
      expect(sent).toEqual([...new Set(sent)].sort((one, other) => one - other));
      const gaps = sent.slice(1).map((time, at) => time - (sent[at] ?? 0));
      expect(Math.min(...gaps)).toBe(EVERY_MS);
      // Vehicles are parked for a minute at least.
      for (const gap of gaps) expect(gap === EVERY_MS || gap >= 60_000).toBe(true);
    }
  });

  test('each drive begins with engine_start and ends with engine_stop', () => {
    const events = batches.flatMap(({ devices }) =>
      devices.flatMap(({ serial, points }) =>
        points.flatMap((point) => (point.events ?? []).map((event) => ({ serial, event }))),
      ),
    );
    for (const serial of new Set(events.map((one) => one.serial))) {
      const own = events.filter((one) => one.serial === serial).map(({ event }) => event);
      expect(own.length).toBeGreaterThan(2);
      for (const [at, event] of own.entries()) expect(event).toBe(at % 2 === 0 ? 'engine_start' : 'engine_stop');
    }
  });
});

test('faults repeat some positions, send some late, move some away, and leave some out', () => {
  const sound = timestampsOf(simulatedBatches({ ...CITY, faults: 'none' }));
  let [repeated, late, missing] = [0, 0, 0];
  for (const [serial, sent] of timestampsOf(simulatedBatches(CITY))) {
    repeated += sent.length - new Set(sent).size;
    late += sent.filter((time, at) => at > 0 && time < (sent[at - 1] ?? 0)).length;
    missing += (sound.get(serial) ?? []).filter((time) => !sent.includes(time)).length;
    expect(sound.get(serial)).toEqual(expect.arrayContaining(sent));
  }
  expect(repeated).toBeGreaterThan(50);
  expect(late).toBeGreaterThan(50);
  expect(missing).toBeGreaterThan(50);
  const latitudes = (faults: Simulation['faults']) =>
    new Map(
      [...simulatedBatches({ ...CITY, faults })].flatMap(({ devices }) =>
        devices.flatMap(({ serial, points }) =>
          points.map(({ timestamp, point: { lat } }) => [`${serial} ${timestamp}`, lat] as const),
        ),
      ),
    );
  const places = latitudes('none');
  const moved = [...latitudes('default')].filter(([key, lat]) => places.get(key) !== lat);
  expect(moved.length).toBeGreaterThan(10);
  expect(moved.length).toBeLessThan(places.size / 50);
});
