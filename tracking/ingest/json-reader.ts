import { parseDateTime } from '../../schema/date-time.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** A JSON object whose members have not been checked. */
export type Members = Readonly<Record<string, unknown>>;

/** Makes the error of a bad parameter. */
export function badParameter(name: string, fault: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `${name} ${fault}`);
}

/** @throws ServiceError BAD_REQUEST naming the parameter, if it is not an object */
export function readObject(name: string, value: unknown): Members {
  if (value === undefined || value === null) throw badParameter(name, 'is required');
  if (typeof value !== 'object' || Array.isArray(value)) throw badParameter(name, 'must be an object');
  return value as Members;
}

/** @throws ServiceError BAD_REQUEST naming the parameter, if it is not a string, or empty */
export function readText(name: string, value: unknown): string {
  if (value === undefined || value === null) throw badParameter(name, 'is required');
  if (typeof value !== 'string' || value === '') throw badParameter(name, 'must be a non-empty string');
  return value;
}

/** @throws ServiceError BAD_REQUEST naming the parameter, if it is not a number from `least` to `most` */
export function readNumber(name: string, value: unknown, min: number, max: number): number {
  if (value === undefined || value === null) throw badParameter(name, 'is required');
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw badParameter(name, `must be a number from ${min} to ${max}`);
  }
  return value;
}

/** As {@link readNumber}; NaN if there is none. */
export function readOptionalNumber(name: string, value: unknown, min: number, max: number): number {
  return value === undefined || value === null ? Number.NaN : readNumber(name, value, min, max);
}

/** Maximum time that a position may be stamped ahead of this machine's clock, in milliseconds. */
export const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Reads a time as ms since 1970.
 *
 * @throws ServiceError BAD_REQUEST if it is outside the grammar, or in the future
 */
export function readInstant(name: string, value: unknown, now: number): number {
  const written = parseDateTime(readText(name, value));
  if (!written) throw badParameter(name, 'must be a date-time, such as 2026-03-01T12:00:00+00:00');
  if (written.instant > now + MAX_AHEAD_MS) throw badParameter(name, 'must not be in the future');
  return written.instant;
}

/**
 * Reads a number that a feed may omit or mark as unknown, such as a course of -1: NaN unless it is one from `min` to
 * `max`. Numbers may be written as text, as in the parameters of an address.
 */
export function numberOrNone(value: unknown, min: number, max: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : Number.NaN;
}

/** Reads a boolean, also as text; undefined if there is none. */
export function truthOrNone(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true;
  return value === false || value === 'false' || value === '0' ? false : undefined;
}
