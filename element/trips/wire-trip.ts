/** A position as the service sends it. */
export type WirePosition = { readonly lat: number; readonly lon: number };

/** Start or end of a trip; it has no names from services that do not know them. */
export interface WireTripEnd {
  readonly point: WirePosition | null;
  readonly timestamp: string | null;
  readonly place?: { readonly name: string } | null;
  readonly address?: { readonly street: string | null; readonly city: string | null } | null;
}

/** A line as the service sends it. */
interface WirePath {
  readonly precision: number;
  readonly points: string;
  /** Indices of positions that are not connected to the previous one; absent from services that hide nothing. */
  readonly breaks?: readonly number[];
  /** Indices of positions that follow a gap in the recording; absent from services that do not report them. */
  readonly gaps?: readonly number[];
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
  /** Absent from services that do not know it. */
  readonly time_zone?: string | null;
  readonly start_point: WireTripEnd | null;
  readonly end_point: WireTripEnd | null;
  readonly stops:
    | readonly { readonly arrival: string; readonly departure: string; readonly point: WirePosition }[]
    | null;
  /** Absent if `timed_path` was requested. */
  readonly path?: WirePath | null;
  readonly timed_path?: WireTimedPath | null;
}

/** A page of trips as the service sends it. */
export interface WirePage {
  readonly nodes: readonly WireTrip[];
  readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}
