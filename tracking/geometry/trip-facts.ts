import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { TripEnd } from '../../schema/trips/trip-end.ts';

import { boundingBox } from './bounding-box.ts';
import { drivingFacts } from './driving.ts';
import { gaps } from './gaps.ts';
import { METERS_PER_MILE, maxSpeed, milesPerHour } from './speeds.ts';
import { stepDistances } from './haversine.ts';
import { endFuelLevels, endOdometers } from './reading-bases.ts';
import { odometerMiles } from './readings.ts';
import { stops } from './stops.ts';

/** Facts of a trip that follow from its positions. */
export type TripFacts = ReturnType<typeof tripFacts>;

/**
 * Computes a trip's facts from its positions alone, so that a clipped trip has the facts of what remains. Start and end
 * are the earliest and the latest position, even if a clock runs backwards.
 *
 * @throws RangeError without a position
 */
export function tripFacts(points: TripPoints) {
  if (points.length === 0) throw new RangeError('A trip without a position has no facts');
  const steps = stepDistances(points);
  const distance = steps.reduce((sum, step) => sum + step, 0);
  let earliest = 0;
  let latest = 0;
  for (let i = 1; i < points.length; i++) {
    if ((points.time[i] ?? 0) < (points.time[earliest] ?? 0)) earliest = i;
    if ((points.time[i] ?? 0) >= (points.time[latest] ?? 0)) latest = i;
  }
  const duration = ((points.time[latest] ?? 0) - (points.time[earliest] ?? 0)) / 1000;
  const [odometers, fuelLevels] = [endOdometers(points, steps), endFuelLevels(points, steps)];
  const fastest = maxSpeed(points.speed, points.time, steps);
  return {
    start_point: { ...endAt(points, earliest), odometer: milesOf(odometers.start), fuel_level: fuelLevels.start },
    end_point: { ...endAt(points, latest), odometer: milesOf(odometers.end), fuel_level: fuelLevels.end },
    duration_seconds: duration,
    gps_distance: distance / METERS_PER_MILE,
    distance_meters: distance,
    point_count: points.length,
    bounding_box: boundingBox(points),
    max_speed: fastest === null ? null : milesPerHour(fastest),
    mean_speed: duration > 0 ? milesPerHour(distance / duration) : null,
    ...drivingFacts(points, steps),
    stops: stops(points),
    gaps: gaps(points.time, steps),
  };
}

function endAt(points: TripPoints, at: number): Omit<TripEnd, 'odometer' | 'fuel_level'> {
  return {
    point: { lat: points.lat[at] ?? 0, lon: points.lon[at] ?? 0 },
    timestamp: new Date(points.time[at] ?? 0),
    place: null,
    address: null,
  };
}

function milesOf(meters: number | null): number | null {
  return meters === null ? null : odometerMiles(meters);
}
