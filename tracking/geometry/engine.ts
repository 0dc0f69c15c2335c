/** State of an engine after the positions so far; unknown until a position reports it. */
export type Engine = 'on' | 'off' | 'unknown';

/** The last report of the engine among the events of a position; undefined if there is none. */
export function engineEvent(events: readonly string[]): string | undefined {
  return events.findLast((event) => event === 'engine_start' || event === 'engine_stop');
}

/** Returns the state of the engine after a position, whose last event counts. After a stop it is off until the next position. */
export function engineAfter(engine: Engine, events: readonly string[]): Engine {
  const last = engineEvent(events);
  if (last !== undefined) return last === 'engine_start' ? 'on' : 'off';
  return engine === 'off' ? 'unknown' : engine;
}
