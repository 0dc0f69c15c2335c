import { describe, expect, test } from 'vitest';

import { positionsOf } from '../../../server/demo/demo-traffic.ts';
import { DEMO_FLEET } from '../../../server/demo/fleet.ts';

const NOON = Date.parse('2026-11-03T12:00:00Z');
const HOUR_MS = 3_600_000;

describe.each(DEMO_FLEET.map((car) => [car.nickname, car] as const))('%s', (_, car) => {
  test('drives in Florence at any hour, with a position every three seconds and rests between tours', () => {
    const { length, time, lat, lon, events } = positionsOf(car, NOON, NOON + 2 * HOUR_MS);
    expect(length).toBeGreaterThan(1500);
    const pauses = [...time].slice(1).map((moment, at) => moment - (time[at] ?? 0));
    expect(new Set(pauses)).toEqual(new Set([3000, 60_000]));
    expect(Math.min(...lat)).toBeGreaterThan(43.7);
    expect(Math.max(...lat)).toBeLessThan(43.9);
    expect(Math.min(...lon)).toBeGreaterThan(11.1);
    expect(Math.max(...lon)).toBeLessThan(11.4);
    expect([...events.values()].flat()).toEqual(expect.arrayContaining(['engine_start', 'engine_stop']));
  });

  test('is at the same place for every server, however often that looks', () => {
    const whole = positionsOf(car, NOON, NOON + HOUR_MS);
    const parts = [0, 1, 2, 3].map((at) =>
      positionsOf(car, NOON + (at * HOUR_MS) / 4, NOON + ((at + 1) * HOUR_MS) / 4),
    );
    for (const column of ['time', 'lat', 'lon'] as const) {
      expect(parts.flatMap((part) => [...part[column]])).toEqual([...whole[column]]);
    }
  });
});
