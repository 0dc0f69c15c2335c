import { loadMinutes, type Recorder } from '../../models/device-minute.ts';
import { mergeTripPoints, pointsBetween } from '../../models/merge-trip-points.ts';
import type { Sight } from '../../models/tenancy.ts';
import type { StoredTrip } from '../../models/trip.ts';
import { emptyTripPoints, type TripPoints } from '../../models/trip-points.ts';
import { loadPointsOfTrips } from '../../models/trip-points-bucket.ts';

import { cutRecording } from './cut-recording.ts';
import { type KnownTrip, tripAfter } from './recorded-trips.ts';

/** The positions so far of each open trip among trips of one vehicle, by key. */
export async function loadOpenTripPoints(
  records: Sight,
  trips: readonly StoredTrip[],
): Promise<ReadonlyMap<string, TripPoints>> {
  const found = new Map<string, TripPoints>();
  for (const { key, start_point, device_key, vehicle_key, recording } of trips) {
    if (!recording?.open || device_key === null) continue;
    const recorder = { sight: { ...records, vehicle_key }, device_key };
    found.set(key, await openTripPoints(recorder, { key, start: start_point.timestamp.getTime(), recording }));
  }
  return found;
}

/** The positions so far of an open trip: those in its buckets, and those in its device's minutes until the next trip. */
export async function openTripPoints(recorder: Recorder, trip: KnownTrip): Promise<TripPoints> {
  const next = await tripAfter(recorder, trip.start);
  const { all } = await recordedPoints(recorder, [trip], trip.start, next?.start ?? Infinity);
  return cutRecording(all).pieces[0]?.points ?? emptyTripPoints(0);
}

/** Positions of a device, in the order of their times. */
export interface RecordedPoints {
  readonly all: TripPoints;
  /** Of these, the ones that are in minutes. */
  readonly inMinutes: TripPoints;
}

/**
 * All positions of a device in `[from, until)`, given the trips that have some of them in buckets, in the order of their
 * times. Minutes are read first: what is moved from them to buckets meanwhile is seen twice, not lost.
 */
export async function recordedPoints(
  recorder: Recorder,
  trips: readonly KnownTrip[],
  from: number,
  until: number,
): Promise<RecordedPoints> {
  const minutes = await loadMinutes(recorder, from, until);
  const inMinutes = pointsBetween(mergeTripPoints(minutes.map(({ points }) => points)), from, until);
  const keys = trips.filter(({ recording }) => recording.packed_until !== null).map(({ key }) => key);
  const inBuckets = await loadPointsOfTrips(recorder.sight, keys);
  return { all: pointsBetween(mergeTripPoints([inBuckets, inMinutes]), from, until), inMinutes };
}
