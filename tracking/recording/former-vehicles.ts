import { groupedBy } from '../../models/grouped-by.ts';
import { pickTripPoints } from '../../models/trips/trip-points.ts';

import type { SentPositions } from './append-points.ts';

/**
 * Splits positions of a device by the vehicle in which it was at their times, that in which it is now last. Positions of times in
 * which it was in none are of that one.
 */
export function positionsByVehicle({ device, points }: SentPositions): SentPositions[] {
  const { former_vehicles, vehicle_key } = device;
  const isLate = former_vehicles.length > 0 && points.time.some((time) => vehicleAt(device, time) !== vehicle_key);
  if (!isLate) return [{ device, points }];
  const numbers = groupedBy([...points.time.keys()], (at) => vehicleAt(device, points.time[at] ?? Number.NaN));
  const left = { tail: null, position: null, seen_outside: null, odometer: null, hasLeft: true };
  const order = [...numbers].toSorted(([one], [other]) => Number(one === vehicle_key) - Number(other === vehicle_key));
  return order.map(([key, those]) => ({
    device: key === vehicle_key ? device : { ...device, vehicle_key: key, ...left },
    points: pickTripPoints(points, those),
  }));
}

/** The vehicle in which a device was at a time. */
function vehicleAt({ former_vehicles, vehicle_key }: SentPositions['device'], time: number): string {
  return former_vehicles.find(({ until }) => until.getTime() > time)?.vehicle_key ?? vehicle_key;
}
