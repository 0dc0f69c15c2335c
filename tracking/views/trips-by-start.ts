import type { RequestContext } from '../../auth/caller.ts';
import { BATCH_SIZE, type FilterOf } from '../../models/store/plain-store.ts';

import {
  type AccessScope,
  accountAccessScope,
  tripsAccessScope,
  vehicleAccessScope,
} from '../../models/store/tenancy.ts';
import { LONGER_THAN_A_DAY, OF_ALL_VEHICLES, type StoredTrip, TripStore } from '../../models/trips/trip.ts';

import { documentsOfVehicle } from './documents-of-vehicles.ts';
import { accessibleVehicleKeys, vehicleKeysIfFew } from './accessible-vehicles.ts';
import type { TripFields } from './trip-fields.ts';

const DAY_MS = 86_400_000;

/** Maximum number of accessible vehicles whose trips are read one vehicle at a time; with more, all of the account are read. */
const FEW_VEHICLES = 20;

/** Fields of trips of which only vehicles and places are needed. */
const PLACE_FIELDS: TripFields = { _id: 0, key: 1, vehicle_key: 1, 'start_point.timestamp': 1 };

/** Conditions on trips to list; absent ones are fulfilled by all. */
export interface TripFilter {
  /** Key of the user who drove. */
  readonly user_key?: string;
  /** Keys of tags of which a trip has one at least. */
  readonly tag_keys?: readonly string[];
}

/** A place in a list, which is ordered by start and then key. */
export interface Place {
  readonly start: number;
  readonly key: string;
}

/** Trips by their place in a list, from one on. */
export interface PlaceRange {
  readonly from: Place;
  /** True to include the trip at `from` itself. */
  readonly isInclusive: boolean;
  /** Start of the first trip that is not listed any more; of the last that is, in a list that begins with the newest. */
  readonly until: number;
  readonly count: number;
}

/** Trips that were read, and the place of the last one looked at; null if none follows. */
interface Started {
  readonly trips: readonly StoredTrip[];
  readonly last: Place | null;
}

/** The trips of one index that may be listed. */
interface Source {
  readonly accessScope: AccessScope;
  readonly filter: FilterOf<StoredTrip>;
}

/** The list of trips to read. */
export interface TripListRequest {
  readonly context: RequestContext;
  /** The access scope of a vehicle, or of a caller who lists the trips of all vehicles. */
  readonly records: AccessScope;
  readonly filter: TripFilter;
  readonly newestFirst: boolean;
  readonly fields: TripFields;
}

/**
 * The stored trips of a list in the order of their starts. Each source has an index in this order, so that a page costs the
 * same regardless of the number of trips: a vehicle, a driver, a tag, or the account.
 */
export class TripsByStart {
  readonly #request: TripListRequest;
  readonly #sources: readonly Source[];

  private constructor(request: TripListRequest, sources: readonly Source[]) {
    this.#request = request;
    this.#sources = sources;
  }

  /** Chooses the indexes from which a list is read. */
  static async of(request: TripListRequest): Promise<TripsByStart> {
    return new TripsByStart(request, await sourcesOf(request));
  }

  /** Returns the place of a trip in comparison to another: negative if it comes before. */
  compare(a: Place, b: Place): number {
    const ascending = a.start - b.start || (a.key < b.key ? -1 : Number(a.key > b.key));
    return this.#request.newestFirst ? -ascending : ascending;
  }

  /** Reads trips in order. */
  async started(range: PlaceRange): Promise<Started> {
    const { count } = range;
    const filter = this.#startFilter(range);
    const reads = await Promise.all(this.#sources.map((source) => this.#read(source, filter, count)));
    const looked = [...new Map(reads.flatMap(({ places }) => places).map((place) => [place.key, place])).values()];
    const places = looked.sort((a, b) => this.compare(a, b)).slice(0, count);
    const end = places.at(-1);
    const isListed = new Set(places.map(({ key }) => key));
    const trips = reads.flatMap((read) => read.trips).filter(({ key }) => isListed.delete(key));
    return { trips, last: end && places.length === count ? end : null };
  }

  /**
   * Reads the trips that started before an instant, or at it, and ended at it or later. Nearly all trips are shorter than a
   * day, so only a day of starts is looked at; the few longer ones have an index.
   */
  async across(instant: number): Promise<readonly StoredTrip[]> {
    if (!Number.isFinite(instant)) return [];
    const moment = new Date(instant);
    const dayBefore = new Date(instant - DAY_MS);
    const filters = [
      { 'start_point.timestamp': { $gte: dayBefore, $lte: moment }, 'end_point.timestamp': { $gte: moment } },
      {
        duration_seconds: LONGER_THAN_A_DAY,
        'start_point.timestamp': { $lt: dayBefore },
        'end_point.timestamp': { $gte: moment },
      },
    ];
    const reads = await Promise.all(
      this.#sources.flatMap((source) => filters.map((filter) => this.#read(source, filter, 0))),
    );
    return [...new Map(reads.flatMap(({ trips }) => trips).map((trip) => [trip.key, trip])).values()];
  }

  #startFilter({ from, isInclusive, until }: PlaceRange): FilterOf<StoredTrip> {
    const { newestFirst } = this.#request;
    const [beyond, upTo, before, start] = newestFirst
      ? (['$lt', '$lte', '$gte', '$lte'] as const)
      : (['$gt', '$gte', '$lt', '$gte'] as const);
    const bounds = {
      ...(Number.isFinite(from.start) && { [start]: new Date(from.start) }),
      ...(Number.isFinite(until) && { [before]: new Date(until) }),
    };
    return {
      ...(Object.keys(bounds).length > 0 && { 'start_point.timestamp': bounds }),
      ...(from.key !== '' && {
        $or: [
          { 'start_point.timestamp': { [beyond]: new Date(from.start) } },
          { key: { [isInclusive ? upTo : beyond]: from.key } },
        ],
      }),
    };
  }

