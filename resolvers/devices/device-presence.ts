import { type Caller, sightOf } from '../../auth/caller.ts';
import type { StoredDevice } from '../../models/vehicles/device.ts';
import { hidesTrips, listPrivacyZones, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { sightOfAccount } from '../../models/tenancy.ts';
import type { Device } from '../../schema/vehicles/device.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

/** A device that has been silent for this long counts as disconnected, in milliseconds. */
export const DISCONNECTED_AFTER_MS = 15 * 60_000;

/**
 * Devices as they are shown to a caller at an instant. Whether one is connected follows from when it was last heard alone, so
 * that it is right in every answer, after a restart and with many servers alike: silence needs nobody to notice it.
 *
 * Where the account has privacy zones, others than its owner see of this, too, what positions outside tell: the last of them
 * is when the device was heard. Once zones have changed that is the last that came since. Nothing is told where a zone hides
 * whole trips.
 */
export async function presentDevices(
  caller: Caller,
  devices: readonly StoredDevice[],
  now: number = Date.now(),
): Promise<Device[]> {
  const zones = caller.kind === 'owner' ? [] : await listPrivacyZones(sightOfAccount(sightOf(caller).account_key));
  const lastHeard = zones.length === 0 ? lastTransmission : lastSeenOutside(zones);
  return devices.map((device) => presentDevice(device, lastHeard(device), now));
}

function presentDevice(device: StoredDevice, last_transmission: Date | null, now: number): Device {
  const silentSince = last_transmission === null ? null : last_transmission.getTime() + DISCONNECTED_AFTER_MS;
  const is_connected = silentSince !== null && now < silentSince;
  const disconnected_timestamp = silentSince === null || is_connected ? null : new Date(silentSince);
  return { ...device, last_transmission, is_connected, disconnected_timestamp };
}

function lastTransmission({ last_transmission }: StoredDevice): Date | null {
  return last_transmission;
}

function lastSeenOutside(zones: readonly PrivacyZone[]): (device: StoredDevice) => Date | null {
  if (zones.some(hidesTrips)) return () => null;
  const state = stateOfZones(zones);
  return ({ seen_outside }) => (seen_outside?.zones === state ? seen_outside.at : null);
}
