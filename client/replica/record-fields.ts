import type { ChangeKind, ReplicaChangesQuery } from './record-types.ts';

/** A page of the log with the records of its entries. */
export type ChangesPage = ReplicaChangesQuery['changes'];

/** Kinds of records of which the copy consists. */
export type Kind = ChangeKind;

/** A record of a kind, with its {@link FIELDS}. */
export type RecordOf<K extends Kind> = NonNullable<ChangesPage['nodes'][number][K]>;

/**
 * Fields of the records by their kinds: all whose changes the log has. Others, such as the location of a vehicle or the place in
 * which a trip ended, change without an entry, or follow from other records of the copy.
 */
export const FIELDS: Readonly<Record<Kind, string>> = {
  device: 'key serial status vehicle_key',
  event:
    'key event timestamp context { name vehicle { key } device { key } place { key } rule { key } ended max_speed }',
  group: 'key name active parent_group_key tree_depth created updated',
  place:
    'key name category point { lat lon } radius polygon { lat lon } border_meters border_seconds dwell_seconds active_weekdays ' +
    'from_time to_time time_zone notifying_arrival notifying_departure created updated',
  privacy_zone: 'key name point { lat lon } radius trips created',
  tag: 'key value color type created updated',
  trip:
    'key account_key device_key user_key vehicle_key start_point { timestamp point { lat lon } odometer fuel_level } ' +
    'end_point { timestamp point { lat lon } odometer fuel_level } time_zone duration_seconds distance_meters point_count ' +
    'bounding_box max_speed mean_speed idle_time hard_brakes rapid_accels tags { key }',
  user: 'key first_name last_name email account_role preferred_locale group_keys tags { key } disabled created updated',
  vehicle: 'key nickname vin plate_number year make model driver { key } group_keys tags { key } created updated',
  visit: 'key place_key vehicle_key driver_key entry_timestamp exit_timestamp status',
};

const KINDS = Object.keys(FIELDS) as Kind[];

/** Reads a page of the log after a cursor. */
export const CHANGES_QUERY = `query ReplicaChanges($after: String, $first: Int, $wait: Int) {
  changes(after: $after, first: $first, wait: $wait) {
    kinds whole_account page_info { end_cursor has_next_page }
    nodes { kind key ${KINDS.map((kind) => `${kind} { ${FIELDS[kind]} }`).join(' ')} }
  }
}`;

/** Kinds of records that come and go with their vehicles, without entries of their own. */
export const OF_VEHICLES = ['trip', 'visit', 'event'] as const satisfies readonly Kind[];

/** Kinds of events that follow from trips and visits, and are not in the log. */
export const DERIVED_EVENTS: ReadonlySet<string> = new Set([
  'trip_start',
  'trip_end',
  'vehicle_geofence_arrival',
  'vehicle_geofence_departure',
]);
