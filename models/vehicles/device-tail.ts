import { PRESENT_STATUSES } from '../../schema/vehicles/device.ts';

import { newMark } from '../store/change-mark.ts';
import { newKey } from '../key.ts';
import { type AccessScope, accountAccessScope } from '../store/tenancy.ts';
import type { Recorder } from '../trips/device-minute.ts';
import { emptyTripPoints, joinTripPoints, mergeTripPoints, type TripPoints } from '../trips/trip-points.ts';
import { bytesOf } from '../trips/trip-points-bytes.ts';
import { decodeTripPoints, encodeTripPoints } from '../trips/trip-points-codec.ts';
import { DeviceStore, type LastSeen, type StoredDevice, type StoredTail } from './device.ts';

/** The end of a recording, which shows if later positions only continue it. */
export type TailFacts = Omit<StoredTail, 'packed' | 'version'>;

/** The end of a recording, and positions that are in its tail from the beginning although they are in minutes too. */
export interface NewTail extends TailFacts {
  /** Null if there are none. */
  readonly points: TripPoints | null;
}

/** A device with the fields that its requests need. */
export interface SendingDevice
  extends LastSeen,
    Pick<StoredDevice, 'key' | 'account_key' | 'vehicle_key' | 'former_vehicles' | 'serial_folded' | 'trip_settings'> {
  readonly status: string;
  /** Null if nothing may be appended. */
  readonly tail: StoredTail | null;
}

/** Projection of a {@link SendingDevice}. */
export const SENDING_FIELDS = {
  key: 1,
  account_key: 1,
  vehicle_key: 1,
  former_vehicles: 1,
  serial_folded: 1,
  status: 1,
  position: 1,
  seen_outside: 1,
  tail: 1,
  trip_settings: 1,
  odometer: 1,
} as const;

/** Bytes before each piece of a tail that contain its length. */
const LENGTH_BYTES = 4;

/**
 * Size below which the last piece is encoded again together with new positions, in bytes. A position by itself takes some 30,
 * among others some 10, and each write of a tail writes all of them; decoding so few costs less than it saves.
 */
const JOINED_BELOW = 256;

/** Returns true if positions of a device are accepted. */
export function isSending({ status }: Pick<SendingDevice, 'status'>): boolean {
  return PRESENT_STATUSES.some((present) => present === status);
}

/** Positions that only continue the recording of a device. */
export interface TailPiece {
  readonly device_key: string;
  readonly serial_folded: string;
  /** The tail as it was read. */
  readonly tail: StoredTail;
  /** In the order of their times; none is in the tail, but some may lie between positions of the tail. */
  readonly points: TripPoints;
  /** True if some of the points are outside the privacy zones, so that trip maps show them to others than the owner. */
  readonly isShown: boolean;
  /** The end of the recording from now on. */
  readonly facts: TailFacts;
  /** Position and readings of the device from now on. */
  readonly seen: LastSeen;
}

/**
 * Appends positions to the tails of devices by one command, except those whose tail has changed since it was
 * read, or whose lease is held. Returns the keys of the others, which count as seen at `now` and are due for a check
 * at `due`.
 */
export async function appendToTails(
  accessScope: AccessScope,
  pieces: readonly TailPiece[],
  { now, due }: { readonly now: Date; readonly due: Date },
): Promise<ReadonlySet<string>> {
  const version = newKey();
  const growth_mark = newMark();
  const care = { by: null, until: due, rearranging: false };
  const updates = pieces.map(({ device_key, serial_folded, tail, points, isShown, facts, seen }) => {
    const place = { 'tail.last': facts.last, 'tail.point': facts.point, 'tail.anchor': facts.anchor };
    const appended = { 'tail.packed': appendPacked(tail, points), ...place, 'tail.version': version };
    return {
      filter: {
        key: device_key,
        serial_folded,
        vehicle_key: tail.vehicle_key,
        'care.by': null,
        'tail.version': tail.version,
      },
      update: {
        $set: {
          ...appended,
          care,
          ...seen,
          ...(points.length > 0 && { growth_mark }),
          ...(isShown && { trips_version: version }),
        },
        $max: { last_transmission: now },
      },
    };
  });
  const keys = pieces.map(({ device_key }) => device_key);
  const count = await DeviceStore.updateEach(accessScope, updates);
  if (count === keys.length) return new Set(keys);
  if (count === 0) return new Set();
  const appended = { key: { $in: keys }, 'tail.version': version };
  return new Set((await DeviceStore.find(accessScope, appended, 'key')).map(({ key }) => key));
}

