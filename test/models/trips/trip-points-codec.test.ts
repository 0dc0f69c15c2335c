import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { emptyTripPoints, joinTripPoints, type TripPoints } from '../../../models/trips/trip-points.ts';
import {
  packTripPoints,
  storedDegrees,
  storedHeading,
  storedSpeed,
  unpackTripPoints,
} from '../../../models/trips/trip-points-codec.ts';

interface Written {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number | null;
  readonly heading: number | null;
  readonly events: readonly string[];
}

const position: fc.Arbitrary<Written> = fc.record({
  time: fc.oneof(
    fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
    fc.integer({ min: 0, max: 4_000_000 }).map((seconds) => seconds * 1000),
  ),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  speed: fc.option(fc.double({ min: 0, max: 400, noNaN: true })),
  heading: fc.option(fc.double({ min: 0, max: 359.9999, noNaN: true })),
  events: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fc.string()) }),
});

function pointsOf(written: readonly Written[]): TripPoints {
  const points = emptyTripPoints(written.length);
  const events = new Map<number, readonly string[]>();
  for (const [i, { time, lat, lon, speed, heading, events: there }] of written.entries()) {
    points.time[i] = time;
    points.lat[i] = storedDegrees(lat);
    points.lon[i] = storedDegrees(lon);
    if (speed !== null) points.speed[i] = storedSpeed(speed);
    if (heading !== null) points.heading[i] = storedHeading(heading);
    if (there.length > 0) events.set(i, there);
  }
  return { ...points, events };
}

describe('Packed trip points', () => {
  test('come back exactly, whatever was recorded in whatever order', () => {
    fc.assert(
      fc.property(fc.array(position, { maxLength: 60 }), (written) => {
        const points = pointsOf(written);
        expect(unpackTripPoints(packTripPoints(points, 0, points.length))).toEqual(points);
      }),
    );
  });

  test('come back exactly from several buckets', () => {
    fc.assert(
      fc.property(fc.array(position, { minLength: 2, maxLength: 60 }), fc.nat(), (written, where) => {
        const points = pointsOf(written);
        const cut = 1 + (where % (points.length - 1));
        const parts = [packTripPoints(points, 0, cut), packTripPoints(points, cut, points.length)];
        expect(joinTripPoints(parts.map(unpackTripPoints))).toEqual(points);
      }),
    );
  });

  test('keep positions to a millionth of a degree', () => {
    fc.assert(
      fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (degrees) => {
        expect(Math.abs(storedDegrees(degrees) - degrees)).toBeLessThan(1e-6);
      }),
    );
  });

  test('a heading that rounds to 360 is 0', () => {
    expect(storedHeading(359.97)).toBe(0);
  });

  test('that are damaged are refused', () => {
    const packed = packTripPoints(pointsOf([]), 0, 0);
    expect(() => unpackTripPoints(packed.subarray(0, 1))).toThrow();
  });
});
