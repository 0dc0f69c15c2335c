import type { RecordedEventName } from '../../schema/events/event.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { insertMissing } from '../store/duplicate-key.ts';
import { storeOf, type StoredIn } from '../store/store-of.ts';
import { nullable, POINT, required, type StoredField } from '../store/stored-fields.ts';
import type { Service } from '../store/service.ts';
import { unrestricted } from '../store/tenancy.ts';
import { derivedKey } from '../trips/leased-records.ts';

/**
 * Events that are not derived from trips or visits: reports of devices, and changes by people. Each is stored once. Drivers see
 * none, since the driver is not stored.
 */
export const VehicleEventStore = storeOf('VehicleEvent', {
  collection: 'vehicle_events',
  tenancy: 'visit',
  shardKey: { vehicle_key: 1, key: 1 },
  logged: { kind: 'event' },
  hidden: {
    /** Key of the event: what happened, a dot, and a hash of its other distinguishing facts. */
    key: required(String),
    event: required(String) as StoredField<RecordedEventName>,
    /** The name by which the device reported it; null unless it is of the kind `other`. */
    name: nullable(String),
    timestamp: required(Date),
    account_key: required(String),
    vehicle_key: required(String),
    device_key: nullable(String),
    /** The changed trip; null for a report of a device, whose trip is found by its time. */
    trip_key: nullable(String),
    point: nullable(POINT),
  },
  indexes: [
    [{ account_key: 1, timestamp: -1, key: 1 }],
    [{ account_key: 1, event: 1, timestamp: -1, key: 1 }],
    [{ vehicle_key: 1, timestamp: -1, key: 1 }],
    [{ vehicle_key: 1, event: 1, timestamp: -1, key: 1 }],
  ],
});

/** An event as it is read from the database. */
export type StoredVehicleEvent = StoredIn<typeof VehicleEventStore>;

/** A new event. */
interface NewVehicleEvent {
  readonly event: RecordedEventName;
  readonly name?: string | null;
  readonly timestamp: Date;
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly device_key: string | null;
  readonly trip_key?: string;
  readonly point?: GeoPoint | null;
}

/** Stores new events; known ones stay unchanged. */
export async function insertVehicleEvents(service: Service, events: readonly NewVehicleEvent[]): Promise<void> {
  if (events.length === 0) return;
  const documents = events.map((event) => ({ name: null, trip_key: null, point: null, ...event, key: keyOf(event) }));
  await insertMissing(() => VehicleEventStore.insertMany(unrestricted(service), documents, { ordered: false }));
}

function keyOf({ event, name, timestamp, vehicle_key, device_key, trip_key }: NewVehicleEvent): string {
  const named = typeof name === 'string' ? [name] : [];
  return `${event}.${derivedKey([vehicle_key, device_key, trip_key, timestamp.getTime(), ...named])}`;
}
