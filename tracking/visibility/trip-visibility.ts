import { type Caller, accessScopeOf, isTripMap, type RequestContext, vehicleKeysOf } from '../../auth/caller.ts';
import type { TripScope } from '../../auth/scopes/trip-scope.ts';
import { type HidingZone, hidesTrips } from '../../models/vehicles/privacy-zone.ts';
import { unrestricted, type AccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import { emptyTripPoints, pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { emptyReadings } from '../../models/trips/trip-readings.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { isInZones, isWayThroughZone } from '../geometry/zone.ts';
import { POSITIONS_A_STEP, type Steps } from '../scheduling/steps.ts';
import { hiddenZones, zonesOfList } from './hidden-zones.ts';
import { isVehicleVisible } from './visible-vehicle.ts';
import type { Service } from '../../models/store/service.ts';

/** Time after its last position at which a trip counts as over if zones hide whole trips, in milliseconds. */
const SETTLED_AFTER_MS = 15 * 60_000;

/** The positions that a caller sees of a trip. */
export interface SeenPoints {
  readonly points: TripPoints;
  /** Numbers of the positions before which a privacy zone hides the way. */
  readonly breaks: readonly number[];
}

/**
 * Returns the part of a vehicle's past that a caller's token opens; everything for callers without such a token.
 * @throws ServiceError UNAUTHENTICATED if the token is for other vehicles. Decisions: "Special-purpose token".
 */
export function tripScopeOf(caller: Caller, vehicleKey: string): TripScope {
  if (!isTripMap(caller)) return {};
  if (!vehicleKeysOf(caller).includes(vehicleKey))
    throw new ServiceError('UNAUTHENTICATED', 'The token is for another vehicle');
  return caller.scope;
}

/**
 * The part of trips, of one vehicle or of all, that one caller sees: in an access scope, within a time window, outside privacy
 * zones. Every trip is clipped by it, in `trip-view.ts` alone; only an owner's has no zones.
 */
export class TripVisibility {
  /** The access scope of the vehicle, or that of the caller if trips of all vehicles are meant. */
  readonly records: AccessScope;
  /** Nothing stamped before this is seen, in milliseconds since 1970. */
  readonly gte: number;
  /** Nothing stamped at or after this is seen. */
  readonly lt: number;
  readonly #zones: readonly HidingZone[];
  readonly #hidingZones: readonly HidingZone[];
  /** True for a trip map: a trip without positions does not exist for it. */
  readonly #isMap: boolean;

  private constructor(
    records: AccessScope,
    { gte = -Infinity, lt = Infinity }: TripScope,
    zones: readonly HidingZone[],
    isMap: boolean,
  ) {
    this.records = records;
    this.gte = gte;
    this.lt = lt;
    this.#zones = zones;
    this.#isMap = isMap;
    this.#hidingZones = zones.filter(hidesTrips);
  }

  /** Returns the visibility of a vehicle's trips to a caller; null if the vehicle itself is not visible. */
  static async of(context: RequestContext, vehicleKey: string): Promise<TripVisibility | null> {
    const { caller } = context;
    const scope = tripScopeOf(caller, vehicleKey);
    const isMap = isTripMap(caller);
    // The vehicle of a trip map was checked with its token, and zones may have been read with it.
    const [isVisible, zones] = await Promise.all([
      isMap || isVehicleVisible(context, vehicleKey),
      caller.kind === 'embed' && caller.zones ? caller.zones : zonesOfList(context, 'all'),
    ]);
    const records = vehicleAccessScope(accessScopeOf(context), { key: vehicleKey });
    return isVisible ? new TripVisibility(records, scope, zones, isMap) : null;
  }

  /**
   * Returns the visibility of the trips of all vehicles, for a trip map of those that it shows.
   *
   * @throws TypeError for a token of an app, which is for one
   */
  static async ofAll(context: RequestContext): Promise<TripVisibility> {
    const { service, caller } = context;
    if (caller.kind === 'embed') throw new TypeError('A token of an app is for the trips of one vehicle');
    const [scope, isMap] = caller.kind === 'share' ? [caller.scope, true] : [{}, false];
    return new TripVisibility(accessScopeOf(context), scope, await hiddenZones(service, caller), isMap);
  }

  /** Returns the visibility of the trips of one vehicle, which must have been found in the access scope. */
  ofVehicle(vehicle: { readonly key: string }): TripVisibility {
    return new TripVisibility(vehicleAccessScope(this.records, vehicle), this, this.#zones, this.#isMap);
  }

  /** True if this caller may see a later start of a trip, or no trip. */
  get mayShorten(): boolean {
    return this.gte > -Infinity || this.hasZones;
  }

  /**
   * Returns true for a trip that is visible as a whole. If there are zones none is: the visible part follows from the
   * positions alone, not from stored facts such as the bounding box.
   */
  seesWhole({ start_point, end_point, point_count }: StoredTrip): boolean {
    if (this.hasZones || (point_count === 0 && this.#isMap)) return false;
    return start_point.timestamp.getTime() >= this.gte && end_point.timestamp.getTime() < this.lt;
  }

  /** True if no trip is clipped. */
  get seesAll(): boolean {
    return !this.hasZones && this.gte === -Infinity && this.lt === Infinity;
  }

  get hasZones(): boolean {
    return this.#zones.length > 0;
  }

  /** Returns the visible positions of a trip. None is moved or added: some recorded positions are omitted. */
  *clip(all: TripPoints): Steps<SeenPoints> {
    const zones = this.#zones;
    if (this.seesAll) return { points: all, breaks: [] };
    if (this.#isHidden(all)) return { points: emptyTripPoints(0), breaks: [] };
    const seen: number[] = [];
    const breaks: number[] = [];
    for (let at = 0; at < all.length; at++) {
      if (at % POSITIONS_A_STEP === 0) yield;
      const time = all.time[at] ?? Number.NaN;
      const here = pointAt(all, at);
      if (!(time >= this.gte && time < this.lt) || isInZones(zones, all, at)) continue;
      const last = seen.at(-1);
      if (last !== undefined && zones.some((zone) => isWayThroughZone(zone, pointAt(all, last), here))) {
        breaks.push(seen.length);
      }
      seen.push(at);
    }
    const points = pickTripPoints(all, seen);
    return { points: this.hasZones ? withoutCounters(points) : points, breaks };
  }

  /** True for a trip that entered a zone that hides trips, or may still do so because its last position is recent. */
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
 * Omits readings that continue inside privacy zones: the odometers before and after would reveal the distance
 * between them, and so would the fuel levels.
 */
function withoutCounters(points: TripPoints): TripPoints {
  if (!points.readings) return points;
  const { odometer, fuel_level } = emptyReadings(points.length);
  return { ...points, readings: { ...points.readings, odometer, fuel_level } };
}

function pointAt({ lat, lon }: TripPoints, at: number): GeoPoint {
  return { lat: lat[at] ?? Number.NaN, lon: lon[at] ?? Number.NaN };
}

/**
 * Key of a trip's vehicle, for callers who name only the trip.
 *
 * @throws ServiceError NOT_FOUND for a trip of another account, or one that a share does not show
 */
export async function vehicleOfTrip(service: Service, caller: Caller, tripKey: string): Promise<string> {
  if (caller.kind === 'embed') return caller.vehicle_key;
  const accessScope = accessScopeOf({ service, caller });
  const filter = { key: tripKey, account_key: accessScope.account_key };
  const records = caller.kind === 'share' ? accessScope : unrestricted(service);
  const trip = await TripStore.findOne(records, filter, 'vehicle_key');
  if (!trip) throw notFound('trip');
  return trip.vehicle_key;
}
