/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The status of a device. */
export type DeviceStatus =
  /** Not assigned to a vehicle yet. */
  | 'pending'
  /** Assigned to a vehicle. */
  | 'installed'
  /** Removed: lists omit it, and the positions it sends are rejected. */
  | 'removed';

/** Role of a user in the account. */
export type AccountRole =
  /** Full access; apps are limited by their scopes. */
  | 'administrator'
  /** Read-only access. */
  | 'viewer'
  /** Access to the user's own record and the trips that the user drove. */
  | 'driver';

/** Type of the records that can have a tag. */
export type TagType =
  /** Vehicles. */
  | 'Car'
  /** Trips. */
  | 'Trip'
  /** Users. */
  | 'User';

/** Kind of records whose changes are logged. */
export type ChangeKind =
  /** A device; its connection and its last transmission are not logged. */
  | 'device'
  /** An event that a device reported or a user caused. Other events follow from trips and visits. */
  | 'event'
  /** A group. Changes of its members are logged with the members. */
  | 'group'
  /** A place. */
  | 'place'
  /** A privacy zone. */
  | 'privacy_zone'
  /** A tag. */
  | 'tag'
  /** A trip. A trip in progress is updated at most once a second. */
  | 'trip'
  /** A user. */
  | 'user'
  /** A vehicle; its location and odometer are not logged. Its trips, visits and events are created and deleted with it. */
  | 'vehicle'
  /** A visit of a vehicle to a place. */
  | 'visit';

/** What happened to a vehicle. */
export type EventName =
  /** A device was connected to power again. */
  | 'device_reconnect'
  /** A device was unplugged or lost power. */
  | 'device_unplug'
  /** A vehicle braked hard. */
  | 'trip_hard_brake'
  /** A vehicle exceeded a speed limit. */
  | 'trip_over_speeding'
  /** A vehicle accelerated rapidly. */
  | 'trip_rapid_accel'
  /** A vehicle braked very hard. */
  | 'trip_severe_hard_brake'
  /** The fuel of a vehicle is low. */
  | 'vehicle_fuel_low'
  /** The battery of a vehicle is low. */
  | 'vehicle_low_battery'
  /** A vehicle has a fault. */
  | 'vehicle_trouble_code'
  /** A vehicle had an accident. */
  | 'accident'
  /** The hood of a vehicle was opened. */
  | 'bonnet'
  /** A door of a vehicle was opened. */
  | 'door'
  /** A vehicle or a person fell down. */
  | 'fall_down'
  /** A driver is tired, or has driven for too long. */
  | 'fatigue_driving'
  /** The foot brake of a vehicle was pressed. */
  | 'foot_brake'
  /** A vehicle loses fuel. */
  | 'fuel_leak'
  /** A device raised an alarm without a kind. */
  | 'general'
  /** A device crossed the edge of an area that is set in the device. */
  | 'geofence'
  /** A device entered an area that is set in the device. */
  | 'geofence_enter'
  /** A device left an area that is set in the device. */
  | 'geofence_exit'
  /** The antenna of a device was disconnected. */
  | 'gps_antenna_cut'
  /** A vehicle cornered hard. */
  | 'hard_cornering'
  /** The engine of a vehicle ran at high speed. */
  | 'high_rpm'
  /** The engine of a vehicle idled. */
  | 'idle'
  /** The reception of a device is jammed. */
  | 'jamming'
  /** A vehicle changed lanes abruptly. */
  | 'lane_change'
  /** A vehicle was locked. */
  | 'lock'
  /** The battery of a device is low. */
  | 'low_battery'
  /** A vehicle was slower than a limit that is set in the device. */
  | 'lowspeed'
  /** A parked vehicle was moved. */
  | 'movement'
  /** What a device reports under another name, which `name` has. */
  | 'other'
  /** A vehicle was parked, or for too long. */
  | 'parking'
  /** A device was switched off. */
  | 'power_off'
  /** A device was switched on. */
  | 'power_on'
  /** Somebody pressed the emergency button. */
  | 'sos'
  /** Somebody tampered with a device. */
  | 'tampering'
  /** A temperature is outside its limits. */
  | 'temperature'
  /** A vehicle was towed. */
  | 'tow'
  /** A vehicle was unlocked. */
  | 'unlock'
  /** A vehicle was shaken. */
  | 'vibration'
  /** A device was assigned to a vehicle or unassigned. */
  | 'device_vehicle_change'
  /** A tag was added to a trip. */
  | 'trip_tagged'
  /** A device has not sent a position for longer than a rule allows. */
  | 'device_silent'
  /** A trip ended. */
  | 'trip_end'
  /** A trip started. */
  | 'trip_start'
  /** A vehicle arrived at a place. */
  | 'vehicle_geofence_arrival'
  /** A vehicle left a place. */
  | 'vehicle_geofence_departure';

