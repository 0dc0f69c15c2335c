import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import type { TripScope } from '../../auth/trip-scope.ts';
import { hidesTrips, listPrivacyZones } from '../../models/vehicles/privacy-zone.ts';
import { UNRESTRICTED, type AccessScope, accountAccessScope, vehicleAccessScope } from '../../models/tenancy.ts';
import { type StoredTrip, TripModel } from '../../models/trips/trip.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { emptyTripPoints, pickTripPoints } from '../../models/trips/trip-points.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { isInZones, isWayThroughZone } from '../geometry/zone.ts';
import type { SeenPoints } from './trip-geometry.ts';

/** How long after its last position a trip is taken to be over where zones hide whole trips, in milliseconds. */
const SETTLED_AFTER_MS = 15 * 60_000;

/**
 * What a caller's token opens of a vehicle's past; everything for callers without such a token.
 *
 * @throws ServiceError UNAUTHENTICATED where the token is for another vehicle. Decisions: "Special-purpose token".
 */
export function tripScopeOf(caller: Caller, vehicleKey: string): TripScope {
  if (caller.kind !== 'embed') return {};
  if (caller.vehicle_key !== vehicleKey) throw new ServiceError('UNAUTHENTICATED', 'The token is for another vehicle');
  return caller.scope;
}

/**
 * What one caller sees of the trips of one vehicle: whose records, of which time, outside which privacy zones. Whatever
 * leaves of a trip is cut by it, in `trip-view.ts` alone; only an owner's is free of zones.
 */
export class TripVisibility {
  /** Whose records, for queries. */
  readonly records: AccessScope;
  /** Nothing stamped before this is seen, in milliseconds since 1970. */
  readonly gte: number;
  /** Nothing stamped at or after this is seen. */
  readonly lt: number;
  readonly #zones: readonly PrivacyZone[];
  /** Those of the zones that hide trips altogether. */
  readonly #hidingZones: readonly PrivacyZone[];

  private constructor(
    records: AccessScope,
    { gte = -Infinity, lt = Infinity }: TripScope,
    zones: readonly PrivacyZone[],
  ) {
    this.records = records;
    this.gte = gte;
    this.lt = lt;
    this.#zones = zones;
    this.#hidingZones = zones.filter(hidesTrips);
  }

  /** The sight that a caller has of a vehicle's trips; null where the vehicle itself is out of sight. */
  static async of(caller: Caller, vehicleKey: string): Promise<TripVisibility | null> {
    const scope = tripScopeOf(caller, vehicleKey);
    const [records, zones] = await Promise.all([recordsOf(caller, vehicleKey), zonesFor(caller)]);
    return records && new TripVisibility(records, scope, zones);
  }

  /** Whether a trip may start later for this caller than it did, or not exist. */
  get mayShorten(): boolean {
    return this.gte > -Infinity || this.hasZones;
  }

  /**
   * Whether a trip is seen as it is stored. Where there are zones none is: its positions say what is seen of it, and nothing
   * that is stored of all of them, such as its bounding box, says how that is worked out.
   */
  seesWhole({ start_point, end_point }: StoredTrip): boolean {
    if (this.hasZones) return false;
    return start_point.timestamp.getTime() >= this.gte && end_point.timestamp.getTime() < this.lt;
  }

  /** Whether places are hidden from this caller. */
  get hasZones(): boolean {
    return this.#zones.length > 0;
  }

  /** What is seen of a trip's positions. Nothing is moved or made: of the recorded positions some are left out. */
  cut(all: TripPoints): SeenPoints {
    const zones = this.#zones;
    if (!this.hasZones && this.gte === -Infinity && this.lt === Infinity) return { points: all, breaks: [] };
    if (this.#isHidden(all)) return { points: emptyTripPoints(0), breaks: [] };
    const seen: number[] = [];
    const breaks: number[] = [];
    for (let at = 0; at < all.length; at++) {
      const time = all.time[at] ?? Number.NaN;
      const here = pointAt(all, at);
      if (!(time >= this.gte && time < this.lt) || isInZones(zones, all, at)) continue;
      const last = seen.at(-1);
      if (last !== undefined && zones.some((zone) => isWayThroughZone(zone, pointAt(all, last), here))) {
        breaks.push(seen.length);
      }
      seen.push(at);
    }
    return { points: pickTripPoints(all, seen), breaks };
  }

  /**
   * Whether a trip is not seen at all: it came into a zone that hides such trips, or was seen outside of all zones so lately
   * that it may go there yet.
   */
  #isHidden(all: TripPoints): boolean {
    const zones = this.#hidingZones;
    if (zones.length === 0) return false;
    const recent = Date.now() - SETTLED_AFTER_MS;
    return all.time.some(
      (time, at) => isInZones(zones, all, at) || (time > recent && !isInZones(this.#zones, all, at)),
    );
  }
}

/**
 * The sight of a vehicle's records, once the vehicle itself has been seen; null where it is out of sight.
 *
 * A trip map has seen its vehicle when its token was verified, in the same request.
 */
async function recordsOf(caller: Caller, vehicleKey: string): Promise<AccessScope | null> {
  const accessScope = accessScopeOf(caller);
  if (caller.kind === 'embed') return vehicleAccessScope(accessScope, { key: caller.vehicle_key });
  const vehicle = await VehicleModel.findOne({ key: vehicleKey }, 'key', { accessScope }).lean();
  return vehicle && vehicleAccessScope(accessScope, vehicle);
}

/** The zones that are hidden from a caller: all of the account, from everybody but its owner. */
async function zonesFor(caller: Caller): Promise<readonly PrivacyZone[]> {
  return caller.kind === 'owner' ? [] : listPrivacyZones(accountAccessScope(accessScopeOf(caller).account_key));
}

function pointAt({ lat, lon }: TripPoints, at: number): GeoPoint {
  return { lat: lat[at] ?? Number.NaN, lon: lon[at] ?? Number.NaN };
}

/**
 * The key of the vehicle that a trip belongs to, for callers who name the trip alone.
 *
 * @throws ServiceError NOT_FOUND for a trip of another account
 */
export async function vehicleOfTrip(caller: Caller, tripKey: string): Promise<string> {
  if (caller.kind === 'embed') return caller.vehicle_key;
  const filter = { key: tripKey, account_key: accessScopeOf(caller).account_key };
  const trip = await TripModel.findOne(filter, 'vehicle_key', { accessScope: UNRESTRICTED }).lean();
  if (!trip) throw notFound('trip');
  return trip.vehicle_key;
}
