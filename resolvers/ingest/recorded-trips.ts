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

/** What is known of the engine at the end of a trip. */
export function engineAtEnd({ engine_started, engine_stopped }: TripRecording): Engine {
  return engine_stopped ? 'off' : engine_started ? 'on' : 'unknown';
}

type TimeFilter = Readonly<Partial<Record<'$lt' | '$gt' | '$gte' | '$lte', Date>>>;

async function find(
  { sight, device_key }: Recorder,
  start: TimeFilter,
  direction: 1 | -1,
  limit: number,
): Promise<KnownTrip[]> {
  const filter = {
    vehicle_key: sight.vehicle_key,
    device_key,
    'start_point.timestamp': start,
    recording: { $ne: null },
  };
  const trips = await TripModel.find(filter, 'key start_point recording', { sight })
    .sort({ 'start_point.timestamp': direction })
    .limit(limit)
    .lean<Pick<StoredTrip, 'key' | 'start_point' | 'recording'>[]>();
  return trips.flatMap(({ key, start_point, recording }) =>
    recording ? [{ key, start: start_point.timestamp.getTime(), recording }] : [],
  );
}
