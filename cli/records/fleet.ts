import { TripSettingsInput } from '../../schema/account/trip-settings.ts';
import { SecretKeyChange } from '../../schema/account/api-key.ts';
import { TagChange, TagInput } from '../../schema/account/tag.ts';
import { PlaceInput } from '../../schema/places/place.ts';
import { VehicleInput } from '../../schema/vehicles/vehicle.ts';

import {
  add,
  argument,
  type ArgumentOption,
  fieldOptions,
  list,
  pageOptions,
  readBoolean,
  readNumber,
  relationOf,
  remove,
  type Resource,
  show,
  update,
} from '../shell/resource.ts';
import { RuleInput, RuleNameInput } from '../../schema/rules/rule.ts';

const groupOption = () => argument('--group <key...>', 'group_keys', 'group to which it belongs; may be repeated');
const tagFilter = () => argument('--tag <key...>', 'tag_keys', 'only those with one of these tags; may be repeated');

const vehicleOptions = (required?: readonly 'nickname'[]): ArgumentOption[] => [
  ...fieldOptions(VehicleInput, required),
  argument('--driver <key>', 'driver_key', 'user who usually drives it'),
  groupOption(),
];

/** `vehicle` */
export const VEHICLE: Resource = {
  name: 'vehicle',
  description: 'Vehicles whose trips are recorded',
  columns: ['key', 'nickname', 'plate_number', 'vin', 'driver.last_name', 'groups.name', 'tags.value'],
  relations: ['driver { key first_name last_name }', 'groups { key name }', 'tags { key color value }'],
  commands: [
    list('vehicles', 'List the vehicles of an account', {
      options: [
        argument('--query <text>', 'q', 'part of a nickname, or a complete VIN'),
        argument(
          '--group <key...>',
          'group_keys',
          'only vehicles of these groups and the groups below them; may be repeated',
        ),
        tagFilter(),
      ],
    }),
    show('vehicle', 'Show a vehicle'),
    add('createVehicle', 'Add a vehicle to an account', '--account KEY --nickname "Van 3" --group KEY', {
      options: vehicleOptions(['nickname']),
    }),
    add(
      'pairVehicle',
      'Add a vehicle with a device, and a key that the device must use within ten minutes',
      '--account KEY --nickname "Van 3"',
      {
        verb: 'pair',
        secret: 'secret',
        options: [
          argument('--nickname <text>', 'nickname', 'display name of the vehicle').makeOptionMandatory(),
          argument('--serial <text>', 'serial', 'serial number of the device; chosen by the service if omitted'),
        ],
      },
    ),
    update(
      'updateVehicle',
      'Change a vehicle; omitted fields stay unchanged',
      'KEY --plate-number "HB-WB 42" --clear driver',
      { options: vehicleOptions() },
    ),
    remove('deleteVehicle', 'Delete a vehicle; it can be restored for 30 days, then its trips are deleted too'),
    update('restoreVehicle', 'Restore a deleted vehicle, with its trips', 'KEY', { verb: 'restore', done: 'restored' }),
    {
      verb: 'stays',
      field: 'stays',
      isOfRecord: true,
      keyArgument: 'vehicle_key',
      summary: 'List the stays of a vehicle between its trips, latest start first',
      example: 'KEY --started-after 2026-03-01',
      columns: ['start_timestamp', 'end_timestamp', 'duration_seconds', 'point.lat', 'point.lon', 'address.city'],
      options: [
        argument('--started-after <date-time>', 'started_after', 'only stays that started at this time or later'),
        argument('--started-before <date-time>', 'started_before', 'only stays that started before this time'),
        ...pageOptions(),
      ],
    },
    list('nearbyVehicles', 'List the vehicles nearest to a position', {
      verb: 'nearby',
      example: '--account KEY --lat 53.0758 --lon 8.8072',
      columns: ['key', 'nickname', 'distance_in_miles'],
      options: [
        argument('--lat <degrees>', 'lat', 'latitude').readBy(readNumber).makeOptionMandatory(),
        argument('--lon <degrees>', 'long', 'longitude').readBy(readNumber).makeOptionMandatory(),
        argument('--size <number>', 'size', 'maximum number of vehicles').readBy(readNumber),
      ],
      isPaged: false,
    }),
  ],
};

