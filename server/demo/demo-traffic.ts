import type { Forwarder } from '../../auth/caller.ts';
import { AccountStore } from '../../models/account/account.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { joinTripPoints, pointsBetween, type TripPoints } from '../../models/trips/trip-points.ts';
import { listPrivacyZones } from '../../models/vehicles/privacy-zone.ts';
import { findDevices } from '../../resolvers/ingest/find-devices.ts';
import { isInVehicle, recordSent } from '../../tracking/ingest/record-sent.ts';
import { followedVehicles } from '../../tracking/recording/position-notices.ts';

import type { DemoKeys } from './demo-keys.ts';
import { drive } from './drive.ts';
import { DEMO_FLEET, type DemoCar } from './fleet.ts';
import { Random } from './random.ts';
import { routesOf } from './route.ts';
import type { Service } from '../../models/store/service.ts';

/** Time from one position to the next, in milliseconds. */
export const TRAFFIC_INTERVAL_MS = 3000;
/** Time for which a vehicle is parked between two tours, in milliseconds. */
const REST_MS = 60_000;
/** Period before now whose positions are sent when a viewer arrives, in milliseconds. */
const FIRST_MS = 60_000;

/** Positions of a car's tours, in an endless loop; times are from the start of a round. */
interface Round {
  readonly length: number;
  readonly drives: readonly TripPoints[];
}

const rounds = new Map<DemoCar, Round>();

/**
 * Drives the demonstration's vehicles on their streets while they are followed: the others are not visible, and cost
 * nothing. The position of a vehicle depends only on the time, so that every server sends the same positions.
 */
export class DemoTraffic {
  readonly #service: Service;
  readonly #keys: DemoKeys;
  /** Times until which positions of vehicles were sent, in milliseconds since 1970. */
  readonly #sentUntil = new Map<string, number>();

  constructor(service: Service, keys: DemoKeys) {
    this.#service = service;
    this.#keys = keys;
  }

  /** Records the positions up to `now` of followed vehicles. */
  async advance(now: number): Promise<void> {
    const { account_key, vehicles } = this.#keys;
    const followed = new Set(followedVehicles(this.#service).get(account_key));
    const sent: { serial: string; points: TripPoints }[] = [];
    for (const [at, car] of DEMO_FLEET.entries()) {
      const key = vehicles[at]?.key ?? '';
      if (!followed.has(key)) continue;
      const from = Math.max(this.#sentUntil.get(key) ?? 0, now - FIRST_MS);
      this.#sentUntil.set(key, now);
      const points = positionsOf(car, from, now);
      if (points.length > 0) sent.push({ serial: car.serial, points });
    }
    if (sent.length > 0) await this.#record(sent);
  }

  async #record(sent: readonly { readonly serial: string; readonly points: TripPoints }[]): Promise<void> {
    const { account_key } = this.#keys;
    const accessScope = accountAccessScope(this.#service, account_key);
    const account = await AccountStore.findOne(accessScope, {}, { places_revision: 1, rules_revision: 1 });
    if (!account) return;
    const { places_revision, rules_revision } = account;
    const zones = await listPrivacyZones(accessScope);
    const sender: Forwarder = {
      ...{ kind: 'forwarder', account_key, creates_devices: false },
      // Positions of the last minute are kept in any case.
      ...{ zones, places_revision, rules_revision, retention_days: null, trip_settings: null },
    };
    const devices = await findDevices(this.#service, sender, sent);
    const found = sent.flatMap(({ points }, at) => {
      const device = devices[at];
      return device && isInVehicle(device) ? [{ device, points }] : [];
    });
    await recordSent(this.#service, sender, { path: 'batch', message: null }, found);
  }
}

/** Returns a car's positions after one moment, up to another, both in whole milliseconds since 1970. */
export function positionsOf(car: DemoCar, from: number, until: number): TripPoints {
  const { length, drives } = rounds.get(car) ?? driveRound(car);
  const found: TripPoints[] = [];
  for (let start = Math.floor(from / length) * length; start <= until; start += length) {
    for (const drive of drives) {
      const time = drive.time.map((instant) => start + instant);
      found.push(pointsBetween({ ...drive, time }, from + 1, until + 1));
    }
  }
  return joinTripPoints(found);
}

function driveRound(car: DemoCar): Round {
  const random = new Random(`${car.serial} round`);
  let start = 0;
  const drives = routesOf(car.tours).map((route) => {
    const driven = drive(route, start, random, TRAFFIC_INTERVAL_MS / 1000);
    start = (driven.time.at(-1) ?? start) + REST_MS;
    return driven;
  });
  const round = { length: start, drives };
  rounds.set(car, round);
  return round;
}
