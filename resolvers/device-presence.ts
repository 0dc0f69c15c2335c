import type { StoredDevice } from '../models/device.ts';
import type { Device } from '../schema/device.ts';

/** A device that has been silent for this long counts as disconnected, in milliseconds. */
export const DISCONNECTED_AFTER_MS = 15 * 60_000;

/**
 * A device as it is shown at an instant. Whether it is connected follows from its last transmission alone, so that it is
 * right in every answer, after a restart and with many servers alike: silence needs nobody to notice it.
 */
export function presentDevice(device: StoredDevice, now: number = Date.now()): Device {
  const heard = device.last_transmission?.getTime() ?? null;
  const silentSince = heard === null ? null : heard + DISCONNECTED_AFTER_MS;
  const is_connected = silentSince !== null && now < silentSince;
  const disconnected_timestamp = silentSince === null || is_connected ? null : new Date(silentSince);
  return { ...device, is_connected, disconnected_timestamp };
}