/** `device`, to which `device add` is added */
export const DEVICE: Resource = {
  name: 'device',
  description: 'Connected hardware',
  columns: ['key', 'serial', 'status', 'vehicle_key', 'is_connected', 'last_transmission'],
  relations: [
    relationOf('trip_settings', TripSettingsInput),
    'reporting { usual_interval_seconds gap_seconds is_ignition_connected }',
    'recent_rejections { reason outcome detail advice count first_received last_received path sample }',
  ],
  commands: [
    list('devices', 'List the devices of an account that are pending or installed', {
      options: [argument('--query <text>', 'q', 'part of a serial')],
    }),
    show('device', 'Show a device'),
    update(
      'updateDevice',
      'Assign a device to another vehicle, or mark its subscription Do Not Renew',
      'KEY --vehicle KEY',
      {
        options: [
          argument('--vehicle <key>', 'vehicle_key', 'vehicle that the device is installed in'),
          argument('--subscription-status <status>', 'subscription_status', 'canceled (Do Not Renew) or active')
            .choices(['active', 'canceled'])
            .neverEmpty(),
        ],
      },
    ),
    update(
      'updateDeviceTripSettings',
      'Change what decides where the trips of a device begin and end; an empty value restores the setting of the account',
      'KEY --stop 120',
      { verb: 'update-trip-settings', options: fieldOptions(TripSettingsInput) },
    ),
    remove('deleteDevice', 'Remove a device; the positions that it sends are rejected; it can be restored for 30 days'),
    update('restoreDevice', 'Restore a removed device, in its vehicle if that still exists', 'KEY', {
      verb: 'restore',
      done: 'restored',
    }),
    list(
      'ingestRejections',
      'List positions of devices and unknown serials that were not stored, or stored with a mark',
      { verb: 'rejections', columns: ['device_key', 'serial', 'reason', 'count', 'last_received', 'detail', 'advice'] },
    ),
    list('markedPositions', 'List positions of a device that were stored with a mark, of the last day by default', {
      verb: 'marked-positions',
      holder: 'device',
      example: '--device KEY',
      columns: ['timestamp', 'point.lat', 'point.lon', 'marks', 'reasons', 'accuracy', 'speed', 'events'],
      options: [
        argument('--recorded-after <date-time>', 'recorded_after', 'only positions at this time or later'),
        argument('--recorded-before <date-time>', 'recorded_before', 'only positions before this time'),
      ],
    }),
  ],
};

/** `device-key` */
export const DEVICE_KEY: Resource = {
  name: 'device-key',
  description: 'Credentials with which a device sends its positions',
  columns: ['key', 'name', 'created', 'last_used', 'expires', 'revoked'],
  commands: [
    list('deviceKeys', 'List the keys of a device, without their secrets', {
      holder: 'device',
      example: '--device KEY',
    }),
    show('deviceKey', 'Show a key of a device, without its secret'),
    add('issueDeviceKey', 'Issue a key with which a device sends its positions', '--device KEY', {
      holder: 'device',
      secret: 'device_key_secret',
      options: fieldOptions(SecretKeyChange),
    }),
    update('updateDeviceKey', 'Rename a key of a device', 'KEY --name "Spare tracker"', {
      options: fieldOptions(SecretKeyChange),
    }),
    remove('deleteDeviceKey', 'Revoke a device key immediately; idempotent', { done: 'revoked' }),
  ],
};

