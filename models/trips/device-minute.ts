import { inParts } from '../grouped-by.ts';
import { insertMissing, insertIfAbsent } from '../store/duplicate-key.ts';
import { leastNumber, numberAfter } from './fenced-number.ts';
import { leaseLost } from './lease-lost.ts';
import { storeOf, type StoredIn } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';
import type { AccessScope } from '../store/tenancy.ts';
import { emptyTripPoints, type TripPoints } from './trip-points.ts';
import { bytesOf } from './trip-points-bytes.ts';
import { packTripPoints, unpackTripPoints } from './trip-points-codec.ts';

/** Span of time whose positions are in one document, in milliseconds: each document takes some 450 bytes beside its positions. */
const HOUR_MS = 3_600_000;
/** The same if the document of the hour is full, and in data of earlier programs. */
const MINUTE_MS = 60_000;
/** Positions with which the document of an hour is full: each write writes all of them. A position a second is 3,600. */
const FULL_LENGTH = 10_000;

/**
 * Positions that devices sent, while they are in no closed trip: one document per hour, or per minute if there are many, found by
 * vehicle, device and the instant at which it begins. All are called minutes, as in earlier programs, which stored no others.
 */
export const DeviceMinuteStore = storeOf('DeviceMinute', {
  collection: 'device_minutes',
  tenancy: 'vehicle',
  shardKey: { vehicle_key: 1, device_key: 1, minute: 1 },
  hidden: {
    account_key: required(String),
    vehicle_key: required(String),
    device_key: required(String),
    /** When it begins, in milliseconds since 1970 (UTC). */
    minute: required(Number),
    /** Revision, counted from the epoch of the writer's lease: a writer must have read the latest. */
    revision: required(Number),
    /** When it was last changed. */
    written: required(Date),
    packed: required(Buffer),
  },
  indexes: [[{ vehicle_key: 1, device_key: 1, minute: 1 }, { unique: true }]],
});

type DeviceMinute = StoredIn<typeof DeviceMinuteStore>;

/** A device in a vehicle, whose minutes are read or written. */
export interface Recorder {
  /** The access scope of the vehicle. */
  readonly accessScope: AccessScope & { readonly vehicle_key: string };
  readonly device_key: string;
  /**
   * The epoch of the lease under which its minutes are read. Minutes of an earlier one were written by a worker that no
   * longer held the lease, and were not acknowledged: they are not read, and may be overwritten.
   */
  readonly epoch: number;
}

/** The condition of the minutes and records of a device in its vehicle. */
export function ofDevice({ accessScope, device_key }: Pick<Recorder, 'accessScope' | 'device_key'>) {
  return { vehicle_key: accessScope.vehicle_key, device_key };
}

/** A minute as it was read. */
export interface StoredMinute {
  readonly minute: number;
  /** 0 if there is none yet. */
  readonly revision: number;
  readonly points: TripPoints;
}

/** Maximum number of minutes in one command: a thousand positions may be in as many, of as many hours. */
const AT_ONCE = 2000;

/** The beginning of the hour that contains an instant. */
export function hourOf(instant: number): number {
  return Math.floor(instant / HOUR_MS) * HOUR_MS;
}

/** The first instant of which no minute that begins in the same hour has positions. */
export function endOfMinute(minute: number): number {
  return hourOf(minute) + HOUR_MS;
}

/** The minute that a position is in, or is to be in, given those of {@link loadMinutesOf}: each time is in one of them. */
export function minuteOf(instant: number, stored: ReadonlyMap<number, StoredMinute>): number {
  const [hour, minute] = startsOf(instant);
  const inHour = stored.get(hour)?.points;
  const isApart = (inHour?.length ?? 0) >= FULL_LENGTH || (stored.get(minute)?.points.length ?? 0) > 0;
  return isApart && !inHour?.time.includes(instant) ? minute : hour;
}

function startsOf(instant: number): [hour: number, minute: number] {
  return [hourOf(instant), Math.floor(instant / MINUTE_MS) * MINUTE_MS];
}

/** The minutes with positions in `[from, until)`, in order; the first and the last may reach beyond. */
export async function loadMinutes(recorder: Recorder, from: number, until: number): Promise<StoredMinute[]> {
  const { accessScope } = recorder;
  const found = DeviceMinuteStore.find(accessScope, currentBetween(recorder, hourOf(from), until));
  return (await found.sort({ minute: 1 })).map(asRead);
}

/** Number of minutes that {@link firstMinutes} reads. */
const FIRST_AT_ONCE = 100;

/** The first minutes of a device that begin at an instant or later, and the instant from which others follow; null if none do. */
export async function firstMinutes(recorder: Recorder, from: number) {
  const found = DeviceMinuteStore.find(recorder.accessScope, currentBetween(recorder, from, Infinity));
  const minutes = (await found.sort({ minute: 1 }).limit(FIRST_AT_ONCE)).map(asRead);
  const last = minutes.length < FIRST_AT_ONCE ? undefined : minutes.at(-1);
  return { minutes, next: last ? last.minute + 1 : null };
}

/** Time for which a worker may write minutes before it makes trips of them, in milliseconds. */
const WORK_MS = 3_600_000;

/** The minutes of a device that were written last: an interrupted worker left its positions in these. */
export async function loadLastWritten(recorder: Recorder): Promise<StoredMinute[]> {
  const all = currentBetween(recorder, -Infinity, Infinity);
  const found = await DeviceMinuteStore.find(recorder.accessScope, all, 'minute written');
  const last = found.reduce((latest, { written }) => Math.max(latest, written.getTime()), -Infinity);
  const latest = found.filter(({ written }) => written.getTime() > last - WORK_MS).map(({ minute }) => minute);
  return loadMinutesAt(recorder, latest);
}

