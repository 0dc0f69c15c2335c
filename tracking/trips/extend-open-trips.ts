import { pointsBetween, type TripPoints } from '../../models/trips/trip-points.ts';
import { lastMinute, type Recorder } from '../../models/trips/device-minute.ts';
import { beginsTrip } from '../geometry/trip-boundary.ts';

import { IGNITION_OFF, saysIgnitionOff } from './cut-recording.ts';
import { mapInBatches } from '../scheduling/map-in-batches.ts';
import { engineAtEnd, type KnownTrip } from './recorded-trips.ts';

/** The end of a trip so far: its last position, and whether the vehicle was seen parked after it. */
type Tail = Awaited<ReturnType<typeof tailsOf>>[number];

/** Reads the ends of consecutive trips before positions are added: a last position in a minute, or else in a bucket. */
export async function tailsOf(
  recorder: Recorder,
  trips: readonly KnownTrip[],
  next: KnownTrip | null,
  points: TripPoints,
) {
  const spans = trips.map((trip, at) => ({ trip, until: (trips[at + 1] ?? next)?.start ?? Infinity }));
  return mapInBatches(spans, async ({ trip, until }) => {
    const packedUntil = trip.recording.packed_until?.getTime() ?? null;
    const from = packedUntil === null ? trip.start : packedUntil + 1;
    const isConcerned = points.time.some((time) => time >= from && time < until);
    const minute = isConcerned ? await lastMinute(recorder, trip.start, until) : null;
    const tail = minute && pointsBetween(minute.points, trip.start, until);
    return {
      trip,
      last: Math.max(packedUntil ?? trip.start, tail?.time[tail.length - 1] ?? -Infinity),
      isParked: tail !== null && saysIgnitionOff(tail),
    };
  });
}

/** Trips that new positions extend. */
export interface ExtendedTrips {
  readonly trips: ReadonlySet<KnownTrip>;
  /** Time of the very last position, if it is new; null if it is not, or is not known. */
  readonly last: number | null;
}

/** Finds the trips that new positions extend, if all stay separate; null if trips must be cut again. */
export function extendOpenTrips(
  fresh: TripPoints,
  tails: readonly Tail[],
  next: KnownTrip | null,
): ExtendedTrips | null {
  if (hasMarks(fresh)) return null;
  const extended = new Set<KnownTrip>();
  const lasts = new Map(tails.map(({ trip, last }) => [trip, last]));
  for (const time of fresh.time) {
    const at = tails.findLastIndex(({ trip }) => trip.start <= time);
    const tail = tails[at];
    if (!tail) return null;
    const { trip, isParked } = tail;
    const { recording } = trip;
    extended.add(trip);
    if (recording.packed_until !== null && time <= recording.packed_until.getTime()) continue;
    const last = lasts.get(trip) ?? tail.last;
    if (isParked) return null;
    if (time <= last) continue;
    const follower = tails[at + 1]?.trip ?? next;
    if (beginsTrip({ time: last, events: [] }, engineAtEnd(recording), { time, events: [] })) return null;
    if (follower && !isApart(time, trip, follower)) return null;
    lasts.set(trip, time);
  }
  const final = next === null ? tails.at(-1) : undefined;
  const last = final && lasts.get(final.trip);
  return { trips: extended, last: last !== undefined && last !== final?.last ? last : null };
}

/** Returns true if any position reports that an engine started or stopped: that may split a trip. */
export function hasMarks({ events }: TripPoints): boolean {
  return [...events.values()].some((marks) => marks.some(isMark));
}

/** Returns true if a trip that now ends at an instant leaves the next one a separate trip. */
function isApart(time: number, { recording }: KnownTrip, follower: KnownTrip): boolean {
  const events = follower.recording.engine_started ? ['engine_start'] : [];
  return beginsTrip({ time, events: [] }, engineAtEnd(recording), { time: follower.start, events });
}

function isMark(event: string): boolean {
  return event === 'engine_start' || event === 'engine_stop' || event === IGNITION_OFF;
}
