/** Selection of the names of a trip's ends. */
export const NAMES = ' place { name } address { street city }';
const PATH = 'path(tolerance_meters: $tolerance_meters) { precision points breaks gaps }';
const TIMED_PATH = 'timed_path(tolerance_meters: $tolerance_meters) { precision points breaks gaps times speeds }';

/**
 * GraphQL operations of the trip map, without and with times and speeds. The component sends them; the service trusts them
 * in every configuration (`graphql/endpoint/trusted-documents.ts`).
 */
export const TRIPS_QUERY = queryOf('ServiceTripsMap', PATH);
export const TIMED_TRIPS_QUERY = queryOf('ServiceTripsMap', TIMED_PATH);

/** The same, newest trip first, for a map that follows a vehicle and reloads its trips. */
export const NEWEST_TRIPS_QUERY = queryOf('ServiceTripsMapNewest', PATH, ', newest_first: true');
export const TIMED_NEWEST_TRIPS_QUERY = queryOf('ServiceTripsMapNewest', TIMED_PATH, ', newest_first: true');

/** Positions of a vehicle, or of all that a token is for, as they arrive. */
export const MOVEMENT_SUBSCRIPTION = `subscription ServiceTripsMapLive($vehicle_keys: [String!]) {
  vehicleMoved(vehicle_keys: $vehicle_keys) {
    vehicle_key
    nickname
    vehicle_location { timestamp point { lat lon } heading speed_mph }
  }
}`;

/** The ends of the newest trips, for a map that cannot have the stream. */
export const POSITION_QUERY = `query ServiceTripsMapPosition($vehicle_key: String, $first: Int!) {
  trips(vehicle_key: $vehicle_key, first: $first, newest_first: true) {
    nodes { vehicle_key vehicle { nickname } end_point { timestamp point { lat lon } } }
  }
}`;

/** A token for a share that the page embeds, with what it opens. */
export const REDEEM_SHARE_MUTATION = `mutation ServiceTripsMapShare($secret: String!) {
  redeemShare(secret: $secret) { token vehicle_key trip_key }
}`;

function queryOf(name: string, line: string, order = ''): string {
  return `query ${name}(
  $vehicle_key: String!, $trip_key: String, $started_after: String, $started_before: String,
  $first: Int!, $after: String, $tolerance_meters: Float!
) {
  trips(
    vehicle_key: $vehicle_key, trip_key: $trip_key, started_after: $started_after, started_before: $started_before,
    first: $first, after: $after${order}
  ) {
    nodes {
      key vehicle_key duration_seconds distance_meters time_zone
      start_point { point { lat lon } timestamp${NAMES} }
      end_point { point { lat lon } timestamp${NAMES} }
      stops { arrival departure point { lat lon } }
      ${line}
    }
    page_info { end_cursor has_next_page }
  }
}`;
}
