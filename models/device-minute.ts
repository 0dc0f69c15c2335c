import { insertUnlessThere } from './duplicate-key.ts';
import { modelOf } from './model-of.ts';
import type { Sight } from './tenancy.ts';
import type { TripPoints } from './trip-points.ts';
import { bytesOf } from './trip-points-bytes.ts';
import { packTripPoints, unpackTripPoints } from './trip-points-codec.ts';

/** Span of time whose positions lie in one document, in milliseconds. */
export const MINUTE_MS = 60_000;

/** A record of which nothing leaves. */
class DeviceMinute {}

/** The positions that a device sent for one minute, while they are in no closed trip. */
interface MinuteHidden {
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly device_key: string;
  /** When it begins, in milliseconds since 1970 (UTC). */
  readonly minute: number;
  /** Counts the changes: who writes must have read the latest. */
  readonly revision: number;
  /** When it was last changed. */
  readonly written: Date;
  readonly packed: Buffer;
}

/** Minutes of positions, found by vehicle, device and time. */
export const DeviceMinuteModel = modelOf<DeviceMinute, MinuteHidden>(DeviceMinute, {
  collection: 'device_minutes',
  tenancy: 'vehicle',
  hidden: {
    account_key: { type: String, required: true },
    vehicle_key: { type: String, required: true },
    device_key: { type: String, required: true },
    minute: { type: Number, required: true },
    revision: { type: Number, required: true },
    written: { type: Date, required: true },
    packed: { type: Buffer, required: true },
  },
  indexes: [[{ vehicle_key: 1, device_key: 1, minute: 1 }, { unique: true }]],
});

/** A device in a vehicle: whose minutes are meant. */
export interface Recorder {
  /** The sight of the vehicle. */
  readonly sight: Sight & { readonly vehicle_key: string };
  readonly device_key: string;
}

/** A minute as it was read. */
export interface StoredMinute {
  readonly minute: number;
  /** 0 where there is none yet. */
  readonly revision: number;
  readonly points: TripPoints;
}

/** The beginning of the minute in which an instant lies. */
export function minuteOf(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

/** The minutes with positions in `[from, until)`, in order; the first and the last may reach beyond. */
export async function loadMinutes(
  { sight, device_key }: Recorder,
  from: number,
  until: number,
): Promise<StoredMinute[]> {
  const minute = { $gte: from === -Infinity ? from : minuteOf(from), $lt: until };
  const found = await DeviceMinuteModel.find({ vehicle_key: sight.vehicle_key, device_key, minute }, null, { sight })
    .sort({ minute: 1 })
    .lean();
  return found.map((stored) => ({
    minute: stored.minute,
    revision: stored.revision,
    points: unpackTripPoints(bytesOf(stored.packed)),
  }));
}

/** The last minute with positions before an instant, from another on; null where there is none. */
export async function lastMinute(
  { sight, device_key }: Recorder,
  from: number,
  until: number,
): Promise<StoredMinute | null> {
  const minute = { $gte: minuteOf(from), $lt: until };
  const stored = await DeviceMinuteModel.findOne({ vehicle_key: sight.vehicle_key, device_key, minute }, null, {
    sight,
  })
    .sort({ minute: -1 })
    .lean();
  return (
    stored && { minute: stored.minute, revision: stored.revision, points: unpackTripPoints(bytesOf(stored.packed)) }
  );
}

/**
 * Writes a minute in place of the one that was read; without positions it is removed.
 *
 * @returns false where somebody else has written it since: read it again
 */
export async function writeMinute(
  { sight, device_key }: Recorder,
  read: StoredMinute,
  points: TripPoints,
): Promise<boolean> {
  const { minute, revision } = read;
  const place = { vehicle_key: sight.vehicle_key, device_key, minute };
  if (points.length === 0) {
    const { deletedCount } = await DeviceMinuteModel.deleteOne({ ...place, revision }).setOptions({ sight });
    return deletedCount > 0;
  }
  const change = { packed: packTripPoints(points, 0, points.length), written: new Date() };
  if (revision === 0) {
    const { account_key } = sight;
    return insertUnlessThere(() => DeviceMinuteModel.create([{ account_key, ...place, revision: 1, ...change }]));
  }
  const { matchedCount } = await DeviceMinuteModel.updateOne(
    { ...place, revision },
    { ...change, revision: revision + 1 },
  ).setOptions({ sight });
  return matchedCount > 0;
}

/** Forgets the minutes of a device that have not changed since an instant. Answers whether any is left. */
export async function forgetMinutes({ sight, device_key }: Recorder, since: Date): Promise<boolean> {
  const minutes = { vehicle_key: sight.vehicle_key, device_key };
  await DeviceMinuteModel.deleteMany({ ...minutes, written: { $lt: since } }).setOptions({ sight });
  return (await DeviceMinuteModel.findOne(minutes, 'minute', { sight }).lean()) !== null;
}
