import type { TripScope } from '../../auth/scopes/trip-scope.ts';
import { stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import type { VehicleMovement } from '../../schema/vehicles/vehicle-movement.ts';

import { locationOf } from '../../tracking/visibility/vehicle-location.ts';
import {
  listenToPositions,
  type MovedDevice,
  type PositionListener,
} from '../../tracking/recording/position-notices.ts';
import type { Service } from '../../models/store/service.ts';

/** Vehicles that a reader follows, and what of their positions it sees. */
export interface FollowedVehicles {
  readonly service: Service;
  readonly account_key: string;
  /** Keys of the vehicles, or `ALL_VEHICLES`. */
  readonly vehicle_keys: readonly string[];
  /** Names of those that were there when the reader began, by their keys. */
  readonly names: ReadonlyMap<string, string | null>;
  /** Privacy zones that are hidden from the reader. */
  readonly zones: readonly PrivacyZone[];
  readonly window: TripScope;
  /** The one trip on which the reader sees them; null for any. */
  readonly trip: FollowedTrip | null;
  /** Times of the positions that the reader has, by vehicle, in ms since 1970. */
  readonly sent: Map<string, number>;
}

/** A trip on which a vehicle is followed. */
export interface FollowedTrip {
  readonly device_key: string | null;
  /** Returns true if the reader sees the trip, with a position of this time, in ms since 1970. */
  includes(time: number): Promise<boolean>;
}

/**
 * Movements of vehicles, for one reader. A vehicle that moves again before it is read is told of once, with its newest
 * position, so that a slow reader is never behind.
 */
export class MovedVehicles implements AsyncIterableIterator<VehicleMovement>, PositionListener {
  readonly account_key: string;
  readonly vehicle_keys: readonly string[];
  readonly #followed: FollowedVehicles;
  /** Name of the hidden zones; null for a reader from whom nothing is hidden. */
  readonly #zones: string | null;
  readonly #pending = new Map<string, VehicleMovement>();
  readonly #stopListening: () => void;
  #waiting: ((result: IteratorResult<VehicleMovement>) => void) | null = null;
  #isOver = false;

  /** @param seesAll true for a reader from whom no zones are hidden */
  constructor(followed: FollowedVehicles, seesAll: boolean) {
    this.account_key = followed.account_key;
    this.vehicle_keys = followed.vehicle_keys;
    this.#followed = followed;
    for (const key of followed.sent.keys()) {
      if (followed.names.has(key)) continue;
      followed.sent.delete(key);
      this.#pending.set(key, { vehicle_key: key, nickname: null, vehicle_location: null });
    }
    this.#zones = seesAll ? null : stateOfZones(followed.zones);
    this.#stopListening = listenToPositions(followed.service, this);
  }

  /** Positions that were stored while other zones hid them are not shown: the reader begins again once it knows those. */
  moved(device: MovedDevice, zones: string | null): void {
    if (this.#zones !== null && zones !== null && zones !== this.#zones) return;
    const { vehicle_key } = device;
    const { names, zones: hidden, window, trip, sent } = this.#followed;
    if (trip !== null && trip.device_key !== device.key) return;
    const vehicle_location = locationOf([device], hidden, Date.now());
    if (!vehicle_location || vehicle_key === null) return;
    const time = vehicle_location.timestamp.getTime();
    const { gte = -Infinity, lt = Infinity } = window;
    if (time < gte || time >= lt || time <= (sent.get(vehicle_key) ?? -Infinity)) return;
    sent.set(vehicle_key, time);
    const movement = { vehicle_key, nickname: names.get(vehicle_key) ?? null, vehicle_location };
    if (this.#waiting) this.#settle({ value: movement, done: false });
    else this.#pending.set(vehicle_key, movement);
  }

  async next(): Promise<IteratorResult<VehicleMovement>> {
    for (;;) {
      const movement = await this.#take();
      const { trip } = this.#followed;
      if (movement.done || trip === null || movement.value.vehicle_location === null) return movement;
      if (await trip.includes(movement.value.vehicle_location.timestamp.getTime())) return movement;
    }
  }

  async #take(): Promise<IteratorResult<VehicleMovement>> {
    if (this.#isOver) return { value: undefined, done: true };
    for (const [key, movement] of this.#pending) {
      this.#pending.delete(key);
      return { value: movement, done: false };
    }
    return new Promise((settle) => {
      this.#waiting = settle;
    });
  }

  async return(): Promise<IteratorResult<VehicleMovement>> {
    this.#isOver = true;
    this.#stopListening();
    this.#settle({ value: undefined, done: true });
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #settle(result: IteratorResult<VehicleMovement>): void {
    this.#waiting?.(result);
    this.#waiting = null;
  }
}
