import { MAX_WAIT_SECONDS } from '../schema/changes/change.ts';

import type { RestRoute } from './rest-table.ts';

const POINT = '{ lat lon }';

const TRIP_END = `{
  point ${POINT} timestamp odometer fuel_level place { key name } address { street city state zipcode }
}`;

/** Fields of the records of the log: those that their own paths answer, without geometry, groups below and relations. */
const RECORDS = {
  device: '{ key serial status vehicle_key is_connected disconnected_timestamp last_transmission }',
  event: `{
    key event timestamp
    context {
      event timestamp vehicle { key } device { key } trip { key } place { key } point ${POINT}
      rule { key } ended max_speed
    }
  }`,
  group: '{ key name active parent_group_key tree_depth created updated }',
  place: `{
    key name category point ${POINT} radius polygon ${POINT} active_weekdays from_time to_time time_zone
    notifying_arrival notifying_departure created updated
  }`,
  privacy_zone: `{ key name point ${POINT} radius_meters trips created }`,
  tag: '{ key color value type created updated }',
  trip: `{
    key account_key device_key user_key vehicle_key start_point ${TRIP_END} end_point ${TRIP_END}
    duration_seconds gps_distance max_speed idle_time hard_brakes rapid_accels
    user { key first_name last_name } vehicle { key nickname } tags { key color value }
  }`,
  user: `{
    key first_name last_name email account_role preferred_locale group_keys disabled created updated
  }`,
  vehicle: `{
    key nickname vin plate_number year make model odometer device_keys driver { key first_name last_name }
    vehicle_location { point ${POINT} speed_mph heading timestamp motion_status } group_keys created updated
  }`,
  visit: '{ key place_key vehicle_key driver_key entry_timestamp exit_timestamp status }',
} as const;

/** The log of changes: each entry has the record of its kind, where there is one. */
export const changesRoute: RestRoute = {
  query: 'changes',
  root: 'changes',
  wait: { argument: 'wait', max: MAX_WAIT_SECONDS },
  limits: { wait: { minimum: 0, maximum: MAX_WAIT_SECONDS } },
  expand: RECORDS,
  expandsAll: true,
  oneOfExpand: true,
};
