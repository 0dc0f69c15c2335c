import { parseDateTime } from '../../schema/date-time.ts';

import type { TripsRequest } from './load-trips.ts';
import { serviceUrlOf } from './service-url.ts';

/** The attributes that decide what is loaded, as written. */
export interface TripsAttributes {
  readonly serviceUrl: string | null;
  readonly vehicleKey: string | null;
  readonly tripKey: string | null;
  readonly startedAfter: string | null;
  readonly startedBefore: string | null;
  readonly colorBy: string;
  readonly replay: boolean;
}

/**
 * Reads the attributes; an empty one is an absent one, and `trip-key` makes the times ignored (specification, section E).
 *
 * @throws Error that names the attribute which keeps trips from being loaded
 */
export function tripsRequestOf(attributes: TripsAttributes): TripsRequest {
  const { vehicleKey } = attributes;
  const tripKey = attributes.tripKey || null;
  const startedAfter = tripKey ? null : attributes.startedAfter || null;
  const startedBefore = tripKey ? null : attributes.startedBefore || null;

  if (!vehicleKey) throw new Error('The vehicle-key attribute is missing');
  if (startedAfter && !parseDateTime(startedAfter)) throw new Error('started-after is not an ISO 8601 date-time');
  if (startedBefore && !parseDateTime(startedBefore)) throw new Error('started-before is not an ISO 8601 date-time');
  const serviceUrl = serviceUrlOf(attributes.serviceUrl);
  if (!serviceUrl) throw new Error('The service-url attribute is missing, and this file was not served by the service');
  const timed = attributes.replay || attributes.colorBy === 'speed';
  return { serviceUrl, vehicleKey, tripKey, startedAfter, startedBefore, timed };
}
