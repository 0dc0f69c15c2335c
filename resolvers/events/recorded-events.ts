import { type StoredVehicleEvent, VehicleEventStore } from '../../models/vehicles/vehicle-event.ts';
import type { Event, RecordedEventName } from '../../schema/events/event.ts';

import { eventDocuments } from './event-documents.ts';
import { type EventQuery, eventOf, NEWEST_FIRST, storedFilter, WHOLE } from './event-query.ts';
import { tripAt } from './trip-at.ts';

/** Events that devices reported or people caused, newest first; of one kind, or of all. */
export async function recordedEvents(event: RecordedEventName | null, query: EventQuery): Promise<Event[]> {
  const { context, accessScope, limit } = query;
  const those = { filter: storedFilter(event, query), projection: WHOLE, sort: NEWEST_FIRST, limit };
  const found = await eventDocuments(context, { model: VehicleEventStore, accessScope, ...those });
  return Promise.all((found as StoredVehicleEvent[]).map((one) => recordedEvent(one, query)));
}

async function recordedEvent(stored: StoredVehicleEvent, { context, accessScope }: EventQuery): Promise<Event> {
  const { event, key, point, vehicle_key, device_key, timestamp } = stored;
  const happening = { accessScope, vehicle_key, device_key, timestamp };
  const trip_key = stored.trip_key ?? (point === null ? null : await tripAt(context, happening));
  return eventOf(event, { ...stored, key: key.slice(event.length + 1), trip_key, place_key: null });
}