/** A tail as it is stored, in a version that has not been read. */
export function storedTail({ points, ...facts }: NewTail): StoredTail {
  return { ...facts, packed: points && points.length > 0 ? pieceOf(points) : null, version: newKey() };
}

/** A tail whose positions have been moved to minutes; null if nothing can be appended to it then. */
export function emptiedTail({ packed, version, ...facts }: StoredTail): NewTail | null {
  return facts.anchor ? { ...facts, whole: false, points: null } : null;
}

/** Size of the positions in a tail, in bytes. */
export function sizeOfTail({ packed }: StoredTail): number {
  return packed === null ? 0 : bytesOf(packed).length;
}

/** Packs the positions of a tail and others: pieces as `encodeTripPoints` encodes them, each behind its length. */
function appendPacked(tail: StoredTail, points: TripPoints): StoredTail['packed'] {
  if (points.length === 0) return tail.packed;
  const bytes = bufferOf(tail.packed);
  if ((points.time[0] ?? 0) <= tail.last.getTime() && bytes.length > 0)
    return pieceOf(mergeTripPoints([pointsOfTail(tail), points]));
  const last = pieceStarts(bytes).at(-1);
  if (last === undefined || bytes.length - last >= JOINED_BELOW) return Buffer.concat([bytes, pieceOf(points)]);
  const joined = joinTripPoints([decodeTripPoints(bytes.subarray(last + LENGTH_BYTES)), points]);
  return Buffer.concat([bytes.subarray(0, last), pieceOf(joined)]);
}

/** Encodes positions as a piece of a tail. */
function pieceOf(points: TripPoints): Buffer {
  const encoded = encodeTripPoints(points);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(encoded.length);
  return Buffer.concat([length, encoded]);
}

/** Offsets of the pieces of a tail. */
function pieceStarts(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at += LENGTH_BYTES + bytes.readUInt32LE(at)) starts.push(at);
  return starts;
}

/** The packed positions of a tail, in the memory in which they were read. */
function bufferOf(packed: StoredTail['packed']): Buffer {
  if (packed === null) return Buffer.alloc(0);
  const { buffer, byteOffset, length } = bytesOf(packed);
  return Buffer.from(buffer, byteOffset, length);
}

/** The positions in the tail of a device, of the vehicle of the recorder; readers of minutes must read these first. */
export async function loadTail({ accessScope, device_key }: Pick<Recorder, 'accessScope' | 'device_key'>) {
  const { account_key, vehicle_key } = accessScope;
  const ofAccount = accountAccessScope(accessScope.service, account_key);
  const device = await DeviceStore.findOne(ofAccount, { key: device_key }, 'tail');
  return device?.tail?.vehicle_key === vehicle_key ? pointsOfTail(device.tail) : emptyTripPoints(0);
}

/** Describes the fault of the positions in a stored tail; null if there is none. */
export function tailFault(tail: StoredTail): string | null {
  try {
    pointsOfTail(tail);
    return null;
  } catch (error) {
    return `they cannot be unpacked (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The positions in a tail, in the order of their times. */
export function pointsOfTail({ packed }: StoredTail): TripPoints {
  const bytes = bufferOf(packed);
  const pieces = pieceStarts(bytes).map((start) => {
    const from = start + LENGTH_BYTES;
    return decodeTripPoints(bytes.subarray(from, from + bytes.readUInt32LE(start)));
  });
  return mergeTripPoints(pieces);
}
