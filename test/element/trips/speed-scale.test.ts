import { describe, expect, test } from 'vitest';

import { speedColor, speedScaleOf, speedStretches, UNKNOWN_SPEED } from '../../../element/trips/speed-scale.ts';
import { tripOf } from '../../../element/trips/trip.ts';
import { timedTrip, wireTrip } from '../../browser/fake-trips-service.ts';

type Rgb = readonly [number, number, number];

/** Linear light of a colour, each channel from 0 to 1 (sRGB). */
function linear(hex: string): Rgb {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** WCAG's relative luminance. */
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Simulation of vision without red, or without green, cones (Viénot, Brettel and Mollon 1999). */
const ACCESS_SCOPES: Readonly<Record<string, (color: Rgb) => Rgb>> = {
  everybody: (color) => color,
  protanopes: ([r, g, b]) => [0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b],
  deuteranopes: ([r, g, b]) => [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b],
};

/** Background of the lines: their outline. */
const RIMS = { light: '#ffffff', dark: '#0b1018' } as const;

describe.each(['light', 'dark'] as const)('the colours on a %s ground', (theme) => {
  const { colors } = speedScaleOf('km', theme);

  test('stand out from their rim', () => {
    for (const color of [...colors, UNKNOWN_SPEED]) expect(contrast(color, RIMS[theme])).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.keys(ACCESS_SCOPES))('are ordered by lightness for %s', (who) => {
    const seen = colors.map((color) => luminance(ACCESS_SCOPES[who]?.(linear(color)) ?? [0, 0, 0]) + 0.05);
    const steps = seen.slice(1).map((value, at) => value / (seen[at] ?? 1));
    for (const step of steps) expect(theme === 'dark' ? step : 1 / step).toBeGreaterThan(1.15);
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

  test.each([
    ['no times', tripOf(wireTrip('t', line))],
    ['no known speed', tripOf(timedTrip('t', line, []))],
  ])('of a trip with %s is none', (_, trip) => {
    expect(speedStretches([trip], scale)).toEqual([]);
  });
});
