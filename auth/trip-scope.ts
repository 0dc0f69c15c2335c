import { parseDateTime } from '../schema/date-time.ts';

/** Time range of location data that a special-purpose token gives access to, in milliseconds since 1970 (UTC). */
export interface TripScope {
  /** Nothing stamped before this. */
  readonly gte?: number;
  /** Nothing stamped at or after this. */
  readonly lt?: number;
}

/**
 * Reads one of the three allowed forms: `loc-past`, `loc-past-gte:<timestamp>`, `loc-past-lt:<timestamp>`.
 *
 * @returns null for anything else. Specification: "Allowed scope forms".
 */
export function parseTripScope(text: string): TripScope | null {
  if (text === 'loc-past') return {};
  const separator = text.indexOf(':');
  const form = text.slice(0, separator);
  const moment = parseDateTime(text.slice(separator + 1));
  if (!moment) return null;
  if (form === 'loc-past-gte') return { gte: moment.instant };
  if (form === 'loc-past-lt') return { lt: moment.instant };
  return null;
}
