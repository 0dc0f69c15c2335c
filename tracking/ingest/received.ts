import type { DeviceItself, Forwarder } from '../../auth/caller.ts';
import { isMarkWord, markOf } from '../../models/trips/position-marks.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { Service } from '../../models/store/service.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { IngestPath, RejectionReason } from '../../schema/vehicles/ingest-rejection.ts';

import { RejectedMessage } from './json-reader.ts';
import type { ReadMessage } from './message-reader.ts';
import { noteRejections, type Rejection } from '../recording/note-rejections.ts';

/** Callers that may send positions. */
export type Sender = DeviceItself | Forwarder;

/** A message as it came. */
export interface Received {
  readonly path: IngestPath;
  /** Serial of the device, if the message names one. */
  readonly serial?: unknown;
  readonly message: unknown;
  /** Number of its positions; 1 by default. */
  readonly count?: number;
  /** The reason for what of it has not been read. */
  readonly ignored?: ReadMessage['ignored'];
  /** Members with credentials. */
  readonly secrets?: readonly string[];
}

/** Reads a message; if that fails in a way that would fail again, the reason is noted. */
export async function noting<Read>(
  service: Service,
  sender: Sender,
  received: Received,
  read: () => Promise<Read>,
): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason !== null && error instanceof Error) {
      const { path, count = 1, serial = null } = received;
      const named = (error instanceof RejectedMessage && error.serial) || serial;
      const ofSerial = typeof named === 'string' ? { serial: named } : {};
      const { account_key } = sender;
      const device = { account_key, ...(sender.kind === 'device' ? { key: sender.device_key } : ofSerial) };
      await noteRejections(service, device, [
        { reason, path, count, detail: error.message, sample: sampleOf(received, error.message) },
      ]);
    }
    throw error;
  }
}

/** The reason for which a message can never be stored as it is; null for another failure. */
function reasonOf(error: unknown): RejectionReason | null {
  if (error instanceof RejectedMessage) return error.reason;
  if (!(error instanceof ServiceError)) return null;
  if (error.code === 'NOT_FOUND') return 'unknown_device';
  return error.code === 'BAD_REQUEST' ? 'malformed' : null;
}

/** A message as text; of a list, the element that an error names. */
function sampleOf({ message, secrets = [] }: Received, error: string): string {
  let part: unknown = message;
  for (const [, name = '', at] of error.split(' ', 1)[0]?.matchAll(/(?:^|\.)(points|batch|locations)\[(\d+)\]/g) ??
    []) {
    part = Object(Object(part)[name])[Number(at)] ?? part;
  }
  const text = JSON.stringify(part, (name, value) => (secrets.includes(name) ? undefined : value)) ?? '';
  return text.replaceAll(/\bwb_\w+/g, 'wb_…');
}

/** The positions of a device that are not stored, because they are too old or repeat a time, or are stored with a mark. */
export function rejectionsIn(points: TripPoints, since: number, received: Received): Rejection[] {
  const found = new Map<RejectionReason, { count: number; readonly at: number }>();
  const note = (reason: RejectionReason, at: number) => {
    const known = found.get(reason);
    if (known) known.count += 1;
    else found.set(reason, { count: 1, at });
  };
  const placeAt = (at: number) => `${points.lat[at]}, ${points.lon[at]}`;
  const places = new Map<number, string>();
  for (const [at, time] of points.time.entries()) {
    const marks = (points.events.get(at) ?? []).filter(isMarkWord).map(markOf);
    for (const mark of marks) note(mark, at);
    if (time < since) note('expired', at);
    else if (points.length > 1) {
      const place = places.get(time) ?? placeAt(at);
      places.set(time, place);
      if (place !== placeAt(at)) note('same_time', at);
    }
  }
  const { path, ignored } = received;
  const unread = (ignored ?? []).map((one) => ({ ...one, path, sample: sampleOf(received, one.detail) }));
  const isList = path === 'points' || path === 'batch' || path === 'overland';
  const timeAt = (at: number) => new Date(points.time[at] ?? 0).toISOString();
  const read = [...found].map(([reason, { count, at }]) => {
    return { reason, path, count, sample: isList ? `${timeAt(at)} ${placeAt(at)}` : sampleOf(received, '') };
  });
  return [...unread, ...read];
}