/** `forwarder-key` */
export const FORWARDER_KEY: Resource = {
  name: 'forwarder-key',
  description: "Credentials with which a server forwards positions of an account's devices",
  columns: ['key', 'name', 'creates_devices', 'created', 'last_used', 'revoked'],
  commands: [
    list('forwarderKeys', 'List the forwarder keys of an account, without their secrets'),
    show('forwarderKey', 'Show a forwarder key, without its secret'),
    add(
      'issueForwarderKey',
      "Issue a key to a server that forwards positions of an account's devices, such as Traccar",
      '--account KEY',
      {
        secret: 'forwarder_key_secret',
        options: [
          argument(
            '--create-devices',
            'creates_devices',
            'create unknown devices, each in a new vehicle of the same name',
          ),
          ...fieldOptions(SecretKeyChange),
        ],
      },
    ),
    update('updateForwarderKey', 'Rename a forwarder key', 'KEY --name "Traccar in Bremen"', {
      options: fieldOptions(SecretKeyChange),
    }),
    remove('deleteForwarderKey', 'Revoke a forwarder key immediately; idempotent', { done: 'revoked' }),
  ],
};

/** `group` */
export const GROUP: Resource = {
  name: 'group',
  description: 'Hierarchy of groups that restricts which vehicles users see',
  columns: ['key', 'name', 'tree_depth', 'active', 'member_counts.car', 'member_counts.user'],
  tree: 'children',
  commands: [
    list('groups', 'List the groups of an account, each followed by the groups below it', {
      options: [
        argument('--group <key...>', 'group_keys', 'only these groups and those below them; may be repeated'),
        argument('--show-inactive', 'show_inactive', 'include deactivated groups'),
      ],
      isPaged: false,
    }),
    show('group', 'Show a group with the active groups below it', { keyArgument: 'group_key' }),
    add('createGroup', 'Add a group to an account', '--account KEY --name North --parent KEY', {
      options: [
        argument('--name <name>', 'name', 'name of the group').makeOptionMandatory(),
        argument('--parent <key>', 'parent_group_key', 'active group above it (default: the account itself)'),
      ],
    }),
    update(
      'updateGroup',
      'Rename, move, deactivate or activate a group; omitted fields stay unchanged',
      'KEY --active false',
      {
        keyArgument: 'group_key',
        options: [
          argument('--name <name>', 'name', 'new name').neverEmpty(),
          argument('--parent <key>', 'parent_group_key', 'group to move it under, with everything below it'),
          argument('--active <boolean>', 'active', 'true to show the group in listings, false to hide it')
            .readBy(readBoolean)
            .neverEmpty(),
        ],
      },
    ),
    remove('deactivateGroup', 'Deactivate a group, which hides it from lists; its members keep their access', {
      keyArgument: 'group_key',
      done: 'deactivated',
    }),
    list('applyGroups', 'Add vehicles and users to groups, or remove them; list the groups', {
      verb: 'apply',
      example: '--account KEY --action add --group KEY --member KEY',
      options: [
        argument('--action <action>', 'action', 'add, remove or replace')
          .choices(['add', 'remove', 'replace'])
          .makeOptionMandatory(),
        argument('--group <key...>', 'group_keys', 'group; may be repeated').makeOptionMandatory(),
        argument('--member <key...>', 'member_keys', 'vehicle or user; may be repeated').makeOptionMandatory(),
      ],
      isPaged: false,
    }),
  ],
};

/** `tag` */
export const TAG: Resource = {
  name: 'tag',
  description: 'Labels for vehicles, trips and users',
  columns: ['key', 'type', 'value', 'color'],
  commands: [
    list('tags', 'List the tags of an account', {
      options: [argument('--type <type>', 'type', 'only tags of this type').choices(['Car', 'Trip', 'User'])],
    }),
    show('tag', 'Show a tag'),
    add('createTag', 'Add a tag to an account', '--account KEY --type Car --value "Winter tires"', {
      options: fieldOptions(TagInput),
    }),
    update('updateTag', 'Change a tag', 'KEY --color "#aa3300"', { options: fieldOptions(TagChange) }),
    remove('deleteTag', 'Delete a tag and remove it from all records'),
    update('applyTag', 'Add a tag to vehicles, trips or users, or remove it', 'KEY --action add --entity KEY', {
      verb: 'apply',
      done: 'applied',
      options: [
        argument('--action <action>', 'action', 'add or remove').choices(['add', 'remove']).makeOptionMandatory(),
        argument('--entity <key...>', 'entity_keys', 'vehicle, trip or user; may be repeated').makeOptionMandatory(),
      ],
    }),
  ],
};

