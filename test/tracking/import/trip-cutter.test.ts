import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ROW_LENGTH } from '../../../tracking/import/rows/position-rows.ts';
import type { RecordedTrip } from '../../../tracking/import/rows/recorded-trip.ts';
import type { StreamPosition } from '../../../tracking/import/rows/stream-position.ts';
import { type CutterLimits, TripCutter } from '../../../tracking/import/trip-cutter.ts';

interface Step {
  /** Seconds since the position before it. */
  readonly after: number;
  readonly events?: readonly string[];
  readonly isEngineOn?: boolean | null;
  readonly trip?: string | null;
}

/** The positions of a vehicle; the line tells them apart. */
function stream(vehicle: string, steps: readonly Step[], firstLine = 1): StreamPosition[] {
  let time = Date.UTC(2026, 0, 1);
  return steps.map(({ after, events = [], isEngineOn = null, trip = null }, i) => {
    time += after * 1000;
    const line = firstLine + i;
    const place = { lat: line / 1e4, lon: 1, speed: null, heading: null };
    return { kind: 'position', ...place, time, isZoneMissing: false, line, events, isEngineOn, trip, vehicle };
  });
}

interface Cut {
  readonly trips: Record<string, number[][]>;
  /** Lines of positions that belong to no trip. */
  readonly outside: number[];
}

/** Cuts positions; answers the lines of each trip by vehicle. */
function cut(positions: readonly StreamPosition[], limits: Partial<CutterLimits> = {}): Cut {
  const cutter = new TripCutter(limits);
  const found: Cut = { trips: {}, outside: [] };
  const take = (vehicle: string | null, recorded: RecordedTrip) => {
    const rows = recorded.rows.all();
    const lines = Array.from({ length: recorded.length }, (_, i) => rows[i * ROW_LENGTH + 5] ?? 0);
    const trips = found.trips[vehicle ?? ''] ?? [];
    found.trips[vehicle ?? ''] = [...trips, lines];
  };
  for (const position of positions) {
    if (!cutter.add(position)) found.outside.push(position.line);
    for (const { vehicle, recorded } of cutter.taken()) take(vehicle, recorded);
  }
  for (const { vehicle, recorded } of cutter.end()) take(vehicle, recorded);
  cutter.close();
  return found;
}

const at = (after: number, ...events: string[]): Step => ({ after, events });
const engine = (after: number, isEngineOn: boolean | null): Step => ({ after, isEngineOn });

describe('A stream of positions is cut', () => {
  test.each<[string, Step[], number[][]]>([
    ['at a pause of 5 minutes', [at(0), at(300), at(5)], [[1], [2, 3]]],
    ['at no shorter pause', [at(0), at(299.999)], [[1, 2]]],
    ['where the clock is set back by 5 minutes', [at(0), at(-300), at(5)], [[1], [2, 3]]],
    ['not where it runs backwards by less', [at(0), at(-5), at(9)], [[1, 2, 3]]],
    ['before engine_start', [at(0), at(5, 'engine_start'), at(5)], [[1], [2, 3]]],
    [
      'after engine_stop',
      [at(0), at(5, 'engine_stop'), at(5), at(5)],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'not at a pause while the engine is known to run',
      [at(0, 'engine_start'), at(3600), at(5, 'engine_stop')],
      [[1, 2, 3]],
    ],
    [
      'at a pause again after a stop',
      [at(0, 'engine_start'), at(5, 'engine_stop'), at(5), at(300)],
      [[1, 2], [3], [4]],
    ],
    ['where the engine is seen to stop', [engine(0, true), engine(5, false), engine(5, true)], [[1, 2], [3]]],
    ['nowhere while the engine is seen to run', [engine(0, true), engine(3600, true)], [[1, 2]]],
  ])('%s', (_, steps, trips) => {
    expect(cut(stream('v', steps)).trips).toEqual({ v: trips });
  });

  test('leaving out what is recorded while the engine is off', () => {
    const steps = [engine(0, false), engine(5, true), engine(5, false), engine(5, false), engine(600, true)];
    expect(cut(stream('v', steps))).toEqual({ trips: { v: [[2, 3], [5]] }, outside: [1, 4] });
  });

  test('by its marks where it has any, though they come again, and never at a pause', () => {
    const marked = (after: number, trip: string): Step => ({ after, trip });
    const steps = [marked(0, 'a'), marked(5, 'b'), marked(3600, 'a'), marked(3600, 'b')];
    expect(cut(stream('v', steps)).trips).toEqual({
      v: [
        [1, 3],
        [2, 4],
      ],
    });
  });

  test('where a trip has more positions than memory, which is reported', () => {
    const cutter = new TripCutter({ tripPositions: 2 });
    for (const position of stream('v', [at(0), at(5), at(5)])) cutter.add(position);
    expect([...cutter.end()].map(({ recorded }) => Object.fromEntries(recorded.faults))).toEqual([
      {},
      { long_trip: { count: 1, line: 3 } },
    ]);
    cutter.close();
  });
});

describe('Cutting', () => {
  const step = fc.record({
    after: fc.constantFrom(0, 5, 5, 5, 40, 299, 300, 3600, -5, -4000),
    events: fc.constantFrom([], [], [], ['engine_start'], ['engine_stop'], ['harsh_brake']),
    isEngineOn: fc.constantFrom(null, null, true, false),
    trip: fc.constantFrom(null, null, 'a', 'b'),
  });
  const fleet = fc.array(fc.array(step, { maxLength: 25 }), { minLength: 1, maxLength: 4 });
  const limits = fc.record({ heldPositions: fc.integer({ min: 1, max: 30 }), tripPositions: fc.constantFrom(3, 1000) });
  const streamsOf = (vehicles: readonly (readonly Step[])[]) =>
    vehicles.map((steps, i) => stream(`v${i}`, steps, i * 1000 + 1));

  test('puts each position into exactly one trip, in the order of its vehicle, or says that it is in none', () => {
    fc.assert(
      fc.property(fleet, limits, (vehicles, given) => {
        const streams = streamsOf(vehicles);
        const { trips, outside } = cut(streams.flat(), given);
        const lines = [...Object.values(trips).flat(2), ...outside];
        expect(lines.toSorted((a, b) => a - b)).toEqual(streams.flat().map(({ line }) => line));
        for (const trip of Object.values(trips).flat()) expect(trip).toEqual(trip.toSorted((a, b) => a - b));
      }),
      { numRuns: 200 },
    );
  });

  test('does not heed how the positions of different vehicles stand among each other, nor how much fits in memory', () => {
    fc.assert(
      fc.property(fleet, limits, fc.infiniteStream(fc.nat()), (vehicles, given, choices) => {
        const streams = streamsOf(vehicles);
        const shuffled: StreamPosition[] = [];
        const left = streams.map((positions) => [...positions]);
        for (
          let open = left.filter((rest) => rest.length > 0);
          open.length > 0;
          open = left.filter((rest) => rest.length > 0)
        ) {
          const next = open[(choices.next().value ?? 0) % open.length]?.shift();
          if (next) shuffled.push(next);
        }
        const { tripPositions } = given;
        expect(cut(shuffled, given).trips).toEqual(cut(streams.flat(), { tripPositions }).trips);
      }),
      { numRuns: 200 },
    );
  });
});
