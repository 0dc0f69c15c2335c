import { channel } from 'node:diagnostics_channel';

import { foldSerial } from '../../models/vehicles/serial-grams.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { addRejection, type CountedRejection } from '../../models/vehicles/ingest-rejection.ts';
import type { Service } from '../../models/store/service.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import type { Recorder } from '../../models/trips/device-minute.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { type IngestPath, type RejectionReason, REJECTIONS } from '../../schema/vehicles/ingest-rejection.ts';

import { markedSpeeds } from '../geometry/marked-speeds.ts';

/** The device whose positions are rejected, by its key, or by a serial, which may be unknown. */
export interface RejectedDevice {
  readonly account_key: string;
  readonly key?: string | null;
  readonly serial?: string | null;
}

/** A position that is rejected, or several that are for the same reason. */
export interface Rejection {
  readonly reason: RejectionReason;
  /** `recording` by default. */
  readonly path?: IngestPath;
  /** 1 by default. */
  readonly count?: number;
  /** The words of the answer; those of the reason by default. */
  readonly detail?: string;
  /** The message, without credentials; it is shortened. */
  readonly sample?: string | null;
}

/** Rejected positions of a device and a reason, for metrics and the log. */
export interface RejectedPositions extends CountedRejection {
  readonly account_key: string;
}

/** Reports {@link RejectedPositions} to metrics and the log. */
export const positionsRejected = channel('waybridge:positions-rejected');

/** Maximum length of what is kept of a message, in characters. */
const MAX_LENGTH = 300;

/**
 * Notes positions of a device that are not stored, or stored with a mark: for metrics, the log, and the owner. It never fails:
 * the positions matter more.
 */
export async function noteRejections(
  service: Service,
  { account_key, key = null, serial = null }: RejectedDevice,
  rejections: readonly Rejection[],
): Promise<void> {
  if (rejections.length === 0) return;
  const accessScope = accountAccessScope(service, account_key);
  try {
    const device_key = key ?? (serial === null ? null : await keyOfSerial(service, account_key, serial));
    const named = { device_key, serial: device_key === null ? shortened(serial ?? '') : null };
    for (const { reason, path = 'recording', count = 1, detail, sample = null } of rejections) {
      const counted = { ...named, reason, path, count, detail: shortened(detail ?? REJECTIONS[reason].text) };
      const rejected = { ...counted, sample: sample && shortened(sample) };
      positionsRejected.publish({ account_key, ...rejected } satisfies RejectedPositions);
      await addRejection(accessScope, rejected);
    }
  } catch {
    // The database does not answer: the request itself reports that.
  }
}

/** Notes the speeds of ended trips that have been marked since their positions were read. */
export async function noteMarkedSpeeds(
  { accessScope, device_key }: Recorder,
  read: TripPoints,
  ended: readonly TripPoints[],
): Promise<void> {
  const known = new Set(markedSpeeds(read).map((at) => read.time[at]));
  const marked = ended.flatMap((points) => markedSpeeds(points).map((at) => points.time[at]));
  const count = marked.filter((time) => !known.has(time)).length;
  const { service, account_key } = accessScope;
  if (count > 0) await noteRejections(service, { account_key, key: device_key }, [{ reason: 'speed', count }]);
}

async function keyOfSerial(service: Service, account_key: string, serial: string): Promise<string | null> {
  const those = { serial_folded: foldSerial(serial) };
  const device = await DeviceStore.findOne(accountAccessScope(service, account_key), those, 'key');
  return device?.key ?? null;
}

function shortened(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
}
