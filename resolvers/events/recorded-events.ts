import type { AccessScope } from '../../models/tenancy.ts';
import { TripModel } from '../../models/trips/trip.ts';
import { type StoredVehicleEvent, VehicleEventModel } from '../../models/vehicles/vehicle-event.ts';
import type { Event, RecordedEventName } from '../../schema/events/event.ts';

import { type EventQuery, eventOf, storedFilter } from './event-query.ts';

/** Events that devices reported or people caused, newest first; of one kind, or of all. */
export async function recordedEvents(event: RecordedEventName | null, query: EventQuery): Promise<Event[]> {
  const { accessScope, limit } = query;
  const found = await VehicleEventModel.find(storedFilter(event, query), null, { accessScope })
    .sort({ timestamp: -1, key: 1 })
    .limit(limit)
    .lean<StoredVehicleEvent[]>();
  return Promise.all(found.map((one) => recordedEvent(one, accessScope)));
}

async function recordedEvent(stored: StoredVehicleEvent, accessScope: AccessScope): Promise<Event> {
  const { event, key, point } = stored;
  const trip_key = stored.trip_key ?? (point === null ? null : await tripAt(stored, accessScope));
  return eventOf(event, { ...stored, key: key.slice(event.length + 1), trip_key, place_key: null });
}

/** The trip in which something happened at a position of a device; null where the vehicle was parked. */
export async function tripAt(
  { vehicle_key, device_key, timestamp }: Pick<StoredVehicleEvent, 'vehicle_key' | 'device_key' | 'timestamp'>,
  accessScope: AccessScope,
): Promise<string | null> {
  const begun = { vehicle_key, device_key, staged: false, 'start_point.timestamp': { $lte: timestamp } };
  const trip = await TripModel.findOne(begun, 'key end_point.timestamp', { accessScope })
    .sort({ 'start_point.timestamp': -1 })
    .lean();
  return trip && trip.end_point.timestamp >= timestamp ? trip.key : null;
}
