import { expect, test } from 'vitest';

import { panClearOf } from '../../../element/engine/pan-clear-of.ts';

const box = (left: number, top: number, width: number, height: number) => ({
  ...{ left, top, right: left + width, bottom: top + height },
});

const MAP = box(0, 0, 600, 400);
const LEGEND = box(10, 10, 300, 40);

test.each([
  ['in the middle stays', box(200, 200, 200, 100), [0, 0]],
  ['that overflows the map goes in', box(450, 350, 200, 100), [60, 60]],
  ['below the legend goes below it', box(40, 30, 200, 100), [0, -30]],
  ['at its end goes beside it', box(280, 5, 200, 100), [-40, -5]],
  ['that overflows at the legend does both', box(-20, 20, 200, 100), [-30, -40]],
] as const)('a popup %s', (_, popup, [x, y]) => {
  const pan = panClearOf(popup, MAP, [LEGEND]);
  expect(pan.map((pixels) => pixels + 0)).toEqual([x, y]);
});

test('where there is no room clear of what covers the map, a popup is within it', () => {
  expect(panClearOf(box(-20, 20, 200, 100), MAP, [MAP])).toEqual([-30, 0]);
});
