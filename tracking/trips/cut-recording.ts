import { pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { beginsTrip, type Engine, engineAfter } from '../geometry/trip-boundary.ts';

/** Reports that the engine is off, repeatedly while parked: it ends an open trip, and belongs to none otherwise. */
export const IGNITION_OFF = 'ignition_off';

/** Returns true if any of the positions has the mark. */
export function saysIgnitionOff({ events }: TripPoints): boolean {
  return [...events.values()].some((marks) => marks.includes(IGNITION_OFF));
}

/** A trip as it is cut out of a recording. */
export interface RecordedPiece {
  readonly points: TripPoints;
  readonly engine_started: boolean;
  readonly engine_stopped: boolean;
}

/** A recording cut into trips. */
export interface CutRecording {
  readonly pieces: readonly RecordedPiece[];
  readonly engine: Engine;
  /** Time of the last position of the trip that may continue; null if none may. */
  readonly last: number | null;
}

/**
 * Cuts the positions of a device, in the order of their times, into trips as {@link beginsTrip} says, regardless of the
 * order in which they arrived. Later positions do not change the beginning of a trip.
 */
export function cutRecording(points: TripPoints): CutRecording {
  const pieces: RecordedPiece[] = [];
  const stops = new Set<number>();
  let open: number[] = [];
  let engine: Engine = 'unknown';
  let last: number | null = null;
  const close = () => {
    if (open.length > 0) pieces.push(pieceOf(points, open, stops));
    open = [];
    last = null;
  };
  for (let at = 0; at < points.length; at++) {
    const time = points.time[at] ?? 0;
    const given = points.events.get(at) ?? [];
    const isOff = given.includes(IGNITION_OFF);
    const events = isOff ? [...given.filter((event) => event !== 'engine_stop'), 'engine_stop'] : given;
    const begins = beginsTrip(last === null ? null : { time: last, events: [] }, engine, { time, events });
    engine = engineAfter(engine, events);
    if (begins) close();
    if (begins && isOff) continue;
    open.push(at);
    last = time;
    if (engine !== 'off') continue;
    stops.add(at);
    close();
  }
  const end = last;
  close();
  return { pieces, engine, last: end };
}

function pieceOf(points: TripPoints, places: readonly number[], stops: ReadonlySet<number>): RecordedPiece {
  const picked = pickTripPoints(points, places);
  const end = places.length - 1;
  const engine_stopped = stops.has(places[end] ?? -1);
  const engine_started = picked.events.get(0)?.includes('engine_start') ?? false;
  const events = new Map(picked.events);
  if (engine_stopped) events.set(end, [...new Set([...(events.get(end) ?? []), 'engine_stop'])]);
  return { points: { ...picked, events }, engine_started, engine_stopped };
}
