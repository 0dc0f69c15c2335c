import { accessScopeOf, isTripMap, type RequestContext, vehicleKeysOf } from '../../auth/caller.ts';
import { TripWindow } from '../../auth/scopes/trip-window.ts';
import type { Page } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { batched } from '../../tracking/scheduling/batched.ts';
import { existingTagKeys } from '../../models/lookup/check-tag-keys.ts';
import { checkPageSize } from '../../models/lists/creation-page.ts';
import { awaitArrangement } from '../../tracking/recording/complete-interrupted.ts';
import { timeSliceOf } from '../../tracking/scheduling/time-slice.ts';
import { pointsMeter } from '../../tracking/views/points-meter.ts';
import { FEWEST_FIELDS, type TripFields } from '../../tracking/views/trip-fields.ts';
import type { TripListArgs } from './trip-args.ts';
import { findTrip, pageOfTrip, tripPage } from '../../tracking/views/trip-page.ts';
import { TripVisibility, tripScopeOf, vehicleOfTrip } from '../../tracking/visibility/trip-visibility.ts';
import { findTrips, type TripReading } from '../../tracking/views/trips-of-vehicles.ts';
import type { TripView } from '../../tracking/views/trip-view.ts';
import type { TripFilter } from '../../tracking/views/trips-by-start.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';

/**
 * A page of the trips that a caller sees, of all vehicles or of one.
 * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, or BAD_REQUEST naming an argument
 */
export async function listTrips(
  context: RequestContext,
  args: Partial<TripListArgs>,
  fields: TripFields,
): Promise<Page<TripView>> {
  const { service, caller } = context;
  const map = isTripMap(caller) ? caller : null;
  const [only = null, ...others] = map ? vehicleKeysOf(map) : [];
  const vehicleKey = args.vehicle_key ?? (others.length === 0 ? only : null);
  const scope = vehicleKey === null ? (map?.scope ?? {}) : tripScopeOf(caller, vehicleKey);
  const { first } = args;
  const isBackward = (first ?? 50) < 0;
  const size = checkPageSize(first ?? 50);
  const accessScope = accessScopeOf(context);
  if (typeof args.trip_key === 'string') {
    const vehicle = vehicleKey ?? (await vehicleOfTrip(service, caller, args.trip_key));
    return pageOfTrip(accessScope, await oneTrip(context, vehicle, args.trip_key, fields), args.after);
  }
  const window = map ? TripWindow.oneDay(args) : TripWindow.plain(args);
  if (!window.isCoveredBy(scope)) {
    throw new ServiceError('FORBIDDEN', 'The token is more restrictive than started_after or started_before');
  }
  if (map && (args.user_key != null || args.tag_keys != null)) {
    throw new ServiceError('FORBIDDEN', 'The token does not allow user_key or tag_keys');
  }
  const filter = await filterOf(accessScope, args);
  const visibility = await (vehicleKey === null
    ? TripVisibility.ofAll(context)
    : TripVisibility.of(context, vehicleKey));
  if (!visibility) throw notFound('vehicle');
  await (vehicleKey === null ? awaitArrangement(service, accessScope.account_key) : arranged(context, vehicleKey));
  return tripPage({
    context,
    visibility,
    window,
    filter,
    newestFirst: (args.newest_first ?? false) !== isBackward,
    isBackward,
    first: size,
    after: args.after,
    ...readingOf(context, fields),
  });
}

/** Reads the conditions on trips that concern the account. */
async function filterOf(accessScope: AccessScope, { user_key, tag_keys }: Partial<TripListArgs>): Promise<TripFilter> {
  return {
    ...(user_key != null && { user_key }),
    ...(tag_keys != null && { tag_keys: await existingTagKeys(accessScope, 'tag_keys', 'Trip', tag_keys) }),
  };
}

/**
 * One trip of a vehicle, as a caller sees it.
 * @throws ServiceError NOT_FOUND
 */
export async function oneTrip(
  context: RequestContext,
  vehicleKey: string,
  key: string,
  fields: TripFields,
): Promise<TripView> {
  const visibility = await TripVisibility.of(context, vehicleKey);
  if (!visibility) throw notFound('trip');
  await arranged(context, vehicleKey);
  const trip = await findTrip(visibility, key, readingOf(context, fields));
  if (!trip) throw notFound('trip');
  return trip;
}

/** Trips of any vehicles by key, as a caller sees them; those that it does not see are left out. */
export async function tripsByKey(
  context: RequestContext,
  keys: readonly string[],
  fields: TripFields,
): Promise<TripView[]> {
  return findTrips(await TripVisibility.ofAll(context), keys, readingOf(context, fields));
}

/**
 * One trip of any vehicle with the fields that all have, as a caller other than a trip map sees it; null if there is none. Those
 * of a whole list are read together.
 */
export const tripOfAny = batched<string, TripView | null>(async (context, keys) => {
  const found = await tripsByKey(context, [...new Set(keys)], FEWEST_FIELDS);
  const trips = new Map(found.map((trip) => [trip.key, trip]));
  return keys.map((key) => trips.get(key) ?? null);
});

/** Waits as {@link awaitArrangement} does, by one query for the vehicles of a list. */
export const arranged = batched<string, void>(async ({ service, caller }, keys) => {
  await awaitArrangement(service, accessScopeOf({ service, caller }).account_key, [...new Set(keys)]);
  return keys.map(() => undefined);
});

function readingOf(context: RequestContext, fields: TripFields): TripReading {
  return { fields, meter: pointsMeter(context.work), slice: timeSliceOf(context) };
}