/** `place` */
export const PLACE: Resource = {
  name: 'place',
  description: 'Areas whose visits by vehicles are recorded',
  columns: ['key', 'name', 'category', 'point.lat', 'point.lon', 'radius', 'time_zone'],
  commands: [
    list('places', 'List the places of an account'),
    show('place', 'Show a place'),
    add(
      'createPlace',
      'Add a place, a circle or a polygon, to an account',
      '--account KEY --name Depot --point 53.0758,8.8072 --radius 300',
      { options: fieldOptions(PlaceInput, ['name']) },
    ),
    update('updatePlace', 'Change a place; omitted fields stay unchanged', 'KEY --radius 500', {
      options: fieldOptions(PlaceInput),
    }),
    remove('deletePlace', 'Delete a place with all visits to it'),
  ],
};

/** `visit` */
export const VISIT: Resource = {
  name: 'visit',
  description: 'Visits of vehicles to places',
  columns: ['key', 'place_key', 'vehicle_key', 'entry_timestamp', 'exit_timestamp', 'status'],
  commands: [
    list('visits', 'List visits, latest entry first', {
      options: [
        argument('--vehicle <key>', 'vehicle_key', 'only visits of this vehicle'),
        argument('--driver <key>', 'driver_key', 'only visits of this driver'),
        argument('--place <key>', 'place_key', 'only visits to this place'),
        argument('--entry-after <date-time>', 'entry_after', 'only visits that began at this time or later'),
        argument('--entry-before <date-time>', 'entry_before', 'only visits that began before this time'),
      ],
    }),
    show('visit', 'Show a visit'),
  ],
};

/** `event` */
export const EVENT: Resource = {
  name: 'event',
  kind: 'vehicle',
  description: 'What happened to vehicles: trips, arrivals, departures',
  columns: [
    'key',
    'event',
    'context.name',
    'timestamp',
    'context.vehicle.key',
    'context.trip.key',
    'context.place.key',
  ],
  relations: ['context { name vehicle { key } device { key } trip { key } place { key } }'],
  commands: [
    list('events', 'List events, newest first', {
      options: [
        argument('--event <name>', 'event', 'only events of this kind, such as trip_end'),
        argument('--vehicle <key>', 'vehicle_key', 'only events of this vehicle'),
        argument('--happened-after <date-time>', 'happened_after', 'only events at this time or later'),
        argument('--happened-before <date-time>', 'happened_before', 'only events before this time'),
      ],
    }),
    show('event', 'Show an event', { holder: 'account', example: 'KEY --account KEY' }),
  ],
};

/** `change` */
export const CHANGE: Resource = {
  name: 'change',
  description: 'What has changed in an account',
  columns: ['kind', 'key', 'happened', 'timestamp'],
  commands: [
    list('changes', 'List the changes since a cursor; without one, only the current cursor', {
      options: [argument('--wait <seconds>', 'wait', 'seconds to wait for the next change').readBy(readNumber)],
    }),
  ],
};

const zoneOptions = () => ({
  lat: argument('--lat <degrees>', 'point.lat', 'latitude of the center').readBy(readNumber).neverEmpty(),
  lon: argument('--lon <degrees>', 'point.lon', 'longitude of the center').readBy(readNumber).neverEmpty(),
  radius: argument('--radius <meters>', 'radius', 'radius in meters, 1 to 100000').readBy(readNumber).neverEmpty(),
  name: argument('--name <name>', 'name', 'display name of the zone'),
  trips: argument(
    '--trips <cut|hide>',
    'trips',
    'cut: hide positions inside (default); hide: hide trips with a position inside',
  )
    .choices(['cut', 'hide'])
    .neverEmpty(),
});

