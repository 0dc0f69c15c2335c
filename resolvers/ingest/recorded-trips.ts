import type { Recorder } from '../../models/device-minute.ts';
import { type StoredTrip, TripModel, type TripRecording } from '../../models/trip.ts';
import type { Engine } from '../trip-boundary.ts';

/** A trip as its device's recording knows it. */
export interface KnownTrip {
  readonly key: string;
  /** Time of its first position. */
  readonly start: number;
  readonly recording: TripRecording;
}

/** The trips of a device that start in `[from, until]`, and the last one before these, in order. */
export async function tripsAround(recorder: Recorder, from: number, until: number): Promise<KnownTrip[]> {
  const [before, within] = await Promise.all([
    find(recorder, { $lt: new Date(from) }, -1, 1),
    find(recorder, { $gte: new Date(from), $lte: new Date(until) }, 1, 0),
  ]);
  return [...before, ...within];
}

/** The first trip of a device that starts after an instant. */
export async function tripAfter(recorder: Recorder, instant: number): Promise<KnownTrip | null> {
  const [next] = await find(recorder, { $gt: new Date(instant) }, 1, 1);
  return next ?? null;
}

/**
 * How many positions the trips of a device have that start in `[from, until]`, trip by trip in order.
 *
 * @param most trips that are looked at; one more is answered where there are more
 */
export async function sizesWithin(
  recorder: Recorder,
  from: number,
  until: number,
  most: number,
): Promise<{ readonly start: number; readonly count: number }[]> {
  const trips = await query(recorder, { $gte: new Date(from), $lte: new Date(until) }, 'start_point point_count')
    .sort({ 'start_point.timestamp': 1 })
    .limit(most + 1)
    .lean<Pick<StoredTrip, 'start_point' | 'point_count'>[]>();
  return trips.map(({ start_point, point_count }) => ({ start: start_point.timestamp.getTime(), count: point_count }));
}

/** Open trips of a device, at most so many. */
export async function openTrips({ sight, device_key }: Recorder, most: number): Promise<KnownTrip[]> {
  const filter = { device_key, vehicle_key: sight.vehicle_key, 'recording.open': true };
  return asKnown(await TripModel.find(filter, KNOWN_FIELDS, { sight }).limit(most).lean<KnownFields[]>());
}

/** What is known of the engine at the end of a trip. */
export function engineAtEnd({ engine_started, engine_stopped }: TripRecording): Engine {
  return engine_stopped ? 'off' : engine_started ? 'on' : 'unknown';
}

type TimeFilter = Readonly<Partial<Record<'$lt' | '$gt' | '$gte' | '$lte', Date>>>;

const KNOWN_FIELDS = 'key start_point recording';
type KnownFields = Pick<StoredTrip, 'key' | 'start_point' | 'recording'>;

async function find(recorder: Recorder, start: TimeFilter, direction: 1 | -1, limit: number): Promise<KnownTrip[]> {
  const trips = query(recorder, start, KNOWN_FIELDS).sort({ 'start_point.timestamp': direction }).limit(limit);
  return asKnown(await trips.lean<KnownFields[]>());
}

function asKnown(trips: readonly KnownFields[]): KnownTrip[] {
  return trips.flatMap(({ key, start_point, recording }) =>
    recording ? [{ key, start: start_point.timestamp.getTime(), recording }] : [],
  );
}

function query({ sight, device_key }: Recorder, start: TimeFilter, fields: string) {
  const { vehicle_key } = sight;
  const filter = { vehicle_key, device_key, 'start_point.timestamp': start, recording: { $ne: null }, staged: false };
  return TripModel.find(filter, fields, { sight });
}
