import type { Caller } from '../../auth/caller.ts';
import type { StoredDevice } from '../../models/vehicles/device.ts';
import { hidesTrips, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { type Device, DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { hiddenZones } from '../../tracking/visibility/hidden-zones.ts';
import type { Service } from '../../models/store/service.ts';

/** A device as it is read to be shown: without what only the service needs. */
export type PresentedDevice = Pick<StoredDevice, (keyof Device & keyof StoredDevice) | 'seen_outside'>;

/**
 * Devices as they are shown to a caller at an instant. The connection state follows from the last transmission alone,
 * so that it is right after a restart and on every server.
 *
 * If there are privacy zones, all but the owner see the last position outside them in its place, none from before the
 * zones changed; nothing if a zone hides whole trips.
 */
export async function presentDevices(
  service: Service,
  caller: Caller,
  devices: readonly PresentedDevice[],
  now: number = Date.now(),
): Promise<Device[]> {
  const zones = await hiddenZones(service, caller);
  const lastSeen = zones.length === 0 ? (device: PresentedDevice) => device.last_transmission : lastSeenOutside(zones);
  return devices.map((device) => presentDevice(device, lastSeen(device), now));
}

function presentDevice(device: PresentedDevice, last_transmission: Date | null, now: number): Device {
  const offlineSince = last_transmission === null ? null : last_transmission.getTime() + DISCONNECTED_AFTER_MS;
  const is_connected = offlineSince !== null && now < offlineSince;
  const disconnected_timestamp = offlineSince === null || is_connected ? null : new Date(offlineSince);
  return Object.assign(device, { last_transmission, is_connected, disconnected_timestamp });
}

function lastSeenOutside(zones: readonly PrivacyZone[]): (device: PresentedDevice) => Date | null {
  if (zones.some(hidesTrips)) return () => null;
  const state = stateOfZones(zones);
  return ({ seen_outside }) => (seen_outside?.zones === state ? seen_outside.at : null);
}
