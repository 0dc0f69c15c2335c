/**
 * GraphQL operations of the trip map, without and with times and speeds. The component sends them; the service trusts them
 * in every configuration (`server/graphql/trusted-documents.ts`).
 */
export const TRIPS_QUERY = queryOf('path(tolerance_meters: $tolerance_meters) { precision points breaks }');
export const TIMED_TRIPS_QUERY = queryOf(
  'timed_path(tolerance_meters: $tolerance_meters) { precision points breaks times speeds } gaps { started ended }',
);

function queryOf(line: string): string {
  return `query ServiceTripsMap(
  $vehicle_key: String!, $trip_key: String, $started_after: String, $started_before: String,
  $first: Int!, $after: String, $tolerance_meters: Float!
) {
  trips(
    vehicle_key: $vehicle_key, trip_key: $trip_key, started_after: $started_after, started_before: $started_before,
    first: $first, after: $after
  ) {
    nodes {
      key vehicle_key duration_seconds distance_meters
      start_point { point { lat lon } timestamp }
      end_point { point { lat lon } timestamp }
      stops { arrival departure point { lat lon } }
      ${line}
    }
    page_info { end_cursor has_next_page }
  }
}`;
}
