import { describe, expect, test } from 'vitest';

import {
  speedColor,
  speedColorsOf,
  speedScaleOf,
  speedStretches,
  UNKNOWN_SPEED,
} from '../../../element/trips/speed-scale.ts';
import { tripOf } from '../../../element/trips/trip.ts';
import { timedTrip, wireTrip } from '../../browser/fake-trips-service.ts';
import { contrast, distance, linear, luminance, VISIONS } from './color-vision.ts';

/** Background of the lines: their outline. */
const RIMS = { light: '#ffffff', dark: '#0b1018' } as const;

describe.each(['light', 'dark'] as const)('the colours on a %s ground', (theme) => {
  const { colors } = speedScaleOf('km', theme);

  test('stand out from their rim', () => {
    for (const color of [...colors, UNKNOWN_SPEED]) expect(contrast(color, RIMS[theme])).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.keys(VISIONS))('differ from each other and from an unknown speed for %s', (who) => {
    const seen = [...colors, UNKNOWN_SPEED].map((color) => VISIONS[who]?.(linear(color)) ?? ([0, 0, 0] as const));
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) expect(distance(one, other)).toBeGreaterThan(0.1);
    }
  });

  test.each(Object.keys(VISIONS))('are ordered by lightness for %s', (who) => {
    const seen = colors.map((color) => luminance(VISIONS[who]?.(linear(color)) ?? [0, 0, 0]) + 0.05);
    const steps = seen.slice(1).map((value, at) => value / (seen[at] ?? 1));
    const least = who === 'everybody' ? 1.44 : 1.3;
    for (const step of steps) expect(theme === 'dark' ? step : 1 / step).toBeGreaterThan(least);
  });
});

test.each([
  ['km', 8.3, 0],
  ['km', 8.4, 1],
  ['km', 40, 4],
  ['mi', 8.9, 0],
  ['mi', 9, 1],
  ['mi', 0, 0],
] as const)('in %s, %s m/s are in band %i', (units, speed, band) => {
  const scale = speedScaleOf(units, 'light');
  expect(speedColor(speed, scale)).toBe(scale.colors[band]);
});

describe('a line by speed', () => {
  const line = Array.from({ length: 7 }, (_, at): [number, number] => [11 + at / 100, 48]);
  const scale = speedScaleOf('mi', 'light');
  const [slow, , , , fast] = scale.colors;

  test('is cut where the band changes, without holes', () => {
    const trip = tripOf(timedTrip('t', line, [10, 12, 80, null, null, 5]));
    expect(speedStretches([trip], scale).map(({ color, path }) => [color, path.map(([lon]) => lon)])).toEqual([
      [slow, [11, 11.01, 11.02]],
      [fast, [11.02, 11.03]],
      [UNKNOWN_SPEED, [11.03, 11.04, 11.05]],
      [slow, [11.05, 11.06]],
    ]);
  });

  test('does not lead over what the service hides', () => {
    const trip = { ...tripOf(timedTrip('t', line, [10, 12, 80, null, null, 5])), breaks: [4] };
    const drawn = speedStretches([trip], scale).map(({ path }) => path.map(([lon]) => lon));
    expect(drawn).toEqual([
      [11, 11.01, 11.02],
      [11.02, 11.03],
      [11.04, 11.05],
      [11.05, 11.06],
    ]);
  });

  test('has the colors of its speeds, and that of unknown ones, also for a gap', () => {
    const known = tripOf(timedTrip('t', line, [10, 80, 80, 5, 10, 5]));
    expect([...speedColorsOf([known], scale)]).toEqual([slow, fast]);
    expect([...speedColorsOf([{ ...known, gaps: [6] }], scale)]).toEqual([slow, fast, UNKNOWN_SPEED]);
  });

  test.each([
    ['no times', tripOf(wireTrip('t', line))],
    ['no known speed', tripOf(timedTrip('t', line, []))],
  ])('of a trip with %s is none', (_, trip) => {
    expect(speedStretches([trip], scale)).toEqual([]);
  });
});
