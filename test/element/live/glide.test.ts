import { expect, test } from 'vitest';

import { Glide } from '../../../element/live/glide.ts';
import { headingBetween } from '../../../element/trips/trip.ts';
import { pauseAfter } from '../../../element/live/pause.ts';

test('a vehicle glides to its position in the time since the one before, but never for long', () => {
  const glide = new Glide([8, 53]);
  glide.moveTo([8.001, 53], 1000, true);
  expect([glide.at(1000), glide.isMoving(1000)]).toEqual([[8, 53], true]);
  glide.moveTo([8.002, 53], 2000, true);
  expect(glide.at(2500)[0]).toBeCloseTo((glide.at(2000)[0] + 8.002) / 2, 9);
  expect([glide.at(3000), glide.isMoving(3000)]).toEqual([[8.002, 53], false]);
  glide.moveTo([8.003, 53], 60_000, true);
  expect([glide.isMoving(61_999), glide.isMoving(62_001)]).toEqual([true, false]);
});

test('a vehicle that turns midway starts from where it is', () => {
  const glide = new Glide([8, 53]);
  glide.moveTo([8.002, 53], 10_000, true);
  const midway = glide.at(10_500);
  glide.moveTo([8, 53], 10_500, true);
  expect(glide.at(10_500)).toEqual(midway);
});

test.each([
  ['far away', [9, 53], true],
  ['without gliding', [8.001, 53], false],
] as const)('a vehicle %s is set to its position', (_, [lon, lat], isGliding) => {
  const glide = new Glide([8, 53]);
  glide.moveTo([lon, lat], 1000, isGliding);
  expect(glide.at(1000)).toEqual([lon, lat]);
});

test.each([
  [[8, 54], 0],
  [[9, 53], 90],
  [[8, 52], 180],
  [[7, 53], 270],
  [[8, 53], null],
] as const)('the direction to %j is %s', ([lon, lat], heading) => {
  expect(headingBetween([8, 53], [lon, lat])).toBe(heading);
});

test('pauses grow to half a minute, and are between half and all of that', () => {
  expect([0, 1, 4, 5, 50].map((failures) => pauseAfter(failures, () => 1))).toEqual([
    1000, 2000, 16_000, 30_000, 30_000,
  ]);
  expect(pauseAfter(3, () => 0)).toBe(4000);
});
