import { lastMinute, loadMinutes, type Recorder } from '../../models/device-minute.ts';
import { mergeTripPoints, pointsBetween } from '../../models/merge-trip-points.ts';
import { type Sight, sightOfVehicle } from '../../models/tenancy.ts';
import { pickTripPoints, type TripPoints } from '../../models/trip-points.ts';
import { loadTripPoints, unpackTrip } from '../../models/trip-points-bucket.ts';
import type { IngestResult } from '../../schema/ingest-result.ts';
import { DISCONNECTED_AFTER_MS } from '../device-presence.ts';
import { beginsTrip } from '../trip-boundary.ts';

import { addToMinutes } from './change-minutes.ts';
import { IGNITION_OFF } from './cut-recording.ts';
import { careFor } from './device-care.ts';
import { reopenTrip } from './open-trip.ts';
import { rearrange } from './rearrange.ts';
import { engineAtEnd, type KnownTrip, tripAfter, tripsAround } from './recorded-trips.ts';

/** Positions farther apart than this are recorded one group after the other, each with the trips around it. */
const GROUP_GAP_MS = 6 * 3_600_000;

/** The device whose positions are recorded, in the vehicle that it is in. */
export interface RecordingDevice {
  readonly key: string;
  readonly account_key: string;
  readonly vehicle_key: string;
}

/**
 * Records positions of a device and makes its trips what follows of them. Positions of one time are one position.
 *
 * @param points in any order, times may repeat
 * @returns once all of it is safe: how many of the positions were new, and how many were known or repeated
 */
export async function recordPoints(device: RecordingDevice, points: TripPoints): Promise<IngestResult> {
  const sight: Sight = { account_key: device.account_key, group_keys: null };
  const recorder = recorderOf(device);
  const accepted = await careFor(device, { sight }, async (isUnfinished) => {
    if (isUnfinished) await rearrangeAll(recorder);
    let fresh = 0;
    for (const group of groupsOf(mergeTripPoints([points]))) fresh += await recordGroup(recorder, group);
    return { result: fresh, isHeard: true, dueIn: DISCONNECTED_AFTER_MS };
  });
  return { accepted: accepted ?? 0, duplicates: points.length - (accepted ?? 0) };
}

/** Whose minutes and trips the positions of a device are. */
export function recorderOf({ key, account_key, vehicle_key }: RecordingDevice): Recorder {
  const sight = { ...sightOfVehicle({ account_key, group_keys: null }, { key: vehicle_key }), vehicle_key };
  return { sight, device_key: key };
}

/** Completes what a fault or a kill has interrupted: whatever it concerned is still in the minutes. */
export async function rearrangeAll(recorder: Recorder): Promise<void> {
  const minutes = await loadMinutes(recorder, -Infinity, Infinity);
  for (const group of groupsOf(mergeTripPoints(minutes.map(({ points }) => points)))) {
    await rearrange(recorder, ...spanOf(group));
  }
}

async function recordGroup(recorder: Recorder, points: TripPoints): Promise<number> {
  const [from, until] = spanOf(points);
  const around = await tripsAround(recorder, from, until);
  const next = await tripAfter(recorder, until);
  const packed = await packedPoints(recorder, around, points);
  const known = await tailsOf(recorder, around, next);
  const { fresh, amended } = await addToMinutes(recorder, points, packed);
  if (fresh.length + amended.length === 0) return 0;
  const growing = amended.length === 0 ? growingTrips(fresh, known, next) : null;
  if (growing === null) {
    await rearrange(recorder, ...spanOf(mergeTripPoints([fresh, amended])));
  } else {
    for (const { key, recording } of growing) if (!recording.open) await reopenTrip(recorder, key);
  }
  return fresh.length;
}

/** Positions in buckets of the trips in which some of the given ones may lie. */
async function packedPoints(recorder: Recorder, trips: readonly KnownTrip[], points: TripPoints): Promise<TripPoints> {
  const mayHold = trips.filter(({ start, recording }) => {
    const end = recording.packed_until?.getTime();
    return end !== undefined && points.time.some((time) => time >= start && time <= end);
  });
  const packed = await loadTripPoints(
    recorder.sight,
    mayHold.map(({ key }) => key),
  );
  return mergeTripPoints([...packed.values()].map(unpackTrip));
}

/** A trip and where it stands: its last position, and whether the vehicle was seen parked after it. */
interface Tail {
  readonly trip: KnownTrip;
  readonly last: number;
  readonly isParked: boolean;
}

async function tailsOf(recorder: Recorder, trips: readonly KnownTrip[], next: KnownTrip | null): Promise<Tail[]> {
  const tails: Tail[] = [];
  for (const [at, trip] of trips.entries()) {
    const until = (trips[at + 1] ?? next)?.start ?? Infinity;
    const minute = await lastMinute(recorder, trip.start, until);
    const tail = minute && pointsBetween(minute.points, trip.start, until);
    tails.push({
      trip,
      last: Math.max(trip.recording.packed_until?.getTime() ?? trip.start, tail?.time[tail.length - 1] ?? -Infinity),
      isParked: [...(tail?.events.values() ?? [])].some((events) => events.includes(IGNITION_OFF)),
    });
  }
  return tails;
}

/**
 * The trips that grow by new positions and keep their beginning and end marks, so that nothing needs to be cut anew; null
 * where it does. Nearly all positions are of this kind: the next one of the trip under way, or one that came late.
 */
function growingTrips(fresh: TripPoints, tails: readonly Tail[], next: KnownTrip | null): Set<KnownTrip> | null {
  if ([...fresh.events.values()].some((events) => events.some(isMark))) return null;
  const growing = new Set<KnownTrip>();
  const lasts = new Map(tails.map(({ trip, last }) => [trip, last]));
  for (const time of fresh.time) {
    const at = tails.findLastIndex(({ trip }) => trip.start <= time);
    const tail = tails[at];
    if (!tail) return null;
    const { trip, isParked } = tail;
    const { recording } = trip;
    growing.add(trip);
    if (recording.packed_until !== null && time <= recording.packed_until.getTime()) continue;
    const last = lasts.get(trip) ?? tail.last;
    if (isParked) return null;
    if (time <= last) continue;
    const follower = tails[at + 1]?.trip ?? next;
    if (beginsTrip({ time: last, events: [] }, engineAtEnd(recording), { time, events: [] })) return null;
    if (follower && !isApart(time, trip, follower)) return null;
    lasts.set(trip, time);
  }
  return growing;
}

/** Whether a trip that now ends at an instant leaves the next one a trip of its own. */
function isApart(time: number, { recording }: KnownTrip, follower: KnownTrip): boolean {
  const events = follower.recording.engine_started ? ['engine_start'] : [];
  return beginsTrip({ time, events: [] }, engineAtEnd(recording), { time: follower.start, events });
}

function isMark(event: string): boolean {
  return event === 'engine_start' || event === 'engine_stop' || event === IGNITION_OFF;
}

/** Positions in the order of their times, parted where hours lie between them. */
function groupsOf(points: TripPoints): TripPoints[] {
  const groups: number[][] = [];
  for (let at = 0; at < points.length; at++) {
    const isApartFromLast = (points.time[at] ?? 0) - (points.time[at - 1] ?? -Infinity) > GROUP_GAP_MS;
    if (isApartFromLast) groups.push([]);
    groups.at(-1)?.push(at);
  }
  return groups.map((places) => pickTripPoints(points, places));
}

function spanOf({ time, length }: TripPoints): readonly [first: number, last: number] {
  return [time[0] ?? 0, time[length - 1] ?? 0];
}
