import { accessScopeOf, type Caller, isTripMap, type RequestContext } from '../../auth/caller.ts';
import { TripWindow } from '../../auth/scopes/trip-window.ts';
import type { Page } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { batched } from '../batching/batched.ts';
import { existingTagKeys } from '../input/check-tag-keys.ts';
import { checkPageSize } from '../pages/creation-page.ts';
import { awaitArrangement } from '../../tracking/recording/complete-interrupted.ts';
import { timeSliceOf } from '../../tracking/scheduling/time-slice.ts';
import { pointsMeter } from './points-meter.ts';
import { FEWEST_FIELDS, type TripFields } from './trip-fields.ts';
import type { TripListArgs } from './trip-list-args.ts';
import { findTrip, pageOfTrip, type TripReading, tripPage } from './trip-page.ts';
import { TripVisibility, tripScopeOf, vehicleOfTrip } from './trip-visibility.ts';
import { findTrips } from './trips-of-vehicles.ts';
import type { TripView } from './trip-view.ts';
import type { TripFilter } from './trips-by-start.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * A page of the trips that a caller sees, of all vehicles or of one.
 * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, or BAD_REQUEST naming an argument
 */
export async function listTrips(
  context: RequestContext,
  args: Partial<TripListArgs>,
  fields: TripFields,
): Promise<Page<TripView>> {
  const { caller } = context;
  const vehicleKey = args.vehicle_key ?? (isTripMap(caller) ? caller.vehicle_key : null);
  const scope = vehicleKey === null ? {} : tripScopeOf(caller, vehicleKey);
  const size = checkPageSize(args.first ?? 50);
  if (typeof args.trip_key === 'string') {
    const vehicle = vehicleKey ?? (await vehicleOfTrip(context.service, caller, args.trip_key));
    return pageOfTrip(accessScopeOf(context), await oneTrip(context, vehicle, args.trip_key, fields), args.after);
  }
  const window = isTripMap(caller) ? TripWindow.oneDay(args) : TripWindow.plain(args);
  if (!window.isCoveredBy(scope)) {
    throw new ServiceError('FORBIDDEN', 'The token is more restrictive than started_after or started_before');
  }
  const filter = await filterOf(context.service, caller, args);
  const accessScope = await (vehicleKey === null
    ? TripVisibility.ofAll(context)
    : TripVisibility.of(context, vehicleKey));
  if (!accessScope) throw notFound('vehicle');
  return tripPage({
    accessScope,
    window,
    filter,
    newestFirst: args.newest_first ?? false,
    first: size,
    caller: accessScopeOf(context),
    after: args.after,
    ...readingOf(context, fields),
  });
}

/** Reads the conditions on trips that concern the account: trip maps may not ask by them. */
async function filterOf(
  service: Service,
  caller: Caller,
  { user_key, tag_keys }: Partial<TripListArgs>,
): Promise<TripFilter> {
  if (isTripMap(caller) && (user_key != null || tag_keys != null)) {
    throw new ServiceError('FORBIDDEN', 'The token does not allow user_key or tag_keys');
  }
  return {
    ...(user_key != null && { user_key }),
    ...(tag_keys != null && { tag_keys: await existingTagKeys(service, caller, 'tag_keys', 'Trip', tag_keys) }),
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
  const accessScope = await TripVisibility.of(context, vehicleKey);
  const trip = accessScope && (await findTrip(accessScope, key, readingOf(context, fields)));
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
 * One trip of any vehicle with the fields that all have, as a caller sees it who is no trip map; null where there is none. Those
 * of a whole list are read together.
 */
export const tripOfAny = batched<string, TripView | null>(async (context, keys) => {
  const found = await tripsByKey(context, [...new Set(keys)], FEWEST_FIELDS);
  const trips = new Map(found.map((trip) => [trip.key, trip]));
  return keys.map((key) => trips.get(key) ?? null);
});

/** Waits as {@link awaitArrangement} does, by one query for the vehicles of a list. */
const arranged = batched<string, void>(async ({ service, caller }, keys) => {
  await awaitArrangement(service, accessScopeOf({ service, caller }).account_key, [...new Set(keys)]);
  return keys.map(() => undefined);
});

function readingOf(context: RequestContext, fields: TripFields): TripReading {
  const awaitWhole = async (accountKey: string, vehicleKey?: string) =>
    vehicleKey === undefined ? awaitArrangement(context.service, accountKey) : arranged(context, vehicleKey);
  return { fields, awaitWhole, meter: pointsMeter(context.work), slice: timeSliceOf(context) };
}
