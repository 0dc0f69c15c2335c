import { parseDateTime, type WrittenDateTime } from '../../schema/date-time.ts';
import { ServiceError } from '../../schema/service-error.ts';

import type { TripScope } from './trip-scope.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The bounds of a window as they were written, in the grammar of `parseDateTime`; absent if not given. */
export interface WrittenBounds {
  readonly started_after?: string | null | undefined;
  readonly started_before?: string | null | undefined;
}

/** Time range in which a trip must have started: `[from, until)`, in milliseconds since 1970 (UTC), or infinite. */
export class TripWindow {
  readonly from: number;
  readonly until: number;
  /** The bounds that were given and not ignored. */
  readonly #after: number | undefined;
  readonly #before: number | undefined;

  private constructor(from: number, until: number, after?: number, before?: number) {
    this.from = from;
    this.until = until;
    this.#after = after;
    this.#before = before;
  }

  /**
   * The window of owners and apps: both bounds as given.
   *
   * @throws ServiceError BAD_REQUEST naming the one that is no date-time
   */
  static plain(bounds: WrittenBounds): TripWindow {
    const after = read('started_after', bounds.started_after)?.instant;
    const before = read('started_before', bounds.started_before)?.instant;
    return new TripWindow(after ?? -Infinity, before ?? Infinity, after, before);
  }

  /**
   * The trip map's window: at most a calendar day, in the offset as written (decisions, "Component time window").
   *
   * @throws ServiceError BAD_REQUEST naming the bound that is no date-time
   */
  static oneDay(bounds: WrittenBounds): TripWindow {
    const after = read('started_after', bounds.started_after);
    const before = read('started_before', bounds.started_before);
    if (after && before) {
      const midnight = startOfDay(after) + DAY_MS;
      return before.instant > midnight
        ? new TripWindow(after.instant, midnight, after.instant)
        : new TripWindow(after.instant, before.instant, after.instant, before.instant);
    }
    if (after) return new TripWindow(after.instant, startOfDay(after) + DAY_MS, after.instant);
    if (before) return new TripWindow(startOfDay(before), before.instant, undefined, before.instant);
    return new TripWindow(-Infinity, Infinity);
  }

  /**
   * Returns true if a token covers this window: it neither begins after its start, if it has one, nor ends before its end
   * (decisions, "A token narrower than what is asked").
   */
  isCoveredBy(scope: TripScope): boolean {
    const beginsLate = this.#after !== undefined && scope.gte !== undefined && scope.gte > this.#after;
    const endsEarly = this.#before !== undefined && scope.lt !== undefined && scope.lt < this.#before;
    return !beginsLate && !endsEarly;
  }
}

function read(name: keyof WrittenBounds, written: string | null | undefined): WrittenDateTime | undefined {
  if (written === undefined || written === null) return undefined;
  const read = parseDateTime(written);
  if (!read) throw new ServiceError('BAD_REQUEST', `${name} is not an ISO 8601 date-time`);
  return read;
}

/** The instant at which the calendar day of a written date-time began, in its own offset. */
function startOfDay({ instant, offsetMinutes }: WrittenDateTime): number {
  const local = instant + offsetMinutes * MINUTE_MS;
  return local - (((local % DAY_MS) + DAY_MS) % DAY_MS) - offsetMinutes * MINUTE_MS;
}
