import { mergeTripPoints, placedPoints, pointsBetween, type TripPoints } from '../../models/trips/trip-points.ts';
import { loadMinutes, type Recorder } from '../../models/trips/device-minute.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import type { StoredTrip } from '../../models/trips/trip.ts';
import { SETTLED_LIMITS } from '../../models/trips/trip-limits.ts';
import { loadTail } from '../../models/vehicles/device-tail.ts';
import { loadPointsOfTrips } from '../../models/trips/trip-points-bucket.ts';

import { cutRecording, type RecordedPiece } from './cut-recording.ts';
import { knownTrip, type KnownTrip, tripAfter, tripsAsNow, tripsWithin } from './recorded-trips.ts';

type PossiblyOpenTrip = Parameters<typeof knownTrip>[0] & Pick<StoredTrip, 'device_key' | 'vehicle_key'>;

/** The positions so far of each open trip among trips of one vehicle, by key. */
export async function loadOpenTripPoints(
  records: AccessScope,
  trips: readonly PossiblyOpenTrip[],
): Promise<ReadonlyMap<string, TripPoints>> {
  const found = new Map<string, TripPoints>();
  for (const trip of trips) {
    const [known] = knownTrip(trip);
    const { key, device_key, vehicle_key } = trip;
    if (!known?.recording.open || device_key === null) continue;
    const recorder = { accessScope: { ...records, vehicle_key }, device_key, epoch: known.epoch };
    found.set(key, await openTripPoints(recorder, known));
  }
  return found;
}

/**
 * A trip of a recording, given the positions of its device from its beginning on. One that an older program cut, and that would
 * be none today, is as it was stored.
 */
export function pieceOfTrip({ start, recording }: KnownTrip, points: TripPoints): RecordedPiece {
  const [piece] = cutRecording(points, recording.limits ?? SETTLED_LIMITS).pieces;
  if (piece?.points.time[0] === start) return piece;
  const until = recording.open ? Infinity : (recording.packed_until?.getTime() ?? Infinity);
  const stored = placedPoints(pointsBetween(points, start, until + 1));
  return { ...recording, limits: recording.limits ?? null, points: stored };
}

/** The trips of a recording, given all positions of its device from the first of them on. */
export function piecesOfTrips(trips: readonly KnownTrip[], points: TripPoints): RecordedPiece[] {
  return trips.map((trip, at) =>
    pieceOfTrip(trip, pointsBetween(points, trip.start, trips[at + 1]?.start ?? Infinity)),
  );
}

/** The positions so far of an open trip: those in its buckets, and those in its device's minutes and tail until the next trip. */
async function openTripPoints(recorder: Recorder, trip: KnownTrip): Promise<TripPoints> {
  // The tail is read before the minutes: positions that move there meanwhile are seen twice, not lost.
  const [next, tail] = await Promise.all([tripAfter(recorder, trip.start), loadTail(recorder)]);
  const until = next?.start ?? Infinity;
  const { all } = await recordedPoints(recorder, [trip], trip.start, until, false);
  const withTail = mergeTripPoints([all, pointsBetween(tail, trip.start, until)]);
  return pieceOfTrip(trip, withTail).points;
}

/**
 * Reads all positions of a device in `[from, until)`, in the order of their times, given the trips that have some in
 * buckets; those in minutes, and these as they were read. Minutes are read first: positions that move to buckets
 * meanwhile are seen twice, not lost. Without the lease, the trips are then read again: others may have packed them.
 */
export async function recordedPoints(
  recorder: Recorder,
  trips: readonly KnownTrip[],
  from: number,
  until: number,
  isLeased = true,
) {
  const minutes = await loadMinutes(recorder, from, until);
  const inMinutes = pointsBetween(mergeTripPoints(minutes.map(({ points }) => points)), from, until);
  const now = isLeased ? trips : await tripsAsNow(recorder, trips);
  const packed = now.filter(({ recording }) => recording.packed_until !== null);
  const inBuckets = await loadPointsOfTrips(recorder.accessScope, packed);
  return { all: pointsBetween(mergeTripPoints([inBuckets, inMinutes]), from, until), inMinutes, minutes };
}

/** All positions of a device in `[from, until)`, in the order of their times, for readers. */
export async function devicePoints(recorder: Recorder, from: number, until: number): Promise<TripPoints> {
  // The tail is read before the minutes, and these before buckets: positions that move meanwhile are seen twice, not lost.
  const tail = await loadTail(recorder);
  const trips = await tripsWithin(recorder, from, until);
  const { all } = await recordedPoints(recorder, trips, from, until, false);
  return mergeTripPoints([all, pointsBetween(tail, from, until)]);
}
