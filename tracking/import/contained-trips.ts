import type { TripPoints } from '../../models/trips/trip-points.ts';

/** A trip of a file, and the vehicle that drove it. */
export interface VehicleTrip {
  readonly vehicle_key: string | undefined;
  readonly points: TripPoints | null;
}

/** Maximum numbers of trips and of positions that are kept to find trips in later parts of a file that repeat them. */
const MAX_KEPT = { trips: 1000, positions: 200_000 };

/** The latest trips of a file, to find trips that are part of another one, as in files that repeat a track as it grows. */
export class RecentTrips {
  readonly #trips: VehicleTrip[] = [];
  #positions = 0;

  /** Adds the next trips of a file, and returns those that are part of another one of the same vehicle. */
  add<Trip extends VehicleTrip>(trips: readonly Trip[]): ReadonlySet<Trip> {
    for (const trip of trips) {
      this.#trips.push(trip);
      this.#positions += trip.points?.length ?? 0;
    }
    const contained = trips.filter((trip) => this.#trips.some((other) => contains(other, trip)));
    while (this.#positions > MAX_KEPT.positions || this.#trips.length > MAX_KEPT.trips) {
      this.#positions -= this.#trips.shift()?.points?.length ?? 0;
    }
    return new Set(contained);
  }
}

/** Returns true if a trip has all positions of another one and more, in their order. */
function contains(all: VehicleTrip, some: VehicleTrip): boolean {
  if (!all.points || !some.points || all.vehicle_key !== some.vehicle_key) return false;
  const [{ time, lat, lon, length }, part] = [all.points, some.points];
  const [start = 0] = part.time;
  if (length <= part.length || start < (time[0] ?? 0) || start > (time[length - 1] ?? 0)) return false;
  let found = 0;
  for (let i = 0; i < length && found < part.length; i++) {
    if (time[i] === part.time[found] && lat[i] === part.lat[found] && lon[i] === part.lon[found]) found++;
  }
  return found === part.length;
}
