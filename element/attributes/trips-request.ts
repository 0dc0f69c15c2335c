import { parseDateTime, type WrittenDateTime } from '../../schema/date-time.ts';

import { PageError } from '../trips/load-failure.ts';
import type { TripsRequest } from '../trips/load-trips.ts';
import type { TripsMapAttributes } from './trips-map-attributes.ts';
import { writtenAddress } from './written-address.ts';

/** Returns the vehicles of the attribute `vehicle-keys`, none if it is absent. */
export function vehicleKeysOf({ vehicleKeys }: TripsMapAttributes): string[] {
  return [...new Set((vehicleKeys ?? '').split(/[\s,]+/).filter((key) => key !== ''))];
}

/**
 * The address of the service.
 * @throws PageError that names the attribute if it is not known
 */
export function serviceUrlOf({ serviceUrl }: TripsMapAttributes): string {
  const address = serviceUrl || writtenAddress('__WAYBRIDGE_GRAPHQL_URL__');
  if (!address)
    throw new PageError('The service-url attribute is missing, and this file was not served by the service');
  return address;
}

/**
 * Reads the attributes that select trips. With several vehicles `trip-key` is ignored; with
 * `trip-key` the times are ignored (specification, section E). An empty attribute counts as absent.
 * @throws PageError that names the attribute that prevents loading
 */
export function tripsRequestOf(attributes: TripsMapAttributes, ofSeveral: string | null = null): TripsRequest {
  const { replay, colorBy } = attributes;
  const vehicleKey = ofSeveral ?? attributes.vehicleKey;
  const tripKey = (ofSeveral === null && attributes.tripKey) || null;
  const startedAfter = tripKey ? null : attributes.startedAfter || null;
  const startedBefore = tripKey ? null : attributes.startedBefore || null;

  if (!vehicleKey) throw new PageError('The vehicle-key attribute is missing');
  if (startedAfter && !parseDateTime(startedAfter)) throw new PageError('started-after is not an ISO 8601 date-time');
  if (startedBefore && !parseDateTime(startedBefore))
    throw new PageError('started-before is not an ISO 8601 date-time');
  const serviceUrl = serviceUrlOf(attributes);
  // One trip has few positions: its tooltips have times.
  const timed = tripKey !== null || replay || colorBy === 'speed';
  return { serviceUrl, vehicleKey, tripKey, startedAfter, startedBefore, timed };
}

const DAY_MS = 86_400_000;

/** Returns true if trips that start now are among those that a request selects. */
export function reachesNow({ tripKey, startedAfter, startedBefore }: TripsRequest, now = Date.now()): boolean {
  const [after, before] = [startedAfter, startedBefore].map((text) => (text === null ? null : parseDateTime(text)));
  if (tripKey !== null) return false;
  if (!after) return !before || (now < before.instant && isSameDay(before, now));
  return (
    now > after.instant &&
    isSameDay(after, now) &&
    (!before || now < before.instant || !isSameDay(after, before.instant))
  );
}

function isSameDay({ instant, offsetMinutes }: WrittenDateTime, other: number): boolean {
  const dayOf = (time: number): number => Math.floor((time + offsetMinutes * 60_000) / DAY_MS);
  return dayOf(instant) === dayOf(other);
}
