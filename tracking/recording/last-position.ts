import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { DevicePosition, LastSeen } from '../../models/vehicles/device.ts';
import { stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { isInZones } from '../geometry/zone.ts';

/** Last position of a device, and its last one outside the privacy zones, after further positions. */
export function seenAfter(
  { position, seen_outside }: Pick<LastSeen, 'position' | 'seen_outside'>,
  points: TripPoints,
  zones: readonly PrivacyZone[],
): Pick<LastSeen, 'position' | 'seen_outside'> {
  const seen = { position: laterPosition(position, lastPosition(points)), seen_outside };
  const last = zones.length === 0 ? undefined : timesOutside(zones, points).at(-1);
  if (last === undefined) return seen;
  const state = stateOfZones(zones);
  const before = seen_outside?.zones === state ? seen_outside : null;
  const at = new Date(Math.max(before?.at.getTime() ?? -Infinity, Math.min(last, Date.now())));
  const outside = laterPosition(before?.position ?? null, lastPosition(points, zones));
  return { ...seen, seen_outside: { zones: state, at, position: outside } };
}

/** The times of positions outside privacy zones. */
export function timesOutside(zones: readonly PrivacyZone[], points: TripPoints): Float64Array {
  return zones.length === 0 ? points.time : points.time.filter((_, at) => !isInZones(zones, points, at));
}

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
