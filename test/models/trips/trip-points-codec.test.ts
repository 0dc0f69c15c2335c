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
import { emptyReadings, READINGS, storedReading } from '../../../models/trips/trip-readings.ts';

interface Written {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number | null;
  readonly heading: number | null;
  readonly events: readonly string[];
  readonly readings: readonly (number | null)[];
}

const reading = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }), { freq: 1 });

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
  readings: fc.oneof(fc.constant([]), fc.tuple(reading(1e10), reading(100), reading(100), reading(1))),
});

function pointsOf(written: readonly Written[]): TripPoints {
  const points = emptyTripPoints(written.length);
  const events = new Map<number, readonly string[]>();
  const columns = emptyReadings(written.length);
  for (const [i, { time, lat, lon, speed, heading, events: there, readings }] of written.entries()) {
    points.time[i] = time;
    points.lat[i] = storedDegrees(lat);
    points.lon[i] = storedDegrees(lon);
    if (speed !== null) points.speed[i] = storedSpeed(speed);
    if (heading !== null) points.heading[i] = storedHeading(heading);
    if (there.length > 0) events.set(i, there);
    for (const [number, { name }] of READINGS.entries()) {
      const value = readings[number] ?? null;
      if (value !== null) columns[name][i] = storedReading(name, value);
    }
  }
  const hasReadings = written.some(({ readings }) => readings.some((value) => value !== null));
  return { ...points, events, ...(hasReadings && { readings: columns }) };
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

  test('take not a byte more for readings that none of them has', () => {
    fc.assert(
      fc.property(fc.array(position, { maxLength: 60 }), (written) => {
        const without = pointsOf(written.map((one) => ({ ...one, readings: [] })));
        const packed = packTripPoints({ ...without, readings: emptyReadings(without.length) }, 0, without.length);
        expect(packed).toEqual(packTripPoints(without, 0, without.length));
      }),
    );
  });

  test('that are damaged are refused', () => {
    const packed = packTripPoints(pointsOf([]), 0, 0);
    expect(() => unpackTripPoints(packed.subarray(0, 1))).toThrow();
  });
});
