import { describe, expect, test } from 'vitest';

import { tripColor } from '../../../element/trips/trip.ts';
import { contrast, distance, linear, VISIONS } from './color-vision.ts';

/** Backgrounds of the colors: panels, and the outline of lines. */
const GROUNDS = { light: ['#ffffff'], dark: ['#253141', '#0b1018'] } as const;

describe.each(['light', 'dark'] as const)('the colours of trips on a %s ground', (theme) => {
  const colors = Array.from({ length: 8 }, (_, at) => tripColor(at, { color: '', theme }));

  test('stand out from panels and rims', () => {
    for (const ground of GROUNDS[theme])
      for (const color of colors) expect(contrast(color, ground)).toBeGreaterThanOrEqual(3);
  });

  test('begin again after the last, and the page may replace the first', () => {
    expect(tripColor(8, { color: '', theme })).toBe(colors[0]);
    expect(tripColor(8, { color: 'red', theme })).toBe('red');
    expect(tripColor(9, { color: 'red', theme })).toBe(colors[1]);
  });
});

test.each(Object.keys(VISIONS))('the dark colours of trips differ from each other for %s', (who) => {
  const seen = Array.from({ length: 8 }, (_, at) =>
    VISIONS[who]?.(linear(tripColor(at, { color: '', theme: 'dark' }))),
  );
  for (const [at, one] of seen.entries())
    for (const other of seen.slice(at + 1)) expect(one && other && distance(one, other)).toBeGreaterThan(0.08);
});
