import type { TripPoints } from '../../models/trips/trip-points.ts';

import { drive } from './drive.ts';
import type { DemoCar } from './fleet.ts';
import { Random } from './random.ts';
import { routesOf } from './route.ts';

const DAYS = 14;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Simulates the trips of the 14 days before a time, in order of their start; the same for the same time. */
export function* simulatedTrips(car: DemoCar, until: Date): Generator<TripPoints> {
  const { firstHour, toursADay, onWeekends } = car.schedule;
  const routes = routesOf(car.tours);
  const today = Math.floor(until.getTime() / DAY_MS);
  let tour = 0;
  for (let day = today - DAYS + 1; day <= today; day++) {
    if (isWeekend(day) && !onWeekends) continue;
    const random = new Random(`${car.serial} ${day}`);
    let start = day * DAY_MS + firstHour * HOUR_MS;
    for (let number = 0; number < toursADay; number++) {
      const route = routes[tour++ % routes.length];
      if (!route) throw new RangeError(`${car.nickname} has no tours`);
      start = Math.floor((start + random.between(5, 50) * MINUTE_MS) / 1000) * 1000;
      const trip = drive(route, start, random);
      const end = trip.time[trip.length - 1] ?? start;
      if (end > until.getTime()) return;
      yield trip;
      start = end + random.between(20, 100) * MINUTE_MS;
    }
  }
}

/** Returns true if a day, counted from 1970-01-01 (a Thursday), is a Saturday or a Sunday. */
function isWeekend(day: number): boolean {
  return (day + 4) % 7 === 6 || (day + 4) % 7 === 0;
}
