import { badParameter, readObject, readText, RejectedMessage } from './json-reader.ts';
import { MAX_POINTS, readPoints } from './read-points.ts';
import type { SentReport } from './sent-report.ts';

/** A device as named in a message. */
export interface NamedDevice {
  /** Null for the sending device. */
  readonly serial: string | null;
  /** Its display name on the forwarding server. */
  readonly name?: string | undefined;
}

/** Positions of a device that is named by its serial; null if the credentials alone identify it. */
export interface SentBySerial extends NamedDevice {
  readonly reports: readonly SentReport[];
}

/**
 * Reads positions of several devices.
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `batch[1].points[3].point.lat`
 */
export function readBatch(batch: unknown, now: number): SentBySerial[] {
  if (!Array.isArray(batch)) throw badParameter('batch', 'must be a list');
  if (batch.length > MAX_POINTS) throw badParameter('batch', `must be at most ${MAX_POINTS}`);
  const sent = batch.map((one: unknown, at) => {
    const name = `batch[${at}]`;
    const { serial, points } = readObject(name, one);
    const named = readText(`${name}.serial`, serial);
    try {
      return { serial: named, reports: readPoints(`${name}.points`, points, now) };
    } catch (error) {
      if (!(error instanceof RejectedMessage)) throw error;
      throw new RejectedMessage(error.reason, error.message, named);
    }
  });
  const count = sent.reduce((sum, { reports }) => sum + reports.length, 0);
  if (count > MAX_POINTS) throw badParameter('batch', `must have at most ${MAX_POINTS} points`);
  return sent;
}
