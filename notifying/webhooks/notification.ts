import type { Caller, RequestContext } from '../../auth/caller.ts';
import type { Service } from '../../models/store/service.ts';
import type { StoredDelivery } from '../../models/webhooks/webhook-delivery.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import type { Event } from '../../schema/events/event.ts';

/** An event as sent to a webhook. Fleet API: "Events and notifications". */
export interface Notification {
  /** JSON. */
  readonly body: string;
  /** Key of the user who drove; null if unknown. */
  readonly user_key: string | null;
}

/** Reads events as callers see them; passed as a parameter, since the implementation is in a higher layer. */
export interface EventReader {
  /** The events with given keys that a caller can see, in no order. */
  eventsByKey(context: RequestContext, keys: readonly string[]): Promise<Event[]>;
  /** Returns true if a caller can see events of a vehicle. */
  seesEventsOf(service: Service, caller: Caller, vehicleKey: string): Promise<boolean>;
  /** Writes the notification of an event, with the objects that it is about, as a caller sees them now. */
  notificationOf(service: Service, caller: Caller, event: Event): Promise<Notification>;
}

/** Writes the retraction of a sent event. */
export function deletionNotificationOf({
  account_key,
  event_key: key,
  event,
  timestamp,
  vehicle_key,
}: StoredDelivery): Notification {
  const told = { key, event, timestamp: formatOffsetDateTime(timestamp), account_key, user_key: null };
  return { body: JSON.stringify({ ...told, car: { key: vehicle_key }, deleted: true }), user_key: null };
}
