import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { EARTH_RADIUS_METERS } from '../../../tracking/geometry/haversine.ts';
import { outlineOf, packOutline, unpackOutline } from '../../../tracking/geometry/outline.ts';
import { retainedPositions, vanishingTolerances } from '../../../tracking/geometry/simplification.ts';
import type { Track } from '../../../tracking/geometry/track.ts';
import { trackOf } from './track-of.ts';

const METERS_PER_DEGREE = (Math.PI / 180) * EARTH_RADIUS_METERS;

/** Wanders of up to 150 positions eastwards, in steps of up to 140 m or none. */
const wander = fc
  .tuple(
    fc.double({ min: -60, max: 60, noNaN: true }),
    fc.double({ min: -179, max: 179, noNaN: true }),
    fc.array(fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: 0, max: 100 })), {
      minLength: 1,
      maxLength: 150,
    }),
  )
  .map(([lat, lon, steps]) => {
    let [y, x] = [lat, lon];
    return trackOf(
      ...steps.map(([north, east]) => {
        y += north / METERS_PER_DEGREE;
        x += east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
        return [y, x] as const;
      }),
    );
  });

const tolerance = fc.double({ min: 0, max: 200, noNaN: true });

describe('Simplification', () => {
  test('leaves no recorded position farther from the line than the tolerance', () => {
    fc.assert(
      fc.property(wander, tolerance, (track, meters) => {
        const retained = retainedPositions(vanishingTolerances(track), meters);
        expect(retained[0]).toBe(0);
        expect(retained.at(-1)).toBe(track.length - 1);
        for (let i = 0; i < track.length; i++) {
          expect(distanceToLine(track, retained, i)).toBeLessThanOrEqual(meters * 1.005 + 0.001);
        }
      }),
    );
  });

  test('drops what hangs on a position that is dropped, however far it lies from that', () => {
    const meter = 1 / METERS_PER_DEGREE;
    const zigzag = trackOf([0, 0], [-9 * meter, 50 * meter], [10 * meter, 60 * meter], [0, 120 * meter]);
    expect(retainedPositions(vanishingTolerances(zigzag), 9.9)).toEqual([0, 1, 2, 3]);
    expect(retainedPositions(vanishingTolerances(zigzag), 10.1)).toEqual([0, 3]);
  });

  test('with a larger tolerance keeps some of the same positions, never others', () => {
    fc.assert(
      fc.property(wander, tolerance, tolerance, (track, one, other) => {
        const vanishing = vanishingTolerances(track);
        const fine = new Set(retainedPositions(vanishing, Math.min(one, other)));
        const coarse = retainedPositions(vanishing, Math.max(one, other));
        expect(coarse.every((position) => fine.has(position))).toBe(true);
      }),
    );
  });

  test('never keeps more than the greatest number of positions, and always both ends', () => {
    fc.assert(
      fc.property(wander, fc.integer({ min: 2, max: 40 }), (track, max) => {
        const retained = retainedPositions(vanishingTolerances(track), -1, max);
        expect(retained).toHaveLength(Math.min(max, track.length));
        expect(retained).toEqual(retained.toSorted((a, b) => a - b));
        expect([retained[0], retained.at(-1)]).toEqual([0, track.length - 1]);
      }),
    );
  });

  test('drops what lies on a straight line, and keeps the corner', () => {
    const corner = trackOf([0, 0], [0, 0.001], [0, 0.002], [0.001, 0.002], [0.002, 0.002]);
    expect(retainedPositions(vanishingTolerances(corner), 1)).toEqual([0, 2, 4]);
  });

  test('measures across the antimeridian the short way', () => {
    const straight = trackOf([0, 179.999], [0, 180], [0, -179.999]);
    expect(retainedPositions(vanishingTolerances(straight), 1)).toEqual([0, 2]);
  });

  test('keeps both ends whatever the tolerance', () => {
    const corner = vanishingTolerances(trackOf([0, 0], [0, 1], [1, 1]));
    expect(retainedPositions(corner, Infinity)).toEqual([0, 2]);
    expect(retainedPositions(vanishingTolerances(trackOf([0, 0])), Infinity)).toEqual([0]);
  });
});

test('An outline serves every tolerance from a metre up, to the centimetre, like the whole track', () => {
  fc.assert(
    fc.property(wander, fc.integer({ min: 100, max: 20_000 }), (track, centimeters) => {
      const meters = centimeters / 100;
      const outline = unpackOutline(packOutline(outlineOf(track)));
      const fromWhole = retainedPositions(vanishingTolerances(track), meters);
      const fromOutline = retainedPositions(outline.vanishing, meters);
      expect(fromOutline).toHaveLength(fromWhole.length);
      for (const [i, at] of fromOutline.entries()) {
        const original = fromWhole[i] ?? -1;
        expect(outline.lat[at]).toBeCloseTo(track.lat[original] ?? Number.NaN, 5);
        expect(outline.lon[at]).toBeCloseTo(track.lon[original] ?? Number.NaN, 5);
      }
    }),
  );
});

test('An outline that was stored is the one that would be worked out', () => {
  fc.assert(
    fc.property(wander, (track) => {
      const outline = outlineOf(track);
      expect(unpackOutline(packOutline(outline))).toEqual(outline);
    }),
  );
});

/** Metres from a position to the nearest part of the line through the retained ones. */
function distanceToLine({ lat, lon }: Track, retained: readonly number[], at: number): number {
  const eastward = METERS_PER_DEGREE * Math.cos(((lat[at] ?? 0) * Math.PI) / 180);
  const place = (i: number) => ({
    x: ((lon[i] ?? 0) - (lon[at] ?? 0)) * eastward,
    y: ((lat[i] ?? 0) - (lat[at] ?? 0)) * METERS_PER_DEGREE,
  });
  let nearest = Infinity;
  for (const [i, from] of retained.entries()) {
    const a = place(from);
    const b = place(retained[i + 1] ?? from);
    const squared = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
    const along = squared === 0 ? 0 : -(a.x * (b.x - a.x) + a.y * (b.y - a.y)) / squared;
    const share = Math.min(1, Math.max(0, along));
    nearest = Math.min(nearest, Math.hypot(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)));
  }
  return nearest;
}
