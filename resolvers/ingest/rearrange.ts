import { loadMinutes, type Recorder } from '../../models/device-minute.ts';
import { newKey } from '../../models/key.ts';
import { mergeTripPoints, pointsBetween } from '../../models/merge-trip-points.ts';
import { TripModel } from '../../models/trip.ts';
import type { TripPoints } from '../../models/trip-points.ts';
import { emptyTripPoints } from '../../models/trip-points.ts';
import { loadTripPoints, TripPointsBucketModel, unpackTrip } from '../../models/trip-points-bucket.ts';
import { beginsTrip } from '../trip-boundary.ts';

import { addToMinutes } from './change-minutes.ts';
import { closeTrip } from './close-trip.ts';
import { type CutRecording, cutRecording, type RecordedPiece } from './cut-recording.ts';
import { addOpenTrip, openTripAt } from './open-trip.ts';
import { recordedPoints } from './open-trip-points.ts';
import { engineAtEnd, type KnownTrip, tripAfter, tripsAround } from './recorded-trips.ts';

/** A stretch of a recording in which trips may have to be cut anew: the trips there, and what follows. */
interface Stretch {
  readonly trips: readonly KnownTrip[];
  readonly cut: CutRecording;
  /** The first trip after it, which stays as it is. */
  readonly next: KnownTrip | null;
}

/**
 * Cuts the recording of a device anew where positions came between two instants, and makes its trips what the outcome
 * says. Trips that the positions do not concern stay as they are; a trip keeps its key while its first position is in it.
 *
 * Each step leaves every position in the minutes, or in the buckets of a trip that is there, so that it may be done again
 * from the beginning after a kill.
 */
export async function rearrange(recorder: Recorder, from: number, until: number): Promise<void> {
  const { trips, cut, next } = await stretchAround(recorder, from, until);
  const unused = new Set(trips);
  const changes: { readonly piece: RecordedPiece; readonly trip: KnownTrip | null; readonly isLast: boolean }[] = [];
  for (const [at, piece] of cut.pieces.entries()) {
    const [start, end] = spanOf(piece.points);
    const trip = [...unused].find((known) => known.start >= start && known.start <= end) ?? null;
    if (trip) unused.delete(trip);
    if (trip && (await isAsStored(recorder, trip, piece))) continue;
    changes.push({ piece, trip, isLast: at === cut.pieces.length - 1 && next === null });
  }

  const shrunk = changes.flatMap(({ piece, trip }) =>
    trip && (trip.recording.packed_until?.getTime() ?? -Infinity) > spanOf(piece.points)[1] ? [trip] : [],
  );
  for (const trip of [...unused, ...shrunk]) await unpackIntoMinutes(recorder, trip);
  const open: { readonly key: string; readonly piece: RecordedPiece; readonly isLast: boolean }[] = [];
  for (const { piece, trip, isLast } of changes) {
    const key = trip?.key ?? newKey();
    if (trip) await openTripAt(recorder, trip, piece);
    else await addOpenTrip(recorder, key, piece);
    open.push({ key, piece, isLast });
  }
  for (const trip of unused) await removeTrip(recorder, trip);
  for (const { key, piece, isLast } of open) {
    if (!isLast || piece.engine_stopped) await closeTrip(recorder, key, piece);
  }
}

/** Loads the trips that positions between two instants may concern: one more until what follows begins a trip anyway. */
async function stretchAround(recorder: Recorder, from: number, until: number): Promise<Stretch> {
  const around = await tripsAround(recorder, from, until);
  const trips = around.filter((trip) => !isOver(trip, from));
  let next = await tripAfter(recorder, until);
  for (;;) {
    const begin = Math.min(from, trips[0]?.start ?? from);
    const points = await recordedPoints(recorder, trips, begin, next?.start ?? Infinity);
    const cut = cutRecording(points);
    if (!next || isOwnTrip(next, cut)) return { trips, cut, next };
    trips.push(next);
    next = await tripAfter(recorder, next.start);
  }
}

/** Whether a trip is closed and nothing from an instant on can belong to it. */
function isOver({ recording }: KnownTrip, instant: number): boolean {
  const { open, packed_until } = recording;
  if (open || packed_until === null || packed_until.getTime() >= instant) return false;
  const end = { time: packed_until.getTime(), events: [] };
  return beginsTrip(end, engineAtEnd(recording), { time: instant, events: [] });
}

function isOwnTrip({ start, recording }: KnownTrip, { engine, last }: CutRecording): boolean {
  const events = recording.engine_started ? ['engine_start'] : [];
  return beginsTrip(last === null ? null : { time: last, events: [] }, engine, { time: start, events });
}

/** Whether a trip is closed and has exactly these positions: no minute has any of them. */
async function isAsStored(
  recorder: Recorder,
  { start, recording }: KnownTrip,
  { points }: RecordedPiece,
): Promise<boolean> {
  const [first, last] = spanOf(points);
  if (recording.open || start !== first || recording.packed_until?.getTime() !== last) return false;
  const minutes = await loadMinutes(recorder, first, last + 1);
  return minutes.every((minute) => pointsBetween(minute.points, first, last + 1).length === 0);
}

/** Puts the positions that a trip has in buckets back into the minutes. */
async function unpackIntoMinutes(recorder: Recorder, trip: KnownTrip): Promise<void> {
  const packed = await loadTripPoints(recorder.sight, [trip.key]);
  const points = mergeTripPoints([...packed.values()].map(unpackTrip));
  if (points.length > 0) await addToMinutes(recorder, points, emptyTripPoints(0));
}

async function removeTrip({ sight }: Recorder, { key }: KnownTrip): Promise<void> {
  await TripModel.deleteOne({ key }).setOptions({ sight });
  const positions = { vehicle_key: sight.vehicle_key, trip_key: key };
  await TripPointsBucketModel.deleteMany(positions).setOptions({ sight });
}

/** The times of the first and the last of some positions. */
export function spanOf({ time, length }: TripPoints): readonly [first: number, last: number] {
  return [time[0] ?? 0, time[length - 1] ?? 0];
}