const newZoneOptions = (): ArgumentOption[] => {
  const { lat, lon, radius, name, trips } = zoneOptions();
  return [...[lat, lon, radius].map((option) => option.makeOptionMandatory()), name, trips];
};

/** `privacy-zone` */
export const PRIVACY_ZONE: Resource = {
  name: 'privacy-zone',
  description: "Areas in which apps and trip maps do not see an account's vehicles",
  columns: ['key', 'name', 'point.lat', 'point.lon', 'radius', 'trips'],
  commands: [
    list('privacyZones', 'List the privacy zones of an account'),
    show('privacyZone', 'Show a privacy zone'),
    add(
      'createPrivacyZone',
      'Hide positions within a circle from apps and trip maps, including those of past trips',
      '--account KEY --lat 53.0758 --lon 8.8072 --radius 300 --name Depot',
      { options: newZoneOptions() },
    ),
    update(
      'updatePrivacyZone',
      'Change a privacy zone, also for past trips; omitted fields stay unchanged',
      'KEY --radius 500 --trips hide',
      { options: Object.values(zoneOptions()) },
    ),
    remove('removePrivacyZone', 'Remove a privacy zone; the positions and trips that it hid become visible again'),
  ],
};

/** `trips`, to which `trips import` and `trips export` are added */
export const TRIPS: Resource = {
  name: 'trips',
  kind: 'trip',
  description: 'Recorded trips',
  columns: ['key', 'vehicle.nickname', 'start_point.timestamp', 'duration_seconds', 'gps_distance', 'tags.value'],
  relations: ['user { key first_name last_name }', 'vehicle { key nickname }', 'tags { key color value }'],
  commands: [
    list('trips', 'List trips by their start', {
      options: [
        argument('--vehicle <key>', 'vehicle_key', 'only trips of this vehicle'),
        argument('--user <key>', 'user_key', 'only trips that this user drove'),
        tagFilter(),
        argument('--started-after <date-time>', 'started_after', 'only trips that started at this time or later'),
        argument('--started-before <date-time>', 'started_before', 'only trips that started before this time'),
        argument('--newest-first', 'newest_first', 'list the latest trips first'),
      ],
    }),
    show('trip', 'Show a trip'),
    update('updateTrip', 'Change the tags of a trip, or set its driver', 'KEY --tag KEY', {
      options: [
        argument('--tag <key...>', 'tags', 'all tags of the trip; may be repeated'),
        argument('--user <key>', 'user_key', 'user who drove'),
      ],
    }),
    show('tripPoints', 'List the positions of a trip', {
      verb: 'points',
      keyArgument: 'trip_key',
      columns: ['timestamp', 'point.lat', 'point.lon', 'heading', 'speed', 'events'],
      options: pageOptions(),
    }),
  ],
};

/** `import` */
export const TRIP_IMPORT: Resource = {
  name: 'import',
  description: 'Imports of files that were sent to the service',
  columns: ['key', 'vehicle_key', 'status', 'bytes_read', 'bytes_total', 'trip_count', 'error'],
  commands: [
    show('tripImport', 'Show an import, with its progress and outcome'),
    remove('cancelTripImport', 'Cancel an import that is running', { done: 'canceled' }),
  ],
};

/** `rule` */
export const RULE: Resource = {
  name: 'rule',
  description: 'Speed and silence limits whose violations create events',
  columns: ['key', 'name', 'speed_limit', 'silent_minutes', 'vehicle_keys'],
  commands: [
    list('rules', 'List the rules of an account'),
    show('rule', 'Show a rule'),
    add(
      'createRule',
      'Add a speed rule or a silence rule to an account',
      '--account KEY --name "Too fast" --speed-limit 75',
      { options: fieldOptions(RuleInput) },
    ),
    update('updateRule', 'Rename a rule', 'KEY --name "Over 75"', { options: fieldOptions(RuleNameInput, ['name']) }),
    remove('deleteRule', 'Delete a rule with all its events'),
  ],
};
