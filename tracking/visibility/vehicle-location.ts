import type { StoredDevice } from '../../models/vehicles/device.ts';
import { hidesTrips, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import type { VehicleLocation } from '../../schema/vehicles/vehicle.ts';

import { milesPerHour, toTenths } from '../geometry/speeds.ts';
import { laterPosition } from '../recording/last-position.ts';

/** A device by which its vehicle is found. */
export type LocatingDevice = Pick<StoredDevice, 'key' | 'position' | 'seen_outside'>;

/** Speed in meters per second from which a vehicle counts as driving; a stationary receiver drifts more slowly. */
const DRIVING = 1;

/**
 * The latest position of a vehicle with some devices, as a caller sees it: the last one outside the privacy zones, but none from
 * before the zones changed, and none if one of them hides whole trips.
 *
 * @param zones those that are hidden from the caller; null for one who sees no positions
 * @param now milliseconds since 1970
 */
export function locationOf(
  devices: readonly LocatingDevice[],
  zones: readonly PrivacyZone[] | null,
  now: number,
): VehicleLocation | null {
  if (zones === null || zones.some(hidesTrips)) return null;
  const state = stateOfZones(zones);
  const seen = ({ position, seen_outside }: LocatingDevice) => {
    if (zones.length === 0) return position;
    return seen_outside?.zones === state ? seen_outside.position : null;
  };
  const last = devices.map(seen).reduce((latest, position) => laterPosition(latest, position), null);
  if (!last) return null;
  const isDriving = (last.speed ?? 0) >= DRIVING && now - last.at.getTime() < DISCONNECTED_AFTER_MS;
  return {
    point: { lat: last.lat, lon: last.lon },
    speed_mph: last.speed === null ? null : toTenths(milesPerHour(last.speed)),
    heading: last.heading,
    timestamp: last.at,
    motion_status: isDriving ? 'moving' : 'stopped',
  };
}
