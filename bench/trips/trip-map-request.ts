import { TRIPS_QUERY } from '../../schema/trips/trips-query.ts';
import type { LoadRequest } from '../https-load.ts';
import { FIRST_DAY } from './trips-records.ts';

/** Origin of the page with the map. */
export const PAGE_ORIGIN = 'https://www.example.com';
const DAY_MS = 86_400_000;

/** Trips to ask for, as the component does. */
export interface TripMap {
  readonly url: string;
  /** A special-purpose token for the vehicle on pages of {@link PAGE_ORIGIN}. */
  readonly token: string;
  readonly vehicle_key: string;
  readonly first: number;
  /** Number of the day from which on they are asked for, from {@link FIRST_DAY}. */
  readonly day: number;
}

/** The request of a component for trips. */
export function tripMapRequest({ url, token, vehicle_key, first, day }: TripMap): LoadRequest {
  return {
    url,
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      origin: PAGE_ORIGIN,
      'content-type': 'application/json',
      'accept-encoding': 'br, gzip',
    },
    body: JSON.stringify({
      query: TRIPS_QUERY,
      variables: {
        vehicle_key,
        first,
        tolerance_meters: 5,
        started_after: new Date(FIRST_DAY + day * DAY_MS).toISOString(),
      },
    }),
    count: 0,
    concurrency: 1,
  };
}

/** A request for trips whose answer is computed each time: the same instant in digits that no other request has. */
export function anew(request: LoadRequest): LoadRequest {
  return { ...request, body: request.body.replace('.000Z"', '.000%nZ"') };
}
