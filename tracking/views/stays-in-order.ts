import type { RequestContext } from '../../auth/caller.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { OPEN_END, type StoredTrip } from '../../models/trips/trip.ts';
import { TRIP_LIMITS } from '../../models/trips/trip-limits.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import type { Stay } from '../../schema/trips/stay.ts';

import { metersTo } from '../geometry/motion.ts';
import { betweenTrips, type TripSpan } from './between-trips.ts';
import { firstPosition } from './first-position.ts';
import { FEWEST_FIELDS, projection, type TripFields } from './trip-fields.ts';
import { type Place, TripsByStart } from './trips-by-start.ts';

/** Maximum number of trips that one query reads. */
const MAX_AT_ONCE = 1001;

/** Stored fields of the trips between which a vehicle stood. */
const STAY_FIELDS: TripFields = { ...FEWEST_FIELDS, ...projection(['user_key', 'end_point.address']) };

/** The newest stays that start in `[from, until)`, in milliseconds since 1970, or the oldest ones. */
interface WantedStays {
  readonly from: number;
  readonly until: number;
  readonly count: number;
  /** True for the oldest ones first. */
  readonly isBackward: boolean;
  /** The driver of the trips before them; null for any. Keys of the trips of others are not shown. */
  readonly driver_key: string | null;
  /** Key of a stay that was listed before: it does not follow itself even if it begins at another time now. */
  readonly passed: string | null;
}

/** The access scope of all trips of a vehicle. */
export type VehicleScope = AccessScope & { readonly vehicle_key: string };

/** A trip with its span. */
interface Driven extends TripSpan {
  readonly trip: StoredTrip;
}

/** Reads trips of a vehicle in order until enough stays between them are found. */
export async function staysInOrder(
  context: RequestContext,
  records: VehicleScope,
  wanted: WantedStays,
): Promise<Stay[]> {
  const { from, until, count, isBackward, driver_key, passed } = wanted;
  const isOf = (trip: StoredTrip) => driver_key === null || trip.user_key === driver_key;
  const request = { context, records, filter: {}, fields: STAY_FIELDS };
  const older = await TripsByStart.of({ ...request, newestFirst: true });
  const newer = await TripsByStart.of({ ...request, newestFirst: false });
  const driven = new Map<string, Driven>();
  const add = (trips: readonly StoredTrip[]) => {
    for (const trip of trips) driven.set(trip.key, spanOf(trip));
  };
  if (isBackward) add(await newer.across(from));
  else if (Number.isFinite(until)) {
    const next = { from: { start: until, key: '' }, isInclusive: true, until: Infinity, count: 1 };
    add((await newer.started(next)).trips);
  }
  let last: Place = { start: isBackward ? from : until - 1, key: '' };
  for (let size = count + 1; ; size = Math.min(2 * size, MAX_AT_ONCE)) {
    const started = isBackward
      ? await newer.started({ from: last, isInclusive: false, until: Infinity, count: size })
      : await older.started({ from: last, isInclusive: false, until: from, count: size });
    add(started.trips);
    const reached = started.last?.start ?? (isBackward ? Infinity : from);
    // Trips that started earlier may have ended later.
    if (!isBackward) add(await older.across(reached));
    const [since, to] = isBackward ? [from, Math.min(reached, until)] : [reached, until];
    const stays = betweenTrips([...driven.values()])
      .filter(({ before }) => before.until >= since && before.until < to && isOf(before.trip))
      .map(({ before, after }) => stayBetween(before.trip, after?.trip ?? null, isOf))
      .filter(({ key }) => key !== passed);
    if (!isBackward) stays.reverse();
    const isEnough = stays.length >= count;
    if (isEnough && !isBackward) return stays;
    if (!isEnough && started.last && reached < until) {
      last = started.last;
      continue;
    }
    const first = driver_key === null ? await stayBeforeTrips(records, older, [...driven.values()]) : null;
    const time = first?.start_timestamp.getTime() ?? Number.NaN;
    if (!first || time < from || time >= until || first.key === passed) return stays;
    return isBackward ? [first, ...stays] : [...stays, first];
  }
}

function spanOf(trip: StoredTrip): Driven {
  const { key, start_point, end_point } = trip;
  const end = end_point.timestamp.getTime();
  return { key, trip, from: start_point.timestamp.getTime(), until: end === OPEN_END.getTime() ? Infinity : end };
}

/** Key of the stay after a trip. */
export function keyOfStayAfter({ key }: { readonly key: string }): string {
  return `stay_after.${key}`;
}

/** Key of the stay of a vehicle before its first trip. */
export function keyOfFirstStay({ vehicle_key }: Pick<VehicleScope, 'vehicle_key'>): string {
  return `first_stay.${vehicle_key}`;
}

function stayBetween(before: StoredTrip, after: StoredTrip | null, isOf: (trip: StoredTrip) => boolean): Stay {
  const { key, vehicle_key, end_point } = before;
  return {
    ...span(end_point.timestamp, end_point.point, after),
    key: keyOfStayAfter(before),
    vehicle_key,
    address: end_point.address ?? null,
    trip_before_key: key,
    trip_after_key: after && isOf(after) ? after.key : null,
  };
}

/** The stay before the first trip of a vehicle; null if nothing is known of it. */
async function stayBeforeTrips(
  records: VehicleScope,
  trips: TripsByStart,
  driven: readonly Driven[],
): Promise<Stay | null> {
  const place = await firstPosition(records);
  if (!place) return null;
  const upTo = { from: { start: place.time, key: '' }, isInclusive: true, until: -Infinity, count: 1 };
  if ((await trips.started(upTo)).trips.length > 0) return null;
  const next = driven.toSorted((a, b) => a.from - b.from)[0]?.trip ?? null;
  return {
    ...span(new Date(place.time), { lat: place.lat, lon: place.lon }, next),
    key: keyOfFirstStay(records),
    vehicle_key: records.vehicle_key,
    address: null,
    trip_before_key: null,
    trip_after_key: next?.key ?? null,
  };
}

/** When and where a vehicle stood from an instant until its next trip. */
function span(start_timestamp: Date, point: GeoPoint | null, next: StoredTrip | null) {
  const end_timestamp = next?.start_point.timestamp ?? null;
  return {
    start_timestamp,
    end_timestamp,
    duration_seconds: end_timestamp && (end_timestamp.getTime() - start_timestamp.getTime()) / 1000,
    point,
    moved_unseen: next !== null && beganElsewhere(point, next),
  };
}

/** Returns true if a trip began farther away than vehicles move without a trip. */
function beganElsewhere(point: GeoPoint | null, { start_point, recording }: StoredTrip): boolean {
  const minimum = (recording?.limits ?? TRIP_LIMITS).minimum_meters;
  return point !== null && start_point.point !== null && metersTo(point, start_point.point) > minimum;
}
