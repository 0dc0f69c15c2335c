import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { DevicePosition } from '../../models/vehicles/device.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { isInZones } from '../geometry/zone.ts';

/** The latest of positions that are outside privacy zones; null if there is none. */
export function lastPosition(points: TripPoints, zones: readonly PrivacyZone[] = []): DevicePosition | null {
  for (let at = points.length - 1; at >= 0; at--) {
    if (!isInZones(zones, points, at)) return positionAt(points, at);
  }
  return null;
}

/** The later of two positions, by their own times. */
export function laterPosition<Position extends DevicePosition | null | undefined>(
  one: Position,
  other: DevicePosition | null,
): Position | DevicePosition | null {
  return other !== null && (!one || other.at > one.at) ? other : one;
}

function positionAt({ time, lat, lon, speed, heading }: TripPoints, at: number): DevicePosition {
  const known = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
  return {
    at: new Date(time[at] ?? Number.NaN),
    lat: lat[at] ?? Number.NaN,
    lon: lon[at] ?? Number.NaN,
    speed: known(speed[at]),
    heading: known(heading[at]),
  };
}