  /**
   * Reads trips of a source; all of them if `count` is 0. For a caller who is restricted to groups, trips of the account are
   * looked at by their places alone; those that it sees are then read in the access scope of their vehicles.
   */
  async #read(source: Source, filter: FilterOf<StoredTrip>, count: number) {
    const { records, fields } = this.#request;
    const { accessScope } = source;
    if (accessScope.vehicle_keys !== null || records.group_keys === null) {
      const trips = await this.#find(source, filter, { fields, count });
      return { trips, places: trips.map(placeOf) };
    }
    const ofAccount = { ...accessScope, ...accountAccessScope(accessScope.service, records.account_key) };
    const found = await this.#find({ ...source, accessScope: ofAccount }, filter, { fields: PLACE_FIELDS, count });
    const places = found.map(placeOf);
    const vehicles = await accessibleVehicleKeys(records, found);
    const keys = found.filter((trip) => vehicles.has(trip.vehicle_key)).map(({ key }) => key);
    if (keys.length === 0) return { trips: [], places };
    const accessible = { filter: { key: { $in: keys } }, accessScope: tripsAccessScope(records, [...vehicles]) };
    return { trips: await this.#find(accessible, {}, { fields, count: 0 }), places };
  }

  #find(
    { accessScope, filter }: Source,
    range: FilterOf<StoredTrip>,
    { fields, count }: { readonly fields: TripFields; readonly count: number },
  ): Promise<StoredTrip[]> {
    const direction = this.#request.newestFirst ? -1 : 1;
    const those = { ...filter, staged: false, ...range };
    // All trips across an instant are sorted with those that started later.
    if (count === 0) return TripStore.find(accessScope, those, fields).batchSize(BATCH_SIZE).exec();
    const query = { model: TripStore, accessScope, filter: those, projection: fields, limit: count };
    const sort = { 'start_point.timestamp': direction, key: direction } as const;
    return documentsOfVehicle(this.#request.context, { ...query, sort }) as Promise<StoredTrip[]>;
  }
}

/** The place of a trip in a list, by its start as it is seen. */
export function placeOf({ start_point, key }: Pick<StoredTrip, 'start_point' | 'key'>): Place {
  return { start: start_point.timestamp.getTime(), key };
}

async function sourcesOf({ records, filter: { user_key, tag_keys } }: TripListRequest): Promise<Source[]> {
  const driven = user_key === undefined ? {} : { user_key };
  const tagged = tag_keys === undefined ? {} : { tag_keys: { $in: tag_keys } };
  const ofVehicle = (key: string): Source => ({
    accessScope: vehicleAccessScope(records, { key }),
    filter: { ...driven, ...tagged },
  });
  if (records.vehicle_key !== undefined) return [ofVehicle(records.vehicle_key)];
  if (records.vehicle_keys != null) return records.vehicle_keys.map(ofVehicle);
  const accessScope = tripsAccessScope(records, null);
  if (user_key !== undefined || records.driver_key !== undefined) {
    return [{ accessScope, filter: { ...driven, ...tagged } }];
  }
  // The database returns the trips of one tag in order, but not those of several.
  if (tag_keys !== undefined) return [...new Set(tag_keys)].map((tag) => ({ accessScope, filter: { tag_keys: tag } }));
  const few = records.group_keys === null ? null : await vehicleKeysIfFew(records, FEW_VEHICLES);
  return few?.map(ofVehicle) ?? [{ accessScope, filter: OF_ALL_VEHICLES }];
}
