import {
  MOVEMENT_SUBSCRIPTION,
  NAMES,
  NEWEST_TRIPS_QUERY,
  POSITION_QUERY,
  REDEEM_SHARE_MUTATION,
  TIMED_NEWEST_TRIPS_QUERY,
  TIMED_TRIPS_QUERY,
  TRIPS_QUERY,
} from './trips-query.ts';

/** All operations of the trip map. */
export const TRIPS_MAP_OPERATIONS: readonly string[] = [
  ...[TRIPS_QUERY, TIMED_TRIPS_QUERY, NEWEST_TRIPS_QUERY, TIMED_NEWEST_TRIPS_QUERY],
  ...[MOVEMENT_SUBSCRIPTION, POSITION_QUERY, REDEEM_SHARE_MUTATION],
];

/** The operations of components before trips had the names of their ends. */
const BEFORE_NAMES: readonly string[] = TRIPS_MAP_OPERATIONS.slice(0, 4).map((text) => text.replaceAll(NAMES, ''));

/** The operations of components before lines contained gaps, which request only the times of gaps. */
const BEFORE_GAPS_OF_PATHS: readonly string[] = BEFORE_NAMES.map((text) =>
  text
    .replace('breaks gaps times speeds }', 'breaks times speeds } gaps { started ended }')
    .replace('breaks gaps }', 'breaks }'),
);

/** The operations of earlier components, of which saved copies exist, including those before times in the zone of a trip. */
export const EARLIER_TRIPS_MAP_OPERATIONS: readonly string[] = [
  ...BEFORE_NAMES,
  ...BEFORE_GAPS_OF_PATHS,
  ...BEFORE_GAPS_OF_PATHS.map((text) => text.replace(' time_zone', '')),
];
