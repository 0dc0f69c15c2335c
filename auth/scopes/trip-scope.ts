import { parseDateTime } from '../../schema/date-time.ts';

/** Time range of location data that a special-purpose token gives access to, in milliseconds since 1970 (UTC). */
export interface TripScope {
  /** Nothing stamped before this. */
  readonly gte?: number;
  /** Nothing stamped at or after this. */
  readonly lt?: number;
}

/** Reads `loc-past`, `loc-past-gte:<timestamp>` or `loc-past-lt:<timestamp>` (specification, section C); else null. */
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
