/** A vehicle that sends nothing for this long has ended its trip, unless its engine is known to run. */
export const TRIP_PAUSE_MS = 5 * 60_000;

/** State of an engine after the positions so far; unknown until a position reports it. */
export type Engine = 'on' | 'off' | 'unknown';

/** The fields of a position that decide boundaries of trips; events are those of trip points. */
export interface BoundaryPosition {
  /** Milliseconds since 1970 (UTC), or null if none was recorded. */
  readonly time: number | null;
  readonly events: readonly string[];
}

/**
 * Returns true if a position begins a trip, given the previous position and the state of the engine after it. A trip is
 * all points from engine start to engine stop (decisions: "Records", Trip). Unless the engine is known to run, a pause
 * of 5 minutes ends a trip, and so does a clock that is set back as far. The position of `engine_stop` is the last of
 * its trip.
 */
export function beginsTrip(before: BoundaryPosition | null, engine: Engine, position: BoundaryPosition): boolean {
  if (before === null || engine === 'off' || position.events.includes('engine_start')) return true;
  if (engine === 'on' || before.time === null || position.time === null) return false;
  return Math.abs(position.time - before.time) >= TRIP_PAUSE_MS;
}

/** The last report of the engine among the events of a position; undefined if there is none. */
export function engineEvent(events: readonly string[]): string | undefined {
  return events.findLast((event) => event === 'engine_start' || event === 'engine_stop');
}

/**
 * Returns the state of the engine after a position; its last event counts. After a stop the engine is off until the
 * next position: if that has no start, the start was lost.
 */
export function engineAfter(engine: Engine, events: readonly string[]): Engine {
  const last = engineEvent(events);
  if (last !== undefined) return last === 'engine_start' ? 'on' : 'off';
  return engine === 'off' ? 'unknown' : engine;
}
