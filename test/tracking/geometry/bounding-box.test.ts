import { expect, test } from 'vitest';

import { boundingBox } from '../../../tracking/geometry/bounding-box.ts';
import { trackOf } from './track-of.ts';

test('A box is west, south, east, north', () => {
  expect(boundingBox(trackOf([48, 11], [47.5, 12], [48.5, 11.5]))).toEqual([11, 47.5, 12, 48.5]);
});

test('A single position is a box without extent', () => {
  expect(boundingBox(trackOf([-10.5, -37.25]))).toEqual([-37.25, -10.5, -37.25, -10.5]);
});

test('A track across the antimeridian has its west east of its east', () => {
  expect(boundingBox(trackOf([-17, 179.5], [-17.5, -179.75], [-16.5, 178]))).toEqual([178, -17.5, -179.75, -16.5]);
});

test('A track on both sides of Greenwich stays in one piece', () => {
  expect(boundingBox(trackOf([51, -0.5], [51, 0.5]))).toEqual([-0.5, 51, 0.5, 51]);
});
