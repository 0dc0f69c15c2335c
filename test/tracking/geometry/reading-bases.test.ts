import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { emptyTripPoints, type TripPoints } from '../../../models/trips/trip-points.ts';
import { emptyReadings } from '../../../models/trips/trip-readings.ts';
import { stepDistances } from '../../../tracking/geometry/haversine.ts';
import {
  doubtedOdometers,
  endFuelLevels,
  endOdometers,
  followOdometer,
  newReading,
} from '../../../tracking/geometry/reading-bases.ts';

const MINUTE = 60_000;
/** Meters of a minute at 60 km/h, as degrees of latitude. */
const KILOMETER = 0.009;

interface Read {
  readonly odometer?: number;
  readonly fuel?: number;
}

/** A drive of a kilometer a minute, with readings. */
function driveWith(reads: readonly Read[], interval = MINUTE): TripPoints {
  const points = emptyTripPoints(reads.length);
  const readings = emptyReadings(reads.length);
  for (const [at, { odometer, fuel }] of reads.entries()) {
    points.time[at] = 1e12 + at * interval;
    points.lat[at] = 50 + at * KILOMETER;
    readings.odometer[at] = odometer ?? Number.NaN;
    readings.fuel_level[at] = fuel ?? Number.NaN;
  }
  return { ...points, readings };
}

const odometersOf = (...odometers: readonly (number | undefined)[]) => {
  const points = driveWith(odometers.map((odometer) => (odometer === undefined ? {} : { odometer })));
  const { start, end } = endOdometers(points, stepDistances(points));
  return [start, end];
};
const fuelOf = (...fuel: readonly number[]) => {
  const points = driveWith(fuel.map((one) => ({ fuel: one })));
  const { start, end } = endFuelLevels(points, stepDistances(points));
  return [start, end];
};

describe('the odometer at the ends of a trip', () => {
  test.each([
    ['is the first and the last reading', [undefined, 5000, 6000, 7000, undefined], [5000, 7000]],
    ['ignores 0, which instruments report after a start', [0, 0, 129_874_060, 129_875_670], [129_874_060, 129_875_670]],
    ['ignores one that cannot be driven to', [5000, 6000, 2_312_261_923, 8000, 9000], [5000, 9000]],
    ['ignores a last one that cannot be driven to', [5000, 6000, 2_312_261_923], [5000, 6000]],
    ['ignores a first one that cannot be driven from', [2_312_261_923, 5000, 6000], [5000, 6000]],
    ['ignores one that is less', [5000, 6000, 1, 8000], [5000, 8000]],
    ['is that of the base with most readings after a reset', [5000, 6000, 10, 1000, 2000, 3000], [10, 3000]],
    ['is that before a reset near the end', [5000, 6000, 7000, 8000, 9000, 10, 1000, 2000], [5000, 9000]],
    ['is read from instruments that repeat a reading', [5000, 5000, 5000, 5000, 9000, 9000, 9000], [5000, 9000]],
    ['may count whole miles', [160_934, 162_544, 164_153], [160_934, 164_153]],
    ['is null if only 0 was read', [0, 0, 0], [null, null]],
    ['is null if nothing was read', [undefined, undefined], [null, null]],
  ])('%s', (_, odometers, expected) => {
    expect(odometersOf(...odometers)).toEqual(expected);
  });

  test('is never less at the end, nor more than can be driven, whatever is read', () => {
    const reading = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 1e10 }),
      fc.integer({ min: 1e6, max: 1e6 + 40_000 }),
    );
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 40 }), fc.integer({ min: 1000, max: 900_000 }), (read, interval) => {
        const points = driveWith(
          read.map((odometer) => ({ odometer })),
          interval,
        );
        const { start, end } = endOdometers(points, stepDistances(points));
        if (start === null || end === null) return start === end && read.every((one) => one === 0);
        const driven = end - start;
        return driven >= 0 && driven <= 2000 + (300 / 3.6) * ((interval * read.length) / 1000);
      }),
    );
  });

  test('is the first and the last of true readings, whatever single ones are between them', () => {
    const truth = fc.array(fc.option(fc.constantFrom(0, 7, 2_312_261_923, 4_294_967_295)), {
      minLength: 8,
      maxLength: 60,
    });
    fc.assert(
      fc.property(truth, (faults) => {
        // At most one fault of three positions, and none at the ends.
        const read = faults.map((fault, at) => (at % 3 === 1 && fault !== null ? fault : 500_000 + at * 1000));
        const last = read.findLastIndex((_, at) => read[at] === 500_000 + at * 1000);
        expect(odometersOf(...read)).toEqual([500_000, 500_000 + last * 1000]);
      }),
    );
  });
});

describe('the fuel level at the ends of a trip', () => {
  test.each([
    ['is the first and the last reading', [60, 59, 58], [60, 58]],
    ['ignores a 0 that the instrument reports before it knows better', [0, 0, 60, 59], [60, 59]],
    ['ignores a single reading that is far from the others', [60, 100, 59, 3, 58, 90], [60, 58]],
    ['follows refuelling', [12, 11, 10, 95, 95, 94], [12, 94]],
    ['follows an emptied tank', [3, 2, 1, 0], [3, 0]],
    ['is null if only 0 was read', [0, 0], [null, null]],
  ])('%s', (_, fuel, expected) => {
    expect(fuelOf(...fuel)).toEqual(expected);
  });
});

describe('the odometer of a device', () => {
  const after = (...odometers: readonly number[]) => {
    const followed = followOdometer(null, driveWith(odometers.map((odometer) => ({ odometer }))));
    return newReading('V', null, followed)?.miles ?? null;
  };
  const miles = (count: number) => count * 1609.344;

  test.each([
    ['is its newest reading', [miles(100), miles(101)], 101],
    ['ignores 0', [miles(100), 0, 0, 0, 0], 100],
    ['ignores what cannot be driven to', [miles(100), 2_312_261_923], 100],
    ['ignores two such readings that agree', [miles(100), miles(101), 2_312_261_923, 2_312_261_923], 101],
    ['believes three that agree, after a reset', [miles(100), miles(101), miles(1), miles(2), miles(3)], 3],
    ['believes two of which an earlier one was absurd', [2_312_261_923, miles(100), miles(101)], 101],
    ['returns from a reading that was absurd', [miles(100), 2_312_261_923, miles(101), miles(102)], 102],
  ])('%s', (_, odometers, expected) => {
    expect(after(...odometers)).toBe(expected);
  });

  test.each([
    ['those that cannot be driven to', [5000, 6000, 2_312_261_923, 8000], [2]],
    ['the last ones, as long as they are fewer than three', [5000, 6000, 7000, 10, 1000], [3, 4]],
    ['none of another base', [5000, 6000, 7000, 10, 1000, 2000], []],
    ['none that are 0', [0, 5000, 0, 6000], []],
  ])('doubts %s', (_, odometers, expected) => {
    expect([...doubtedOdometers(driveWith(odometers.map((odometer) => ({ odometer }))))]).toEqual(expected);
  });

  test('is the same however its positions are split into requests, and earlier ones change nothing', () => {
    const reading = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 1e10 }),
      fc.integer({ min: 1e6, max: 1e6 + 40_000 }),
    );
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 30 }), fc.nat(30), (read, split) => {
        const all = driveWith(read.map((odometer) => ({ odometer })));
        const whole = followOdometer(null, all);
        const first = followOdometer(null, driveWith(read.slice(0, split).map((odometer) => ({ odometer }))));
        expect(followOdometer(first, all)).toEqual(whole);
        expect(followOdometer(whole, all)).toBe(whole);
      }),
    );
  });
});
