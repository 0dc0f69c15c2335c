import { emptyTripPoints, mergeTripPoints, pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import {
  insertMinutes,
  loadMinutesAt,
  loadMinutesOf,
  minuteOf,
  type Recorder,
  removeMinutes,
  type StoredMinute,
  writeMinute,
} from '../../models/trips/device-minute.ts';
import { hasNoPlace } from '../../models/trips/position-marks.ts';
import { READINGS } from '../../models/trips/trip-readings.ts';
import { leaseLost } from '../../models/trips/lease-lost.ts';

import { readingAt } from '../geometry/readings.ts';
import { mapInBatches } from '../scheduling/map-in-batches.ts';

/** Maximum number of attempts to write a minute that others keep writing. */
const MAX_ATTEMPTS = 20;

/** Changes that adding positions to minutes made. */
export interface Added {
  /** Positions with new times. */
  readonly fresh: TripPoints;
  /** Positions with known times, and new events or readings, or with a place if none was known. */
  readonly amended: TripPoints;
  /** Number of positions with known times and another place, which are not stored. */
  readonly elsewhere: number;
}

/**
 * Adds positions, in the order of their times, to the minutes of a device; each time is kept once. A minute is written
 * by revision, so that concurrent writers do not overwrite each other. `packed` are the positions of these times in buckets.
 */
export async function addToMinutes(recorder: Recorder, points: TripPoints, packed: TripPoints): Promise<Added> {
  const stored = new Map((await loadMinutesOf(recorder, points.time)).map((minute) => [minute.minute, minute]));
  const groups = byMinute(points, stored);
  const absent = [...groups].filter(([minute]) => !stored.has(minute));
  const compared = absent.map(([minute, group]) => ({ minute, ...compare(group, packed) }));
  const written = compared.filter(({ fresh, amended }) => fresh.length + amended.length > 0);
  const refused = await insertMinutes(
    recorder,
    written.map(({ minute, fresh, amended }) => ({ minute, points: mergeTripPoints([fresh, amended]) })),
  );
  const again = [...groups].filter(([minute]) => stored.has(minute) || refused.has(minute));
  const changed = await mapInBatches(again, ([minute, group]) =>
    addToMinute(recorder, stored.get(minute) ?? noMinute(minute), group, packed),
  );
  const added = [...compared.filter(({ minute }) => !refused.has(minute)), ...changed];
  return {
    fresh: mergeTripPoints(added.map(({ fresh }) => fresh)),
    amended: mergeTripPoints(added.map(({ amended }) => amended)),
    elsewhere: added.reduce((sum, { elsewhere }) => sum + elsewhere, 0),
  };
}

/**
 * Removes positions from minutes of a device, which were read before the positions were packed.
 * @throws ServiceError SERVICE_UNAVAILABLE if another writer has changed one since; it is kept
 */
export async function takeFromMinutes(
  recorder: Recorder,
  minutes: readonly StoredMinute[],
  taken: readonly TripPoints[],
): Promise<void> {
  const times = new Set(taken.flatMap(({ time }) => [...time]));
  const lefts = minutes.map((minute) => ({
    minute,
    left: placesWhere(minute.points, (at) => !times.has(minute.points.time[at] ?? 0)),
  }));
  const emptied = lefts.filter(({ left }) => left.length === 0).map(({ minute }) => minute);
  await removeMinutes(recorder, emptied);
  const lessened = lefts.filter(({ minute, left }) => left.length > 0 && left.length < minute.points.length);
  await mapInBatches(lessened, async ({ minute, left }) => {
    if (!(await writeMinute(recorder, minute, pickTripPoints(minute.points, left)))) throw leaseLost();
  });
}

async function addToMinute(
  recorder: Recorder,
  stored: StoredMinute,
  points: TripPoints,
  packed: TripPoints,
): Promise<Added> {
  let read = stored;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const added = compare(points, mergeTripPoints([read.points, packed]));
    const { fresh, amended } = added;
    if (fresh.length + amended.length === 0) return added;
    if (await writeMinute(recorder, read, mergeTripPoints([read.points, fresh, amended]))) return added;
    const [now] = await loadMinutesAt(recorder, [read.minute]);
    read = now ?? noMinute(read.minute);
  }
  throw new Error(`Minute ${stored.minute} of device ${recorder.device_key} is repeatedly written by other processes`);
}

function compare(points: TripPoints, known: TripPoints): Added {
  const numbers = new Map([...known.time].map((time, at) => [time, at]));
  const numberOf = (at: number) => numbers.get(points.time[at] ?? 0);
  const isAmended = (at: number) => {
    const number = numberOf(at);
    return number !== undefined && addsTo(known, number, points, at);
  };
  return {
    fresh: pickTripPoints(
      points,
      placesWhere(points, (at) => numberOf(at) === undefined),
    ),
    amended: pickTripPoints(points, placesWhere(points, isAmended)),
    elsewhere: countElsewhere(points, known),
  };
}

/** Counts the positions whose times are known, of another place. */
export function countElsewhere(points: TripPoints, known: TripPoints): number {
  const numbers = new Map([...known.time].map((time, at) => [time, at]));
  const isElsewhere = (at: number) => {
    const number = numbers.get(points.time[at] ?? 0);
    if (number === undefined || hasNoPlace(points.events.get(at)) || hasNoPlace(known.events.get(number))) return false;
    return points.lat[at] !== known.lat[number] || points.lon[at] !== known.lon[number];
  };
  return placesWhere(points, isElsewhere).length;
}

/** Returns true if a position has an event or a reading that a known one of the same time lacks, or the only place. */
function addsTo(known: TripPoints, number: number, points: TripPoints, at: number): boolean {
  const [there, events] = [known.events.get(number) ?? [], points.events.get(at) ?? []];
  if (hasNoPlace(there) && !hasNoPlace(events)) return true;
  const isNew = (event: string) => !there.includes(event) && (hasNoPlace(there) || !hasNoPlace([event]));
  return (
    events.some(isNew) ||
    READINGS.some(({ name }) => readingAt(known, name, number) === null && readingAt(points, name, at) !== null)
  );
}

function byMinute(points: TripPoints, stored: ReadonlyMap<number, StoredMinute>): Map<number, TripPoints> {
  const places = new Map<number, number[]>();
  for (const [at, time] of points.time.entries()) {
    const minute = minuteOf(time, stored);
    const there = places.get(minute);
    if (there) there.push(at);
    else places.set(minute, [at]);
  }
  return new Map([...places].map(([minute, those]) => [minute, pickTripPoints(points, those)]));
}

function noMinute(minute: number): StoredMinute {
  return { minute, revision: 0, points: emptyTripPoints(0) };
}

function placesWhere(points: TripPoints, isMeant: (at: number) => boolean): number[] {
  return Array.from({ length: points.length }, (_, at) => at).filter(isMeant);
}
