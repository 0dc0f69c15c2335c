/** GraphQL operations without and with times and speeds; tests validate them against schema and limits. */
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

/** A position as the service sends it. */
export type WirePosition = { readonly lat: number; readonly lon: number };

/** Start or end of a trip. */
type WireTripEnd = { readonly point: WirePosition | null; readonly timestamp: string | null };

/** A line as the service sends it. */
interface WirePath {
  readonly precision: number;
  readonly points: string;
  /** Indices of positions that are not connected to the previous one; absent from services that hide nothing. */
  readonly breaks?: readonly number[];
}

/** A line with its times and speeds, encoded like the numbers of a polyline. */
export interface WireTimedPath extends WirePath {
  /** Seconds since 1970 at each position. */
  readonly times: string;
  /** Tenths of a mile per hour from each position to the next, -1 for unknown. */
  readonly speeds: string;
}

/** A trip as the service sends it. */
export interface WireTrip {
  readonly key: string;
  readonly vehicle_key: string;
  readonly duration_seconds: number | null;
  readonly distance_meters: number | null;
  readonly start_point: WireTripEnd | null;
  readonly end_point: WireTripEnd | null;
  readonly stops:
    | readonly { readonly arrival: string; readonly departure: string; readonly point: WirePosition }[]
    | null;
  /** Absent if `timed_path` was requested. */
  readonly path?: WirePath | null;
  readonly timed_path?: WireTimedPath | null;
  /** Periods without positions, requested with `timed_path`. */
  readonly gaps?: readonly { readonly started: string; readonly ended: string }[] | null;
}

/** A page of trips as the service sends it. */
export interface WirePage {
  readonly nodes: readonly WireTrip[];
  readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}