/** The kind of a place. */
export type PlaceCategory =
  /** Home of a driver or a vehicle. */
  | 'home'
  /** A workplace. */
  | 'work'
  /** A school. */
  | 'school'
  /** A business, such as a customer, supplier or shop. */
  | 'business'
  /** Anything else. */
  | 'other';

/** What happens to trips that enter a privacy zone. */
export type ZoneTrips =
  /** Positions inside the zone are hidden. */
  | 'cut'
  /** Trips with a position inside the zone are hidden, and every trip until 15 minutes after its last position. */
  | 'hide';

/** Status of a visit. */
export type VisitStatus =
  /** The vehicle is in the place, or in its border. */
  | 'open'
  /** The vehicle has left the place. */
  | 'closed';

export type ReplicaChangesQueryVariables = Exact<{
  after?: string | null | undefined;
  first?: number | null | undefined;
  wait?: number | null | undefined;
}>;


export type ReplicaChangesQuery = { readonly changes: { readonly kinds: ReadonlyArray<ChangeKind>, readonly whole_account: boolean, readonly page_info: { readonly end_cursor: string | null, readonly has_next_page: boolean }, readonly nodes: ReadonlyArray<{ readonly kind: ChangeKind, readonly key: string, readonly device: { readonly key: string, readonly serial: string, readonly status: DeviceStatus, readonly vehicle_key: string | null } | null, readonly event: { readonly key: string, readonly event: EventName, readonly timestamp: string, readonly context: { readonly name: string | null, readonly ended: string | null, readonly max_speed: number | null, readonly vehicle: { readonly key: string } | null, readonly device: { readonly key: string } | null, readonly place: { readonly key: string } | null, readonly rule: { readonly key: string } | null } } | null, readonly group: { readonly key: string, readonly name: string, readonly active: boolean, readonly parent_group_key: string | null, readonly tree_depth: number, readonly created: string, readonly updated: string } | null, readonly place: { readonly key: string, readonly name: string, readonly category: PlaceCategory, readonly radius: number | null, readonly border_meters: number, readonly border_seconds: number, readonly dwell_seconds: number, readonly active_weekdays: ReadonlyArray<number>, readonly from_time: string | null, readonly to_time: string | null, readonly time_zone: string, readonly notifying_arrival: boolean, readonly notifying_departure: boolean, readonly created: string, readonly updated: string, readonly point: { readonly lat: number, readonly lon: number } | null, readonly polygon: ReadonlyArray<{ readonly lat: number, readonly lon: number }> } | null, readonly privacy_zone: { readonly key: string, readonly name: string | null, readonly radius: number, readonly trips: ZoneTrips, readonly created: string, readonly point: { readonly lat: number, readonly lon: number } } | null, readonly tag: { readonly key: string, readonly value: string, readonly color: string | null, readonly type: TagType, readonly created: string, readonly updated: string | null } | null, readonly trip: { readonly key: string, readonly account_key: string | null, readonly device_key: string | null, readonly user_key: string | null, readonly vehicle_key: string, readonly time_zone: string | null, readonly duration_seconds: number, readonly distance_meters: number, readonly point_count: number, readonly bounding_box: ReadonlyArray<number>, readonly max_speed: number | null, readonly mean_speed: number | null, readonly idle_time: number | null, readonly hard_brakes: number | null, readonly rapid_accels: number | null, readonly start_point: { readonly timestamp: string, readonly odometer: number | null, readonly fuel_level: number | null, readonly point: { readonly lat: number, readonly lon: number } | null }, readonly end_point: { readonly timestamp: string, readonly odometer: number | null, readonly fuel_level: number | null, readonly point: { readonly lat: number, readonly lon: number } | null }, readonly tags: ReadonlyArray<{ readonly key: string }> } | null, readonly user: { readonly key: string, readonly first_name: string | null, readonly last_name: string | null, readonly email: string | null, readonly account_role: AccountRole, readonly preferred_locale: string | null, readonly group_keys: ReadonlyArray<string>, readonly disabled: boolean, readonly created: string, readonly updated: string | null, readonly tags: ReadonlyArray<{ readonly key: string }> } | null, readonly vehicle: { readonly key: string, readonly nickname: string | null, readonly vin: string | null, readonly plate_number: string | null, readonly year: number | null, readonly make: string | null, readonly model: string | null, readonly group_keys: ReadonlyArray<string>, readonly created: string, readonly updated: string | null, readonly driver: { readonly key: string } | null, readonly tags: ReadonlyArray<{ readonly key: string }> } | null, readonly visit: { readonly key: string, readonly place_key: string, readonly vehicle_key: string, readonly driver_key: string | null, readonly entry_timestamp: string, readonly exit_timestamp: string | null, readonly status: VisitStatus } | null }> } };
