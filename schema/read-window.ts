import { parseDateTime } from './date-time.ts';
import { ServiceError } from './service-error.ts';

/** Condition on a stored time: `[$gte, $lt)`. */
export interface TimeCondition {
  readonly $gte?: Date;
  readonly $lt?: Date;
}

/**
 * Reads a window `[after, before)` of two arguments as the condition on a stored time; null if neither is given.
 * @param name of the arguments, without `after` and `before`: `entry_`
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function readWindow(
  name: string,
  after: string | null | undefined,
  before: string | null | undefined,
): TimeCondition | null {
  if (after == null && before == null) return null;
  return {
    ...(after != null && { $gte: readDateTime(`${name}after`, after) }),
    ...(before != null && { $lt: readDateTime(`${name}before`, before) }),
  };
}

/** Reads a date-time. @throws ServiceError BAD_REQUEST naming the parameter */
export function readDateTime(parameter: string, written: string): Date {
  const read = parseDateTime(written);
  if (!read) throw new ServiceError('BAD_REQUEST', `${parameter} is not an ISO 8601 date-time`);
  return new Date(read.instant);
}
