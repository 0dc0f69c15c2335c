import fc from 'fast-check';
import { expect, test } from 'vitest';

import { viewPadding } from '../../../element/engine/view-padding.ts';

const box = (left: number, top: number, width: number, height: number) => ({
  ...{ left, top, right: left + width, bottom: top + height },
});

const WIDE = box(100, 50, 900, 400);
const PHONE = box(0, 0, 420, 252);

test('a map without panels keeps its lines from the edges', () => {
  expect(viewPadding(WIDE, [])).toEqual({ top: 72, right: 44, bottom: 44, left: 44 });
});

test.each([
  ['a column of buttons at the right', WIDE, box(950, 60, 40, 80), { right: 50 + 20 }],
  ['a high legend at the left', WIDE, box(110, 60, 110, 160), { left: 120 + 20 }],
  ['a legend as wide as a phone', PHONE, box(10, 10, 290, 40), { top: 50 + 48 }],
  ['an attribution below', WIDE, box(600, 425, 390, 20), { bottom: 25 + 20 }],
])('%s costs the strip that is smallest', (_, map, cover, change) => {
  expect(viewPadding(map, [cover])).toEqual({ ...viewPadding(map, []), ...change });
});

test('a low map keeps its lines from below a legend rather than from an attribution', () => {
  const [legend, attribution] = [box(10, 10, 290, 40), box(200, 222, 180, 20)];
  expect(viewPadding(PHONE, [legend, attribution])).toEqual(viewPadding(PHONE, [legend]));
  expect(viewPadding(PHONE, [attribution, legend]).top).toBe(50 + 48);
});

test('on a map that panels fill, lines use what there is', () => {
  const full = [box(0, 0, 390, 100), box(0, 150, 390, 100)];
  expect(viewPadding(PHONE, full)).toEqual(viewPadding(PHONE, []));
});

test('on a phone a legend, buttons and a closed attribution leave a quarter of the element to a line', () => {
  const phone = box(0, 0, 390, 311);
  const covers = [box(10, 10, 318, 43), box(351, 10, 29, 58), box(356, 277, 24, 24)];
  const { top, right, bottom, left } = viewPadding(phone, covers);
  const [width, height] = [390 - left - right, 311 - top - bottom];
  expect(Math.min(width, height) ** 2).toBeGreaterThan((390 * 420) / 4);
});

test('whatever lies on the map, some of its width and height is left', () => {
  const cover = fc
    .tuple(fc.integer({ max: 420, min: 0 }), fc.integer({ min: 0, max: 252 }), fc.nat(420), fc.nat(252))
    .map(([left, top, width, height]) => box(left, top, width, height));
  fc.assert(
    fc.property(fc.array(cover, { maxLength: 6 }), (covers) => {
      const { top, right, bottom, left } = viewPadding(PHONE, covers);
      expect(420 - left - right).toBeGreaterThan(150);
      expect(252 - top - bottom).toBeGreaterThan(100);
    }),
  );
});
