import type { Recorder } from '../../models/trips/device-minute.ts';
import { leaseLost } from '../../models/trips/lease-lost.ts';
import type { TripLimits } from '../../models/trips/trip-limits.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { type StoredTrip, TripStore, type TripRecording } from '../../models/trips/trip.ts';

/** A device in a vehicle, for the holder of the device's lease. */
export interface LeasedRecorder extends Recorder {
  /** Limits by which its trips begin and end. */
  readonly limits: () => Promise<TripLimits>;
  /**
   * Confirms the lease. Every later holder sees what was written before, and takes over the trips that it concerns:
   * later changes of these under this lease are rejected.
   *
   * @throws ServiceError SERVICE_UNAVAILABLE if it is gone
   */
  confirm(): Promise<void>;
}

/** A trip as its device's recording knows it. */
export interface KnownTrip {
  readonly key: string;
  /** Time of its first position. */
  readonly start: number;
  /** Its first position. */
  readonly point: GeoPoint | null;
  readonly recording: TripRecording;
  readonly pack: number | null;
  /** The user who drove; null if unknown. */
  readonly user_key: string | null;
  /** The epoch of the lease under which it was last read or changed. */
  readonly epoch: number;
}

/** The trips of a device that start in `[from, until]`, and the last one before these, in order. */
export function tripsAround(recorder: LeasedRecorder, from: number, until: number): Promise<KnownTrip[]> {
  return findAround(from, until, (...query) => findStamped(recorder, () => find(recorder, ...query)));
}

/** The last trip of a device that starts before an instant, if there is one. */
export function tripsBefore(recorder: LeasedRecorder, instant: number): Promise<KnownTrip[]> {
  return findStamped(recorder, () => find(recorder, { $lt: new Date(instant) }, -1, 1));
}

/** The same trips as {@link tripsAround}, for readers. */
export function tripsWithin(recorder: Recorder, from: number, until: number): Promise<KnownTrip[]> {
  return findAround(from, until, (...query) => find(recorder, ...query));
}

type TripQuery = readonly [start: TimeFilter, direction: 1 | -1, limit: number];

async function findAround(from: number, until: number, read: (...query: TripQuery) => Promise<KnownTrip[]>) {
  const [before, within] = await Promise.all([
    read({ $lt: new Date(from) }, -1, 1),
    read({ $gte: new Date(from), $lte: new Date(until) }, 1, 0),
  ]);
  return [...before, ...within];
}

/** The first trip of a device that starts after an instant, for the code that cuts its trips. */
export async function nextTrip(recorder: LeasedRecorder, instant: number): Promise<KnownTrip | null> {
  const [next] = await findStamped(recorder, () => find(recorder, { $gt: new Date(instant) }, 1, 1));
  return next ?? null;
}

/** The first trip of a device that starts after an instant, for readers. */
export async function tripAfter(recorder: Recorder, instant: number): Promise<KnownTrip | null> {
  const [next] = await find(recorder, { $gt: new Date(instant) }, 1, 1);
  return next ?? null;
}

/** Reads trips again; deleted ones are returned as they were. */
export async function tripsAsNow({ accessScope }: Recorder, trips: readonly KnownTrip[]): Promise<KnownTrip[]> {
  const those = { vehicle_key: accessScope.vehicle_key, key: { $in: trips.map(({ key }) => key) } };
  const found = (await TripStore.find(accessScope, those, KNOWN_FIELDS)).flatMap(knownTrip);
  return trips.map((trip) => found.find(({ key }) => key === trip.key) ?? trip);
}

/** Counts the positions of a device's trips that start in `[from, until]`, in order: of `max` + 1 trips at most. */
export async function sizesWithin(
  recorder: Recorder,
  from: number,
  until: number,
  max: number,
): Promise<{ readonly start: number; readonly count: number }[]> {
  const trips = await query(recorder, { $gte: new Date(from), $lte: new Date(until) }, 'start_point point_count')
    .sort({ 'start_point.timestamp': 1 })
    .limit(max + 1);
  return trips.map(({ start_point, point_count }) => ({ start: start_point.timestamp.getTime(), count: point_count }));
}

