import { channel } from 'node:diagnostics_channel';

import type { Caller, DeviceItself, Forwarder } from '../../auth/caller.ts';
import type { SendingDevice } from '../../models/vehicles/device-tail.ts';
import { tripLimits } from '../../models/trips/trip-limits.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { IngestResult } from '../../schema/vehicles/ingest-result.ts';

import { placesAt } from '../areas/known-places.ts';
import type { DeviceInVehicle, SentPositions } from '../recording/append-points.ts';
import { recordPositions } from '../recording/record-positions.ts';
import { pointsSince, retainedSince } from '../retention/retained-points.ts';
import { rulesAt } from '../rules/known-rules.ts';
import type { Service } from '../../models/store/service.ts';

/** Callers that may send positions. */
export type Sender = DeviceItself | Forwarder;

/** Positions of a request that were recorded, for metrics. */
export interface RecordedPositions {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  /** For each device, the seconds from its newest position until the response. */
  readonly lags: readonly number[];
}

/** Reports to metrics {@link RecordedPositions}. */
export const positionsRecorded = channel('waybridge:positions-recorded');

/** A caller with this permission. */
export function senderOf(caller: Caller): Sender {
  if (caller.kind === 'device' || caller.kind === 'forwarder') return caller;
  throw new TypeError(`Positions come from devices and forwarders, not from ${caller.kind}`);
}

/** Records positions of a device. */
export function recordOne(service: Service, sender: Sender, sent: SentPositions): Promise<IngestResult> {
  return recordEach(service, sender, [sent]);
}

/** Records positions of devices, each device once. */
export async function recordEach(
  service: Service,
  { account_key, zones, places_revision, rules_revision, retention_days, trip_settings }: Sender,
  sent: readonly SentPositions[],
): Promise<IngestResult> {
  const places = await placesAt(service, account_key, places_revision);
  const rules = await rulesAt(service, account_key, rules_revision);
  const since = retainedSince(retention_days);
  const retained = sent.map(({ device, points }) => ({
    device: { ...device, limits: tripLimits(trip_settings, device.trip_settings) },
    points: pointsSince(points, since),
  }));
  const result = await recordPositions(service, account_key, retained, { zones, places, rules });
  const count = lengthOf(sent) - lengthOf(retained);
  if (positionsRecorded.hasSubscribers) {
    const { accepted, duplicates } = result;
    positionsRecorded.publish({ accepted, duplicates, refused: count, lags: lagsOf(sent) } satisfies RecordedPositions);
  }
  if (count === 0) return result;
  const refused = `${count} of the positions are older than the ${retention_days} days for which the account keeps them`;
  return { ...result, refused };
}

/** For each device, the seconds since its newest position. */
function lagsOf(sent: readonly SentPositions[]): number[] {
  const now = Date.now();
  return sent.flatMap(({ points: { time } }) => {
    if (time.length === 0) return [];
    return [Math.max(0, now - time.reduce((newest, one) => Math.max(newest, one), -Infinity)) / 1000];
  });
}

function lengthOf(sent: readonly SentPositions[]): number {
  return sent.reduce((sum, { points }) => sum + points.length, 0);
}

/** Returns true if a device has trips to which positions may be added. */
export function isInVehicle(device: SendingDevice): device is SendingDevice & DeviceInVehicle {
  return device.vehicle_key !== null;
}

/**
 * Records a message of a sender that repeats messages until they succeed: if `read` rejects it, as it would every
 * time, the answer is a success with the reason.
 */
export async function refusedOr<Read>(
  read: () => Promise<Read>,
  record: (read: Read) => Promise<IngestResult>,
): Promise<IngestResult> {
  let found: Read;
  try {
    found = await read();
  } catch (error) {
    const isFinal = error instanceof ServiceError && (error.code === 'BAD_REQUEST' || error.code === 'NOT_FOUND');
    if (!isFinal) throw error;
    return { accepted: 0, duplicates: 0, refused: error.message };
  }
  return record(found);
}
