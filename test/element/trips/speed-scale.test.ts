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
const VISIONS: Readonly<Record<string, (color: Rgb) => Rgb>> = {
  everybody: (color) => color,
  protanopes: ([r, g, b]) => [0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b],
  deuteranopes: ([r, g, b]) => [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b],
};

/** Distance of two colors in OKLab, in which equal distances look equally far (Ottosson 2020). */
function distance(one: Rgb, other: Rgb): number {
  const labOf = ([r, g, b]: Rgb): Rgb => {
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

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
