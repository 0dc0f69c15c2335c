import { loadMinutes, minuteOf, type Recorder, type StoredMinute, writeMinute } from '../../models/device-minute.ts';
import { mergeTripPoints, pointsBetween } from '../../models/merge-trip-points.ts';
import { emptyTripPoints, pickTripPoints, type TripPoints } from '../../models/trip-points.ts';

/** Minutes that are written at a time, so that the database takes them in few turns. */
const AT_A_TIME = 64;
/** A minute that others keep writing is given up after so many attempts. */
const MOST_ATTEMPTS = 20;

/** What adding positions to minutes changed. */
export interface Added {
  /** Positions of times that were not known. */
  readonly fresh: TripPoints;
  /** Positions of known times that told of events which were not known. */
  readonly amended: TripPoints;
}

/**
 * Adds positions, in the order of their times, to the minutes of a device; each time is kept once. A minute is written by
 * revision, so that of two who write at once neither undoes the other.
 *
 * @param packed positions of these times that are in the buckets of trips already
 */
export async function addToMinutes(recorder: Recorder, points: TripPoints, packed: TripPoints): Promise<Added> {
  const groups = byMinute(points);
  const [first, last] = [points.time[0] ?? 0, points.time[points.length - 1] ?? 0];
  const stored = new Map((await loadMinutes(recorder, first, last + 1)).map((minute) => [minute.minute, minute]));
  const added = await inTurns([...groups], ([minute, group]) =>
    addToMinute(recorder, stored.get(minute) ?? noMinute(minute), group, packed),
  );
  return {
    fresh: mergeTripPoints(added.map(({ fresh }) => fresh)),
    amended: mergeTripPoints(added.map(({ amended }) => amended)),
  };
}

/** Takes positions out of the minutes of a device, by their times. */
export async function takeFromMinutes(recorder: Recorder, points: TripPoints): Promise<void> {
  const times = new Set(points.time);
  const minutes = await loadMinutes(recorder, points.time[0] ?? 0, (points.time[points.length - 1] ?? 0) + 1);
  await inTurns(minutes, async (minute) => {
    const left = placesWhere(minute.points, (at) => !times.has(minute.points.time[at] ?? 0));
    if (left.length < minute.points.length) await writeMinute(recorder, minute, pickTripPoints(minute.points, left));
  });
}

async function addToMinute(
  recorder: Recorder,
  stored: StoredMinute,
  points: TripPoints,
  packed: TripPoints,
): Promise<Added> {
  let read = stored;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const added = compare(points, mergeTripPoints([packed, read.points]));
    const { fresh, amended } = added;
    if (fresh.length + amended.length === 0) return added;
    if (await writeMinute(recorder, read, mergeTripPoints([read.points, fresh, amended]))) return added;
    const [now] = await loadMinutes(recorder, read.minute, read.minute + 1);
    read = now ?? noMinute(read.minute);
  }
  throw new Error(`Minute ${stored.minute} of device ${recorder.device_key} is written again and again by others`);
}

function compare(points: TripPoints, known: TripPoints): Added {
  const places = new Map([...known.time].map((time, at) => [time, at]));
  const eventsAt = (time: number) => known.events.get(places.get(time) ?? -1) ?? [];
  const isFresh = (at: number) => !places.has(points.time[at] ?? 0);
  const isAmended = (at: number) => {
    const there = eventsAt(points.time[at] ?? 0);
    return !isFresh(at) && (points.events.get(at) ?? []).some((event) => !there.includes(event));
  };
  return {
    fresh: pickTripPoints(points, placesWhere(points, isFresh)),
    amended: pickTripPoints(points, placesWhere(points, isAmended)),
  };
}

function byMinute(points: TripPoints): Map<number, TripPoints> {
  const minutes = new Set([...points.time].map(minuteOf));
  return new Map([...minutes].map((minute) => [minute, pointsBetween(points, minute, minuteOf(minute) + 60_000)]));
}

function noMinute(minute: number): StoredMinute {
  return { minute, revision: 0, points: emptyTripPoints(0) };
}

function placesWhere(points: TripPoints, isMeant: (at: number) => boolean): number[] {
  return Array.from({ length: points.length }, (_, at) => at).filter(isMeant);
}

async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_A_TIME) {
    results.push(...(await Promise.all(items.slice(at, at + AT_A_TIME).map(work))));
  }
  return results;
}
