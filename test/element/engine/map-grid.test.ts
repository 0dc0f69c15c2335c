import { expect, test } from 'vitest';

import { gridLines } from '../../../element/engine/map-grid.ts';

test.each([
  ['a city', [11.4, 48.0, 11.7, 48.2], 0.02],
  ['a country', [5, 47, 15, 55], 1],
  ['a street', [11.5, 48.1, 11.502, 48.101], 0.001],
] as const)('%s is crossed by round degrees', (_, [west, south, east, north], step) => {
  const lines = gridLines([west, south, east, north]);
  const meridians = lines.filter(([from, to]) => from?.[0] === to?.[0]).map(([from]) => from?.[0] ?? 0);
  expect((meridians[1] ?? 0) - (meridians[0] ?? 0)).toBeCloseTo(step, 9);
  expect(meridians.length).toBeLessThan(70);
  expect(Math.min(...meridians)).toBeLessThanOrEqual(west);
  expect(Math.max(...meridians)).toBeGreaterThanOrEqual(east);
});

test('no parallel lies beyond the projection', () => {
  const latitudes = gridLines([-180, -85, 180, 85]).flatMap((line) => line.map(([, lat]) => lat));
  expect(Math.max(...latitudes.map(Math.abs))).toBeLessThanOrEqual(85);
});
