import { TIMED_TRIPS_QUERY, TRIPS_QUERY } from '../../schema/trips/trips-query.ts';
import { ApiError, AuthError } from './load-failure.ts';
import { type Trip, tripOf } from './trip.ts';
import type { WirePage } from './wire-trip.ts';

/** Service and selection of the trips to load. */
export interface TripsRequest {
  readonly serviceUrl: string;
  readonly vehicleKey: string;
  readonly tripKey: string | null;
  /** Both times as written: the service applies the one-day rule. */
  readonly startedAfter: string | null;
  readonly startedBefore: string | null;
  /** Requests times and speeds, which make the answer longer. */
  readonly timed: boolean;
}

/** Page sizes and tolerances. With times no position is left out; later pages, of long lists, need less detail. */
const FIRST_PAGE = { first: 50, tolerance_meters: 1 };
const FIRST_TIMED_PAGE = { first: 50, tolerance_meters: 0 };
const LATER_PAGE = { first: 200, tolerance_meters: 5 };

/**
 * Loads the trips of a vehicle with a special-purpose token, following pages to the last.
 *
 * @throws AuthError if the token is rejected, ApiError for any other failure
 */
export async function loadTrips(request: TripsRequest, token: string, signal: AbortSignal): Promise<Trip[]> {
  const { serviceUrl, vehicleKey, tripKey, startedAfter, startedBefore, timed } = request;
  const selection = {
    vehicle_key: vehicleKey,
    trip_key: tripKey ?? undefined,
    started_after: startedAfter ?? undefined,
    started_before: startedBefore ?? undefined,
  };
  const query = timed ? TIMED_TRIPS_QUERY : TRIPS_QUERY;
  const trips: Trip[] = [];
  const cursors = new Set<string>();
  for (let after: string | undefined; ; ) {
    const size = after !== undefined ? LATER_PAGE : timed ? FIRST_TIMED_PAGE : FIRST_PAGE;
    const page = await loadPage(serviceUrl, token, { query, variables: { ...selection, ...size, after } }, signal);
    for (const node of page.nodes) trips.push(readTrip(node));
    const { has_next_page, end_cursor } = page.page_info;
    if (!has_next_page || end_cursor === null) return trips;
    if (cursors.has(end_cursor)) throw new ApiError('The service repeats a page of trips');
    cursors.add(end_cursor);
    after = end_cursor;
  }
}

interface Answer {
  readonly data?: { readonly trips?: WirePage } | null;
  readonly errors?: readonly { readonly message?: string; readonly extensions?: { readonly code?: string } }[];
}

async function loadPage(url: string, token: string, operation: object, signal: AbortSignal): Promise<WirePage> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(operation),
      credentials: 'omit',
      signal,
    });
  } catch (cause) {
    throw new ApiError('The service could not be reached', { cause });
  }
  const answer = (await response.json().catch(() => null)) as Answer | null;
  const fault = answer?.errors?.[0];
  const code = fault?.extensions?.code;
  if (response.status === 401 || response.status === 403 || code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') {
    throw new AuthError(fault?.message ?? 'The service rejected the token');
  }
  if (fault || !response.ok)
    throw new ApiError(fault?.message ?? `The service answered with status ${response.status}`);
  const page = answer?.data?.trips;
  if (!Array.isArray(page?.nodes) || !page?.page_info)
    throw new ApiError('The answer of the service is not a list of trips');
  return page as WirePage;
}

function readTrip(node: WirePage['nodes'][number]): Trip {
  try {
    return tripOf(node);
  } catch (cause) {
    throw new ApiError('The answer of the service contains an invalid trip', { cause });
  }
}
