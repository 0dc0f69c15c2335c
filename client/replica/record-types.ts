type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type DeviceStatus =
  | 'pending'
  | 'installed'
  | 'removed';

export type AccountRole =
  | 'administrator'
  | 'viewer'
  | 'driver';

export type TagType =
  | 'Car'
  | 'Trip'
  | 'User';

export type ChangeKind =
  | 'device'
  | 'event'
  | 'group'
  | 'place'
  | 'privacy_zone'
  | 'tag'
  | 'trip'
  | 'user'
  | 'vehicle'
  | 'visit';

export type EventName =
  | 'device_reconnect'
  | 'device_unplug'
  | 'trip_hard_brake'
  | 'trip_over_speeding'
  | 'trip_rapid_accel'
  | 'trip_severe_hard_brake'
  | 'vehicle_fuel_low'
  | 'vehicle_low_battery'
  | 'vehicle_trouble_code'
  | 'accident'
  | 'bonnet'
  | 'door'
  | 'fall_down'
  | 'fatigue_driving'
  | 'foot_brake'
  | 'fuel_leak'
  | 'general'
  | 'geofence'
  | 'geofence_enter'
  | 'geofence_exit'
  | 'gps_antenna_cut'
  | 'hard_cornering'
  | 'high_rpm'
  | 'idle'
  | 'jamming'
  | 'lane_change'
  | 'lock'
  | 'low_battery'
  | 'lowspeed'
  | 'movement'
  | 'other'
  | 'parking'
  | 'power_off'
  | 'power_on'
  | 'sos'
  | 'tampering'
  | 'temperature'
  | 'tow'
  | 'unlock'
  | 'vibration'
  | 'device_vehicle_change'
  | 'trip_tagged'
  | 'device_silent'
  | 'trip_end'
  | 'trip_start'
  | 'vehicle_geofence_arrival'
  | 'vehicle_geofence_departure';

export type PlaceCategory =
  | 'home'
  | 'work'
  | 'school'
  | 'business'
  | 'other';

export type ZoneTrips =
  | 'cut'
  | 'hide';

export type VisitStatus =
  | 'open'
  | 'closed';

export type ReplicaChangesQueryVariables = Exact<{
  after?: string | null | undefined;
  first?: number | null | undefined;
  wait?: number | null | undefined;
}>;


export type ReplicaChangesQuery = { readonly changes: { readonly kinds: ReadonlyArray<ChangeKind>, readonly whole_account: boolean, readonly page_info: { readonly end_cursor: string | null, readonly has_next_page: boolean }, readonly nodes: ReadonlyArray<{ readonly kind: ChangeKind, readonly key: string, readonly device: { readonly key: string, readonly serial: string, readonly status: DeviceStatus, readonly vehicle_key: string | null } | null, readonly event: { readonly key: string, readonly event: EventName, readonly timestamp: string, readonly context: { readonly name: string | null, readonly ended: string | null, readonly max_speed: number | null, readonly vehicle: { readonly key: string } | null, readonly device: { readonly key: string } | null, readonly place: { readonly key: string } | null, readonly rule: { readonly key: string } | null } } | null, readonly group: { readonly key: string, readonly name: string, readonly active: boolean, readonly parent_group_key: string | null, readonly tree_depth: number, readonly created: string, readonly updated: string } | null, readonly place: { readonly key: string, readonly name: string, readonly category: PlaceCategory, readonly radius: number | null, readonly border_meters: number, readonly border_seconds: number, readonly dwell_seconds: number, readonly active_weekdays: ReadonlyArray<number>, readonly from_time: string | null, readonly to_time: string | null, readonly time_zone: string, readonly notifying_arrival: boolean, readonly notifying_departure: boolean, readonly created: string, readonly updated: string, readonly point: { readonly lat: number, readonly lon: number } | null, readonly polygon: ReadonlyArray<{ readonly lat: number, readonly lon: number }> } | null, readonly privacy_zone: { readonly key: string, readonly name: string | null, readonly radius: number, readonly trips: ZoneTrips, readonly created: string, readonly point: { readonly lat: number, readonly lon: number } } | null, readonly tag: { readonly key: string, readonly value: string, readonly color: string | null, readonly type: TagType, readonly created: string, readonly updated: string | null } | null, readonly trip: { readonly key: string, readonly account_key: string | null, readonly device_key: string | null, readonly user_key: string | null, readonly vehicle_key: string, readonly time_zone: string | null, readonly duration_seconds: number, readonly distance_meters: number, readonly point_count: number, readonly bounding_box: ReadonlyArray<number>, readonly max_speed: number | null, readonly mean_speed: number | null, readonly idle_time: number | null, readonly hard_brakes: number | null, readonly rapid_accels: number | null, readonly start_point: { readonly timestamp: string, readonly odometer: number | null, readonly fuel_level: number | null, readonly point: { readonly lat: number, readonly lon: number } | null }, readonly end_point: { readonly timestamp: string, readonly odometer: number | null, readonly fuel_level: number | null, readonly point: { readonly lat: number, readonly lon: number } | null }, readonly tags: ReadonlyArray<{ readonly key: string }> } | null, readonly user: { readonly key: string, readonly first_name: string | null, readonly last_name: string | null, readonly email: string | null, readonly account_role: AccountRole, readonly preferred_locale: string | null, readonly group_keys: ReadonlyArray<string>, readonly disabled: boolean, readonly created: string, readonly updated: string | null, readonly tags: ReadonlyArray<{ readonly key: string }> } | null, readonly vehicle: { readonly key: string, readonly nickname: string | null, readonly vin: string | null, readonly plate_number: string | null, readonly year: number | null, readonly make: string | null, readonly model: string | null, readonly group_keys: ReadonlyArray<string>, readonly created: string, readonly updated: string | null, readonly driver: { readonly key: string } | null, readonly tags: ReadonlyArray<{ readonly key: string }> } | null, readonly visit: { readonly key: string, readonly place_key: string, readonly vehicle_key: string, readonly driver_key: string | null, readonly entry_timestamp: string, readonly exit_timestamp: string | null, readonly status: VisitStatus } | null }> } };
