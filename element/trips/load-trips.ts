import {
  NEWEST_TRIPS_QUERY,
  TIMED_NEWEST_TRIPS_QUERY,
  TIMED_TRIPS_QUERY,
  TRIPS_QUERY,
} from '../../schema/trips/trips-query.ts';
import { ApiError } from './load-failure.ts';
import { askService, type ServiceAccess, type ServiceOperation } from './service-request.ts';
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

/** Page sizes and tolerances. With times no position is omitted; later pages, of long lists, need less detail. */
const FIRST_PAGE = { first: 50, tolerance_meters: 1 };
const FIRST_TIMED_PAGE = { first: 50, tolerance_meters: 0 };
const LATER_PAGE = { first: 200, tolerance_meters: 5 };

/**
 * Loads the trips of a vehicle with a special-purpose token, following pages to the last.
 *
 * @throws AuthError if the token is rejected, ApiError for any other failure
 */
export async function loadTrips(request: TripsRequest, token: string, signal: AbortSignal): Promise<Trip[]> {
  const { timed } = request;
  const selection = selectionOf(request);
  const query = timed ? TIMED_TRIPS_QUERY : TRIPS_QUERY;
  const trips: Trip[] = [];
  const cursors = new Set<string>();
  for (let after: string | undefined; ; ) {
    const size = after !== undefined ? LATER_PAGE : timed ? FIRST_TIMED_PAGE : FIRST_PAGE;
    const page = await loadPage({ ...request, token }, { query, variables: { ...selection, ...size, after } }, signal);
    for (const node of page.nodes) trips.push(readTrip(node));
    const { has_next_page, end_cursor } = page.page_info;
    if (!has_next_page || end_cursor === null) return trips;
    if (cursors.has(end_cursor)) throw new ApiError('The service returned the same page of trips twice');
    cursors.add(end_cursor);
    after = end_cursor;
  }
}

/**
 * Loads the newest trips of those that a request selects, the newest last.
 *
 * @throws AuthError if the token is rejected, ApiError for any other failure
 */
export async function loadNewestTrips(
  request: TripsRequest,
  token: string,
  first: number,
  signal: AbortSignal,
): Promise<Trip[]> {
  const query = request.timed ? TIMED_NEWEST_TRIPS_QUERY : NEWEST_TRIPS_QUERY;
  const { tolerance_meters } = request.timed ? FIRST_TIMED_PAGE : FIRST_PAGE;
  const variables = { ...selectionOf(request), first, tolerance_meters };
  const { nodes } = await loadPage({ ...request, token }, { query, variables }, signal);
  return nodes.map(readTrip).reverse();
}

function selectionOf({ vehicleKey, tripKey, startedAfter, startedBefore }: TripsRequest) {
  return {
    vehicle_key: vehicleKey,
    trip_key: tripKey ?? undefined,
    started_after: startedAfter ?? undefined,
    started_before: startedBefore ?? undefined,
  };
}

async function loadPage(access: ServiceAccess, operation: ServiceOperation, signal: AbortSignal): Promise<WirePage> {
  const page = (await askService<{ readonly trips?: WirePage }>(access, operation, signal))?.trips;
  if (!Array.isArray(page?.nodes) || !page?.page_info)
    throw new ApiError('The response of the service is not a list of trips');
  return page as WirePage;
}

function readTrip(node: WirePage['nodes'][number]): Trip {
  try {
    return tripOf(node);
  } catch (cause) {
    throw new ApiError('The response of the service contains an invalid trip', { cause });
  }
}