/** Open trips of a device, up to a maximum number. */
export function openTrips(recorder: LeasedRecorder, max: number): Promise<KnownTrip[]> {
  const { accessScope, device_key } = recorder;
  const filter = { device_key, vehicle_key: accessScope.vehicle_key, 'recording.open': true };
  return findStamped(recorder, async () =>
    (await TripStore.find(accessScope, filter, KNOWN_FIELDS).limit(max)).flatMap(knownTrip),
  );
}

/** Takes over all open trips of a device from earlier holders of its lease: later writes of these are rejected. */
export async function stampOpenTrips({ accessScope, device_key, epoch }: LeasedRecorder): Promise<void> {
  const older = { ...notOf(epoch), device_key, vehicle_key: accessScope.vehicle_key, 'recording.open': true };
  await TripStore.updateMany(accessScope, older, { epoch });
}

/**
 * Changes trips of a device, if the fields in `asRead` are unchanged since they were read.
 * @throws ServiceError SERVICE_UNAVAILABLE if one was removed, or read by a later holder of the lease
 */
export async function changeTrips(
  { accessScope, epoch }: LeasedRecorder,
  keys: readonly string[],
  change: Record<string, unknown>,
  asRead: Partial<Pick<StoredTrip, 'pack'>> = {},
): Promise<void> {
  const those = { ...upTo(epoch), ...asRead, vehicle_key: accessScope.vehicle_key, key: { $in: keys } };
  const { matchedCount } = await TripStore.updateMany(accessScope, those, { ...change, epoch });
  if (matchedCount < keys.length) throw leaseLost();
}

/** The condition under which a holder of the lease changes a trip: no later one has read it. */
export function upTo(epoch: number) {
  return { epoch: { $not: { $gt: epoch } } };
}

/** A trip as it is read from the database, as its device's recording knows it; undefined if no device recorded it. */
export function knownTrip({ key, start_point, recording, pack, user_key = null, epoch }: KnownFields): KnownTrip[] {
  if (!recording) return [];
  return [{ key, start: start_point.timestamp.getTime(), point: start_point.point, recording, pack, user_key, epoch }];
}

type TimeFilter = Readonly<Partial<Record<'$lt' | '$gt' | '$gte' | '$lte', Date>>>;

const KNOWN_FIELDS = 'key start_point recording pack user_key epoch';
/** Readers of positions do not need the driver. */
type KnownFields = Pick<StoredTrip, 'key' | 'start_point' | 'recording' | 'pack' | 'epoch'> &
  Partial<Pick<StoredTrip, 'user_key'>>;

/** Reads trips, and takes over those last read by an earlier holder of the lease. */
async function findStamped(
  { accessScope, epoch }: LeasedRecorder,
  read: () => Promise<KnownTrip[]>,
): Promise<KnownTrip[]> {
  for (;;) {
    const trips = await read();
    if (trips.some((trip) => trip.epoch > epoch)) throw leaseLost();
    const older = trips.filter((trip) => trip.epoch < epoch).map(({ key }) => key);
    if (older.length === 0) return trips;
    const those = { ...notOf(epoch), vehicle_key: accessScope.vehicle_key, key: { $in: older } };
    await TripStore.updateMany(accessScope, those, { epoch });
  }
}

function notOf(epoch: number) {
  return { epoch: { $not: { $gte: epoch } } };
}

async function find(recorder: Recorder, start: TimeFilter, direction: 1 | -1, limit: number): Promise<KnownTrip[]> {
  const trips = query(recorder, start, KNOWN_FIELDS).sort({ 'start_point.timestamp': direction }).limit(limit);
  return (await trips).flatMap(knownTrip);
}

function query({ accessScope, device_key }: Recorder, start: TimeFilter, fields: string) {
  const { vehicle_key } = accessScope;
  const filter = { vehicle_key, device_key, 'start_point.timestamp': start, recording: { $ne: null }, staged: false };
  return TripStore.find(accessScope, filter, fields);
}
