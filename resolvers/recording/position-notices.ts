import type { StoredDevice } from '../../models/vehicles/device.ts';

/** A device whose newest position may have changed, as it is stored. */
export type MovedDevice = Pick<StoredDevice, 'key' | 'vehicle_key' | 'position' | 'seen_outside'>;

/** Follows the newest positions of vehicles. */
export interface PositionListener {
  readonly account_key: string;
  readonly vehicle_keys: readonly string[];
  /** @param zones the privacy zones by which the device's positions were stored, as `stateOfZones` names them; null where they are not known */
  moved(device: MovedDevice, zones: string | null): void;
}

/** Listeners of this process, by account and vehicle. */
const listeners = new Map<string, Map<string, Set<PositionListener>>>();
const beginnings = new Set<() => void>();

/** Calls back when somebody begins to follow vehicles while nobody does; returns a function that ends it. */
export function onFirstPositionListener(listener: () => void): () => void {
  beginnings.add(listener);
  return () => void beginnings.delete(listener);
}

/** Calls a listener for its vehicles, until the returned function is called. */
export function listenToPositions(listener: PositionListener): () => void {
  const { account_key, vehicle_keys } = listener;
  const vehicles = listeners.get(account_key) ?? new Map<string, Set<PositionListener>>();
  const isFirst = listeners.size === 0;
  listeners.set(account_key, vehicles);
  for (const key of vehicle_keys) vehicles.set(key, (vehicles.get(key) ?? new Set()).add(listener));
  if (isFirst) for (const begin of beginnings) begin();
  return () => {
    for (const key of vehicle_keys) {
      const ofVehicle = vehicles.get(key);
      ofVehicle?.delete(listener);
      if (ofVehicle?.size === 0) vehicles.delete(key);
    }
    if (vehicles.size === 0 && listeners.get(account_key) === vehicles) listeners.delete(account_key);
  };
}

/** Tells listeners of this process of stored positions of devices of an account. */
export function noticePositions(account_key: string, devices: readonly MovedDevice[], zones: string | null): void {
  const vehicles = listeners.get(account_key);
  if (!vehicles) return;
  for (const device of devices) {
    for (const listener of vehicles.get(device.vehicle_key ?? '') ?? []) listener.moved(device, zones);
  }
}

const listenersHere = new Set<(account_key: string, vehicle_keys: readonly string[]) => void>();

/** Calls back with the vehicles of an account of which this process has stored positions, until the returned function is called. */
export function onStoredPositions(
  listener: (account_key: string, vehicle_keys: readonly string[]) => void,
): () => void {
  listenersHere.add(listener);
  return () => listenersHere.delete(listener);
}

/** Says that this process has stored positions of vehicles of an account. */
export function announceStoredPositions(account_key: string, vehicle_keys: readonly string[]): void {
  for (const listener of listenersHere) listener(account_key, vehicle_keys);
}

/** Tells whether anybody in this process follows vehicles of an account. */
export function isFollowed(account_key: string): boolean {
  return listeners.has(account_key);
}

/** Tells whether anybody in this process follows vehicles. */
export function isAnythingFollowed(): boolean {
  return listeners.size > 0;
}

/** Those of some vehicles of an account that somebody in this process follows. */
export function followedAmong(account_key: string, vehicle_keys: readonly string[]): readonly string[] {
  const followed = listeners.get(account_key);
  return followed ? vehicle_keys.filter((key) => followed.has(key)) : [];
}

/** Keys of the vehicles that somebody in this process follows, by account. */
export function followedVehicles(): ReadonlyMap<string, readonly string[]> {
  return new Map([...listeners].map(([account_key, vehicles]) => [account_key, [...vehicles.keys()]]));
}