/** The existing minutes in which positions of some instants are, or are to be, as {@link loadMinutesAt} reads them. */
export function loadMinutesOf(recorder: Recorder, instants: Iterable<number>): Promise<StoredMinute[]> {
  return loadMinutesAt(recorder, [...new Set([...instants].flatMap(startsOf))]);
}

/** The existing ones of the given minutes; those of an earlier epoch are read without positions, to be overwritten. */
export async function loadMinutesAt(recorder: Recorder, minutes: readonly number[]): Promise<StoredMinute[]> {
  const { accessScope } = recorder;
  const least = leastNumber(recorder.epoch);
  const found: StoredMinute[] = [];
  for (const some of inParts(minutes, AT_ONCE)) {
    const filter = { ...ofDevice(recorder), minute: { $in: some } };
    found.push(...(await DeviceMinuteStore.find(accessScope, filter)).map(asRead));
  }
  return found.map((read) => (read.revision < least ? { ...read, points: emptyTripPoints(0) } : read));
}

/**
 * Writes a minute, of at least one point, in place of the one that was read; false if it was written since: read
 * again.
 * @throws ServiceError SERVICE_UNAVAILABLE if a later holder of the lease has written it
 */
export async function writeMinute(recorder: Recorder, read: StoredMinute, points: TripPoints): Promise<boolean> {
  const { accessScope, epoch } = recorder;
  const { minute, revision } = read;
  if (revision === 0) {
    return insertIfAbsent(() => DeviceMinuteStore.create(accessScope, firstRevision(recorder, { minute, points })));
  }
  rejectLaterEpochs(recorder, [read]);
  const change = { ...written(points), revision: numberAfter(revision, epoch) };
  const write = DeviceMinuteStore.updateOne(accessScope, { ...ofDevice(recorder), minute, revision }, change);
  return (await write).matchedCount > 0;
}

/** Writes minutes that had no positions when they were read; returns those that another writer has written since. */
export async function insertMinutes(recorder: Recorder, minutes: readonly Omit<StoredMinute, 'revision'>[]) {
  const refused = new Set<number>();
  for (const some of inParts(minutes, AT_ONCE)) {
    const documents = some.map((minute) => firstRevision(recorder, minute));
    const insert = () => DeviceMinuteStore.insertMany(recorder.accessScope, documents, { ordered: false, lean: true });
    for (const at of await insertMissing(insert)) refused.add(some[at]?.minute ?? Number.NaN);
  }
  return refused;
}

/**
 * Removes minutes as they were read.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE if one was written since; it is kept
 */
export async function removeMinutes(recorder: Recorder, read: readonly StoredMinute[]): Promise<void> {
  rejectLaterEpochs(recorder, read);
  const { accessScope } = recorder;
  for (const revision of new Set(read.map((minute) => minute.revision))) {
    const minutes = read.filter((minute) => minute.revision === revision).map(({ minute }) => minute);
    for (const some of inParts(minutes, AT_ONCE)) {
      const those = { ...ofDevice(recorder), minute: { $in: some }, revision };
      const { deletedCount } = await DeviceMinuteStore.deleteMany(accessScope, those);
      if (deletedCount < some.length) throw leaseLost();
    }
  }
}

/** Takes over a device's minutes from earlier holders of its lease: their writes to minutes that they read are rejected. */
export async function stampMinutes(recorder: Recorder): Promise<void> {
  const { accessScope, epoch } = recorder;
  const older = { ...ofDevice(recorder), revision: { $lt: leastNumber(epoch) } };
  await DeviceMinuteStore.updateMany(accessScope, older, { revision: numberAfter(0, epoch) });
}

function rejectLaterEpochs({ epoch }: Recorder, read: readonly StoredMinute[]): void {
  if (read.some(({ revision }) => revision >= leastNumber(epoch + 1))) throw leaseLost();
}

/** The filter of the minutes that begin in `[from, until)`, of no earlier epoch. */
function currentBetween(recorder: Recorder, from: number, until: number) {
  const minute = { $gte: from, $lt: until };
  return { ...ofDevice(recorder), minute, revision: { $gte: leastNumber(recorder.epoch) } };
}

function firstRevision(recorder: Recorder, { minute, points }: Omit<StoredMinute, 'revision'>) {
  const { account_key } = recorder.accessScope;
  const revision = numberAfter(0, recorder.epoch);
  return { account_key, ...ofDevice(recorder), minute, revision, ...written(points) };
}

function written(points: TripPoints): Pick<DeviceMinute, 'packed' | 'written'> {
  return { packed: packTripPoints(points, 0, points.length), written: new Date() };
}

function asRead({ minute, revision, packed }: Pick<DeviceMinute, 'minute' | 'revision' | 'packed'>): StoredMinute {
  return { minute, revision, points: unpackTripPoints(bytesOf(packed)) };
}

/** Deletes the minutes of a device that workers wrote after they had lost its lease: nobody reads them. */
export async function purgeStaleMinutes(recorder: Recorder): Promise<void> {
  const { accessScope, epoch } = recorder;
  await DeviceMinuteStore.deleteMany(accessScope, { ...ofDevice(recorder), revision: { $lt: leastNumber(epoch) } });
}
