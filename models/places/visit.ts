import { Visit } from '../../schema/places/visit.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { nullable, POINT, required } from '../store/stored-fields.ts';
import { ofDevice, type Recorder } from '../trips/device-minute.ts';
import {
  type ConfirmingRecorder,
  derivedKey,
  removeStagedRecords,
  replaceRecords,
  takeRecords,
} from '../trips/leased-records.ts';
import { dateAt, OPEN_END } from '../trips/trip.ts';

/** Visits. Those of a device in a vehicle are written under the lease of the device. */
export const VisitStore = storeOf(Visit, {
  collection: 'visits',
  tenancy: 'visit',
  computed: ['status'],
  logged: { kind: 'visit', userField: 'driver_key', shown: { staged: false }, silent: ['epoch'] },
  hidden: {
    account_key: required(String),
    /** The device whose positions they are. */
    device_key: required(String),
    /** The exit; {@link OPEN_END} while there is none, so that every query of a time span finds it. */
    until: required(Date),
    /** The first position in the place. */
    entry_point: required(POINT),
    /** The first position outside after it; null while there is none. */
    exit_point: nullable(POINT),
    /** True until the lease has been confirmed under which it was written; seen by nobody. */
    staged: required(Boolean),
    /** The epoch of the device's lease under which it was last read or changed. */
    epoch: required(Number),
  },
  indexes: [
    [{ account_key: 1, entry_timestamp: -1, key: 1 }],
    [{ vehicle_key: 1, entry_timestamp: -1, key: 1 }],
    [{ account_key: 1, place_key: 1, entry_timestamp: -1, key: 1 }],
    [
      { account_key: 1, driver_key: 1, entry_timestamp: -1, key: 1 },
      { partialFilterExpression: { driver_key: { $type: 'string' } } },
    ],
    [{ account_key: 1, until: -1, key: 1 }],
    [{ vehicle_key: 1, until: -1, key: 1 }],
    [{ vehicle_key: 1, device_key: 1, until: 1, entry_timestamp: 1 }],
  ],
});

/** A visit as it is read from the database. */
export type StoredVisit = StoredIn<typeof VisitStore>;

/** A stay in a place; times in milliseconds since 1970, an open one has no exit. */
export interface Stay {
  readonly place_key: string;
  /** The user who drove at the entry; null where nobody is known to have. */
  readonly driver_key: string | null;
  readonly entry: number;
  readonly exit: number | null;
  readonly entry_point: GeoPoint;
  readonly exit_point: GeoPoint | null;
}

/** A stay as it is stored. */
export interface StoredStay extends Stay {
  readonly key: string;
}

/**
 * The visits of a device that are not over at an instant, and began by another, taken over from earlier holders of its
 * lease: what these still do to them has no effect.
 */
export async function staysBetween(recorder: Recorder, from: number, until: number): Promise<StoredStay[]> {
  const filter = { until: { $gt: dateAt(from) }, entry_timestamp: { $lte: dateAt(until) }, staged: false };
  return (await takeRecords<StoredVisit>(VisitStore, recorder, filter)).map(asStay);
}

/** Returns true if a device has visits that are not over at an instant, and began by another. */
export async function hasStaysBetween(recorder: Recorder, from: number, until: number): Promise<boolean> {
  const { accessScope } = recorder;
  const filter = { ...ofDevice(recorder), until: { $gt: dateAt(from) }, entry_timestamp: { $lte: dateAt(until) } };
  return (await VisitStore.findOne(accessScope, filter, 'key')) !== null;
}

/**
 * Makes the visits of a device the given ones, in place of those that were read. Returns true if any were new.
 * @throws ServiceError SERVICE_UNAVAILABLE if the lease is gone
 */
export async function replaceStays(
  recorder: ConfirmingRecorder,
  read: readonly StoredStay[],
  stays: readonly Stay[],
): Promise<boolean> {
  return replaceRecords(VisitStore, recorder, {
    read,
    derived: stays.map((stay) => ({ ...stay, key: keyOf(recorder, stay) })),
    isSame: (before, now) => before.exit === now.exit,
    lasting: ({ place_key, driver_key, entry, entry_point }) => {
      return { place_key, driver_key, entry_timestamp: new Date(entry), entry_point };
    },
    changing: ({ exit, exit_point }) => {
      const exit_timestamp = exit === null ? null : new Date(exit);
      return { exit_timestamp, exit_point, until: exit_timestamp ?? OPEN_END };
    },
  });
}

/** Removes visits of a device that an earlier holder of its lease has not shown. */
export async function removeStagedStays(recorder: Recorder): Promise<void> {
  await removeStagedRecords(VisitStore, recorder);
}

function keyOf(recorder: Recorder, { place_key, entry }: Stay): string {
  const { vehicle_key, device_key } = ofDevice(recorder);
  return derivedKey([vehicle_key, device_key, place_key, entry]);
}

function asStay(visit: StoredVisit): StoredStay {
  const { key, place_key, driver_key, entry_timestamp, exit_timestamp, entry_point, exit_point } = visit;
  const exit = exit_timestamp?.getTime() ?? null;
  return { key, place_key, driver_key, entry: entry_timestamp.getTime(), exit, entry_point, exit_point };
}
