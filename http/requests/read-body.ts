import type { IncomingMessage } from 'node:http';

import { errorCodes } from 'fastify';

import { type HeldMemory, outOfMemory } from './body-memory.ts';
import { isClientGone } from './client-gone.ts';

/** Rejects a body announced as longer than `max` bytes, before a client that waits sends it, by a FastifyError 413. */
export function demandLength({ headers }: IncomingMessage, max: number): void {
  if (Number(headers['content-length'] ?? Number.NaN) > max) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
}

/**
 * Reads the body of a request, whatever its method, of at most `max` bytes, counted against `memory` (503 if
 * exhausted).
 *
 * @throws FastifyError 413; BodyTimeoutError; the connection's error, a 400 unless the client went away
 */
export function readBody(request: IncomingMessage, max: number, memory?: HeldMemory): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > max) settle(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      else if (memory?.take(chunk.length) === false) settle(outOfMemory());
    };
    const end = (): void => settle(null);
    const fail = (error: Error): void => {
      if (!('statusCode' in error) && !isClientGone(error, request)) Object.assign(error, { statusCode: 400 });
      settle(error);
    };
    const settle = (fault: Error | null): void => {
      request.off('data', take).off('end', end).off('error', fail);
      if (fault !== null) reject(fault);
      else resolve(Buffer.concat(chunks, length));
    };
    request.on('data', take).on('end', end).on('error', fail);
  });
}

/** MongoDB's code `BSONObjectTooLarge`. */
const BSON_OBJECT_TOO_LARGE = 10334;

/** Returns true if a fault is that a record would be larger than the 16 MB which MongoDB stores, by driver or by server. */
export function isRecordTooLarge(fault: unknown): boolean {
  if (!(fault instanceof Error) || !('code' in fault)) return false;
  // The driver writes a document into a buffer of 17 MB, and only reports that the buffer is too small.
  const exceedsBuffer = fault instanceof RangeError && /\bbson\b/.test(fault.stack ?? '');
  return fault.code === BSON_OBJECT_TOO_LARGE || (exceedsBuffer && fault.code === 'ERR_OUT_OF_RANGE');
}
