import fc from 'fast-check';
import { expect, test } from 'vitest';

import { outlinePath, unpackOutline } from '../../../tracking/geometry/outline.ts';
import { storedLines, storedPath } from '../../../tracking/geometry/stored-lines.ts';
import { finish } from '../../../tracking/scheduling/steps.ts';
import { timedTrackOf } from './track-of.ts';

/** Wanders of up to 80 positions in steps of some meters, anywhere, poles and antimeridian included. */
const wander = fc
  .tuple(
    fc.constantFrom(-89.9999, -17, 0, 50, 89.9995),
    fc.constantFrom(-180, -179.9999, 8, 0, 179.9999),
    fc.array(
      // Seconds to a position, of which some are gaps, and steps in millionths of a degree.
      fc.tuple(
        fc.constantFrom(1, 1, 1, 2, 50, 90),
        fc.integer({ min: -200, max: 200 }),
        fc.integer({ min: -200, max: 200 }),
      ),
      { minLength: 1, maxLength: 80 },
    ),
  )
  .map(([lat, lon, steps]) => {
    let y: number = lat;
    let x: number = lon;
    let seconds = 0;
    return timedTrackOf(
      ...steps.map(([pause, north, east]) => {
        seconds += pause;
        y = Math.max(-90, Math.min(90, y + north / 1e6));
        x = ((x + east / 1e6 + 540) % 360) - 180;
        return [seconds, y, x] as const;
      }),
    );
  });

const detail = fc.record({
  toleranceMeters: fc.constantFrom(0, 0.5, 1, 2, 5, 10),
  maxPoints: fc.constantFrom(2, 5, 79, Infinity),
});

/** A path as JSON has it, in which the order of members means nothing. */
const asSent = (path: object): unknown => JSON.parse(JSON.stringify(path));

test('A path that was stored is the one that the outline gives, to the last digit', () => {
  let served = 0;
  fc.assert(
    fc.property(wander, detail, (track, wanted) => {
      const { outline, paths } = storedLines(track);
      const stored = storedPath(paths, wanted);
      if (stored === null) return;
      served += 1;
      const worked = finish(outlinePath(unpackOutline(outline), wanted));
      expect(asSent(stored)).toEqual(asSent(worked));
    }),
    { numRuns: 300 },
  );
  expect(served).toBeGreaterThan(30);
});

test('A path is stored for the tolerances that the component asks for, as far as it has few enough positions', () => {
  const { paths } = storedLines(timedTrackOf([0, 0, 0], [1, 0.001, 0.001], [2, 0, 0.002]));
  const counts = (maxPoints: number) =>
    [0, 1, 2, 5, 10].map((toleranceMeters) => storedPath(paths, { toleranceMeters, maxPoints })?.point_count ?? null);
  expect(counts(Infinity)).toEqual([null, 3, null, 3, null]);
  expect(counts(3)).toEqual([null, 3, null, 3, null]);
  expect(counts(2)).toEqual([null, null, null, null, null]);
});
