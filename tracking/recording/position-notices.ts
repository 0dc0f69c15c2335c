import type { StoredDevice } from '../../models/vehicles/device.ts';
import { perService, type Service } from '../../models/store/service.ts';

/** A device whose newest position may have changed, as it is stored. */
export type MovedDevice = Pick<StoredDevice, 'key' | 'vehicle_key' | 'position' | 'seen_outside'>;

/** Follows the newest positions of vehicles. */
export interface PositionListener {
  readonly account_key: string;
  readonly vehicle_keys: readonly string[];
  /** @param zones the privacy zones by which the device's positions were stored, as `stateOfZones` names them; null if they are not known */
  moved(device: MovedDevice, zones: string | null): void;
}

/** In place of the keys of vehicles: all of an account. */
export const ALL_VEHICLES = '*';

/** Listeners of this process, by account and vehicle. */
const listeners = perService(() => new Map<string, Map<string, Set<PositionListener>>>());
const beginnings = perService(() => new Set<() => void>());

/** Calls back when the first follower of vehicles arrives; returns a function that ends it. */
export function onFirstPositionListener(service: Service, listener: () => void): () => void {
  beginnings(service).add(listener);
  return () => void beginnings(service).delete(listener);
}

/** Calls a listener for its vehicles, until the returned function is called. */
export function listenToPositions(service: Service, listener: PositionListener): () => void {
  const { account_key, vehicle_keys } = listener;
  const vehicles = listeners(service).get(account_key) ?? new Map<string, Set<PositionListener>>();
  const isFirst = listeners(service).size === 0;
  listeners(service).set(account_key, vehicles);
  for (const key of vehicle_keys) vehicles.set(key, (vehicles.get(key) ?? new Set()).add(listener));
  if (isFirst) for (const begin of beginnings(service)) begin();
  return () => {
    for (const key of vehicle_keys) {
      const ofVehicle = vehicles.get(key);
      ofVehicle?.delete(listener);
      if (ofVehicle?.size === 0) vehicles.delete(key);
    }
    if (vehicles.size === 0 && listeners(service).get(account_key) === vehicles) listeners(service).delete(account_key);
  };
}

/** Notifies listeners of this process of stored positions of devices of an account. */
export function noticePositions(
  service: Service,
  account_key: string,
  devices: readonly MovedDevice[],
  zones: string | null,
): void {
  const vehicles = listeners(service).get(account_key);
  if (!vehicles) return;
  for (const device of devices) {
    for (const key of [device.vehicle_key ?? '', ALL_VEHICLES]) {
      for (const listener of vehicles.get(key) ?? []) listener.moved(device, zones);
    }
  }
}

const listenersHere = perService(() => new Set<(account_key: string, vehicle_keys: readonly string[]) => void>());

/** Calls back with the vehicles of an account of which this process has stored positions, until the returned function is called. */
export function onStoredPositions(
  service: Service,
  listener: (account_key: string, vehicle_keys: readonly string[]) => void,
): () => void {
  listenersHere(service).add(listener);
  return () => listenersHere(service).delete(listener);
}

/** Announces that this process has stored positions of vehicles of an account. */
export function announceStoredPositions(service: Service, account_key: string, vehicle_keys: readonly string[]): void {
  for (const listener of listenersHere(service)) listener(account_key, vehicle_keys);
}

/** Returns true if this process has followers of vehicles of an account. */
export function isFollowed(service: Service, account_key: string): boolean {
  return listeners(service).has(account_key);
}

/** Returns true if this process has followers of vehicles. */
export function isAnythingFollowed(service: Service): boolean {
  return listeners(service).size > 0;
}

/** The given vehicles of an account that are followed in this process. */
export function followedAmong(
  service: Service,
  account_key: string,
  vehicle_keys: readonly string[],
): readonly string[] {
  const followed = listeners(service).get(account_key);
  return vehicle_keys.filter((key) => followed?.has(ALL_VEHICLES) || followed?.has(key));
}

/** Keys of the vehicles that are followed in this process, by account. */
export function followedVehicles(service: Service): ReadonlyMap<string, readonly string[]> {
  return new Map([...listeners(service)].map(([account_key, vehicles]) => [account_key, [...vehicles.keys()]]));
}
