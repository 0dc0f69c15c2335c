import type { AccessScope } from '../../models/store/tenancy.ts';
import { timeOrder } from '../../models/lists/time-cursor.ts';
import { ENDED, OF_ALL_VEHICLES, type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import type { Event, EventNameFrom } from '../../schema/events/event.ts';

import { type DocumentsOfVehicle, documentsOfVehicle } from '../../tracking/views/documents-of-vehicles.ts';
import { type EventQuery, eventOf } from './event-query.ts';

type TripFacts = Pick<StoredTrip, 'key' | 'vehicle_key' | 'device_key' | 'start_point' | 'end_point'>;

const FIELDS: DocumentsOfVehicle['projection'] = {
  ...{ _id: 0, key: 1, vehicle_key: 1, device_key: 1 },
  ...{ 'start_point.point': 1, 'start_point.timestamp': 1, 'end_point.point': 1, 'end_point.timestamp': 1 },
};

/** Starts or ends of trips; an open trip has no end. */
export async function tripEvents(
  event: EventNameFrom<'trip'>,
  { context, accessScope, filter, time, keys, limit, isBackward }: EventQuery,
): Promise<Event[]> {
  const end = event === 'trip_start' ? 'start_point' : 'end_point';
  const field = `${end}.timestamp`;
  const conditions = [...time(field), ...(keys === null ? [] : [{ key: { $in: keys } }])];
  const isOver = event === 'trip_end' ? ENDED : {};
  const those = { ...filter, ...indexed(accessScope), ...isOver, staged: false };
  const trips = (await documentsOfVehicle(context, {
    ...{ model: TripStore, accessScope, limit, projection: FIELDS, sort: timeOrder(field, isBackward) },
    filter: { ...those, ...(conditions.length > 0 && { $and: conditions }) },
  })) as TripFacts[];
  return trips.map((trip) =>
    eventOf(event, {
      key: trip.key,
      timestamp: trip[end].timestamp,
      vehicle_key: trip.vehicle_key,
      device_key: trip.device_key,
      trip_key: trip.key,
      place_key: null,
      point: trip[end].point,
    }),
  );
}

function indexed({ vehicle_key }: AccessScope) {
  return vehicle_key === undefined ? OF_ALL_VEHICLES : {};
}
