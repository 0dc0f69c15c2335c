import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { TripReadings } from '../../models/trips/trip-readings.ts';

import { METERS_PER_MILE } from './speeds.ts';

/** Highest plausible odometer, in meters. */
export const MAX_ODOMETER = 1e10;

/** A reading at a position, in the unit of its column; null if none was recorded. */
export function readingAt({ readings }: TripPoints, name: keyof TripReadings, at: number): number | null {
  const value = readings?.[name][at] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
}

/** Parts of a mile in stored odometers. */
const PARTS_OF_A_MILE = 1000;

/** The odometer at a position in miles, with at most 3 decimals; null if none was recorded. */
export function odometerAt(points: TripPoints, at: number): number | null {
  const meters = readingAt(points, 'odometer', at);
  return meters === null ? null : odometerMiles(meters);
}

/** Meters of an odometer in miles, with at most 3 decimals. */
export function odometerMiles(meters: number): number {
  return Math.round((meters / METERS_PER_MILE) * PARTS_OF_A_MILE) / PARTS_OF_A_MILE;
}
