import { describe, expect, test } from 'vitest';

import { haversineMeters } from '../../../tracking/geometry/haversine.ts';
import { stops } from '../../../tracking/geometry/stops.ts';
import { timedTrackOf } from './track-of.ts';

/** About 11.1 m to the north. */
const STEP = 0.0001;

test('Staying within 25 m for 20 s is a stop', () => {
  const track = timedTrackOf([0, 0, 0], [10, 0.01, 0], [20, 0.01 + STEP, 0], [30, 0.01 + 2 * STEP, 0], [40, 0.02, 0]);
  expect(stops(track)).toEqual([
    {
      arrival: new Date(10_000),
      departure: new Date(30_000),
      duration_seconds: 20,
      point: { lat: 0.01 + STEP, lon: 0 },
    },
  ]);
});

test('A second less, or a metre more, is none', () => {
  expect(stops(timedTrackOf([0, 0, 0], [10, 0, 0], [19, 0, 0], [20, 1, 0]))).toEqual([]);
  expect(stops(timedTrackOf([0, 0, 0], [10, 0.000235, 0], [20, 0.000235, 0], [21, 1, 0]))).toEqual([]);
});

test('Two stays apart are two stops, and a stay at the end counts', () => {
  const track = timedTrackOf([0, 0, 0], [30, 0, 0], [40, 0.01, 0], [70, 0.01, 0]);
  expect(stops(track).map(({ duration_seconds }) => duration_seconds)).toEqual([30, 30]);
});

test('A single position is no stop', () => {
  expect(stops(timedTrackOf([0, 0, 0]))).toEqual([]);
});

describe('A recorder that stands while its clock', () => {
  /** Counts the distances that are computed for so many positions within 25 m of each other. */
  const distances = (count: number, secondsAt: (at: number) => number): number => {
    let counted = 0;
    const standing = Array.from({ length: count }, (_, at) => [secondsAt(at), (at % 7) * 1e-6, 0] as const);
    stops(timedTrackOf(...standing), (...positions) => {
      counted++;
      return haversineMeters(...positions);
    });
    return counted;
  };

  test.each([
    ['is stuck', () => 0],
    ['runs backwards', (at: number) => -at],
  ])('%s takes work that grows with the positions alone', (_, secondsAt) => {
    expect(distances(20_000, secondsAt)).toBeLessThan(20_000 * 130);
    expect(distances(20_000, secondsAt) / distances(10_000, secondsAt)).toBeLessThan(2.2);
  });

  test('was set back has stopped from then on', () => {
    const standing = Array.from({ length: 400 }, (_, at) => [at < 300 ? 5000 + at / 20 : at, 0, 0] as const);
    const [stay, ...others] = stops(timedTrackOf(...standing));
    expect(others).toEqual([]);
    expect(stay?.departure).toEqual(new Date(399_000));
    expect(stay?.duration_seconds).toBeGreaterThanOrEqual(98);
  });
});
