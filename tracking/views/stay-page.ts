import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { ListCursors } from '../../models/lists/list-cursors.ts';
import { type TimePlace, timePlaces } from '../../models/lists/time-cursor.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import type { Page } from '../../schema/page.ts';
import type { TimeCondition } from '../../schema/read-window.ts';
import type { Stay } from '../../schema/trips/stay.ts';

import type { TripVisibility } from '../visibility/trip-visibility.ts';
import { firstPosition } from './first-position.ts';
import { keyOfFirstStay, keyOfStayAfter, staysInOrder, type VehicleScope } from './stays-in-order.ts';

/** Stays of one vehicle to list. */
export interface StayPageQuery {
  readonly context: RequestContext;
  /** The trips of the vehicle that the caller sees. */
  readonly visibility: TripVisibility;
  /** Window of the start; null for any. */
  readonly window: TimeCondition | null;
  /** Number of stays; negative for those before the cursor. */
  readonly first: number;
  readonly after: string | null | undefined;
}

/**
 * A page of stays of a vehicle, newest first: the times between its trips, of whichever devices. They are derived whenever they
 * are read. If any trip might be clipped for the caller, there are none: where a clipped trip ends, the vehicle did not stand. A
 * driver sees the stays after its own trips.
 *
 * @throws ServiceError BAD_REQUEST for an invalid cursor
 */
export async function stayPage({ context, visibility, window, first, after }: StayPageQuery): Promise<Page<Stay>> {
  const { service, account_key, vehicle_key = '' } = visibility.records;
  const caller = accessScopeOf(context);
  // A stay ends with the next trip, whoever drives it.
  const records = { ...accountAccessScope(service, account_key), vehicle_key };
  const ofKey = async (key: string) => (visibility.seesAll ? placeOfKey(records, key) : null);
  const cursors = await ListCursors.of(service, ['Stay', caller, vehicle_key], timePlaces(ofKey));
  const start = await cursors.start(after);
  const [isBackward, size] = [first < 0, Math.abs(first)];
  const isPassed = isBackward || start?.isAfter;
  const place = start?.place.time.getTime() ?? (isBackward ? -Infinity : Infinity);
  const from = Math.max(window?.$gte?.getTime() ?? -Infinity, isBackward ? place + 1 : -Infinity);
  const until = Math.min(window?.$lt?.getTime() ?? Infinity, isBackward ? Infinity : place + Number(!isPassed));
  const passed = start && isPassed ? start.place.key : null;
  const wanted = { from, until, count: size + 1, isBackward, driver_key: caller.driver_key ?? null, passed };
  const found = visibility.seesAll && from < until ? await staysInOrder(context, records, wanted) : [];
  return cursors.page({ found, size, start, placeOf, isBackward });
}

function placeOf({ start_timestamp, key }: Stay): TimePlace {
  return { time: start_timestamp, key };
}

/** The place of the stay with a key; null if there is none. */
async function placeOfKey(records: VehicleScope, key: string): Promise<TimePlace | null> {
  if (key === keyOfFirstStay(records)) {
    const place = await firstPosition(records);
    return place && { time: new Date(place.time), key };
  }
  const named = { key: key.slice(key.indexOf('.') + 1) };
  if (key !== keyOfStayAfter(named)) return null;
  const trip = await TripStore.findOne(records, { ...named, staged: false }, 'end_point.timestamp');
  return trip && { time: trip.end_point.timestamp, key };
}
