import { parseDateTime } from '../../schema/date-time.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { RejectionReason } from '../../schema/vehicles/ingest-rejection.ts';

/** A JSON object whose members have not been checked. */
export type Members = Readonly<Record<string, unknown>>;

/** The error of a message that can never be stored as it is. */
export class RejectedMessage extends ServiceError {
  readonly reason: RejectionReason;
  /** The device of a batch that it concerns; null if all devices are concerned, or the sender is the device. */
  readonly serial: string | null;

  constructor(reason: RejectionReason, message: string, serial: string | null = null) {
    super('BAD_REQUEST', message);
    this.reason = reason;
    this.serial = serial;
  }
}

/** Makes the error of a bad parameter. */
export function badParameter(name: string, fault: string, reason: RejectionReason = 'malformed'): RejectedMessage {
  return new RejectedMessage(reason, `${name} ${fault}`);
}

/** @throws ServiceError BAD_REQUEST naming the parameter, if it is not an object */
export function readObject(name: string, value: unknown): Members {
  if (isMissing(value)) throw badParameter(name, 'is required');
  if (typeof value !== 'object' || Array.isArray(value)) throw badParameter(name, 'must be an object');
  return value as Members;
}

/** @throws ServiceError BAD_REQUEST naming the parameter, if it is not a string, or empty */
export function readText(name: string, value: unknown): string {
  if (isMissing(value)) throw badParameter(name, 'is required');
  if (typeof value !== 'string' || value === '') throw badParameter(name, 'must be a non-empty string');
  return value;
}

/** @throws ServiceError BAD_REQUEST naming the parameter, if it is not a number from `min` to `max`, which may be text */
export function readNumber(name: string, value: unknown, min: number, max: number): number {
  if (isMissing(value)) throw badParameter(name, 'is required');
  const number = numberOrNone(value, min, max);
  if (Number.isNaN(number)) throw badParameter(name, `must be a number from ${min} to ${max}`);
  return number;
}

/** As {@link readNumber}; NaN if there is none. */
export function readOptionalNumber(name: string, value: unknown, min: number, max: number): number {
  return isMissing(value) ? Number.NaN : readNumber(name, value, min, max);
}

/**
 * Reads a time as ms since 1970.
 *
 * @throws ServiceError BAD_REQUEST if it is outside the grammar
 */
export function readInstant(name: string, value: unknown): number {
  const written = parseDateTime(readText(name, value));
  if (!written) throw badParameter(name, 'must be a date-time, such as 2026-03-01T12:00:00+00:00');
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

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', 'yes'].map((word) => [word, true] as const),
  ...['false', 'off', 'no'].map((word) => [word, false] as const),
]);

/** Reads a boolean, also as 1 or 0, and as text such as `ON` or `no`; undefined if it is none. */
export function truthOrNone(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const number = numberOrNone(value, 0, 1);
  if (number === 0 || number === 1) return number === 1;
  return typeof value === 'string' ? TRUTHS.get(value.trim().toLowerCase()) : undefined;
}

/** Returns true if a member is absent or null. */
export function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
