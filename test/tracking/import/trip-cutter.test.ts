import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { tripLimits } from '../../../models/trips/trip-limits.ts';
import type { CutItem } from '../../../tracking/import/cut-track.ts';
import type { StreamPosition } from '../../../tracking/import/rows/stream-position.ts';
import { finish } from '../../../tracking/scheduling/steps.ts';
import { RecordedTrip } from '../../../tracking/import/rows/recorded-trip.ts';
import { cutTrips, type CutterMemory, TripCutter } from '../../../tracking/import/trip-cutter.ts';
import { SHORT_TRIPS } from '../../services/account-fixture.ts';
import { countTurns, stepClock } from '../../services/event-loop-turns.ts';

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
  /** Lines of the positions of each trip, by vehicle. */
  readonly trips: Record<string, number[][]>;
  /** Numbers of what is in no trip. */
  readonly outside: Record<string, number>;
}

/** Trips begin with the first meter, and end with a pause of five minutes. */
const LIMITS = tripLimits(SHORT_TRIPS, null);

function cut(positions: readonly StreamPosition[], memory: Partial<CutterMemory> = {}, isNewestFirst = false): Cut {
  const cutter = new TripCutter({ read: {}, limits: LIMITS }, memory);
  cutter.isNewestFirst = isNewestFirst;
  const found: Cut = { trips: {}, outside: {} };
  const take = (items: readonly CutItem[]) => {
    for (const item of items) {
      if (item.kind === 'trip') {
        const lines = [...(item.points?.lat ?? [])].map((lat) => Math.round(lat * 1e4));
        found.trips[item.vehicle ?? ''] = [...(found.trips[item.vehicle ?? ''] ?? []), lines];
      } else {
        found.outside[item.fault] = (found.outside[item.fault] ?? 0) + (item.count ?? 1);
      }
    }
  };
  for (const position of positions) {
    finish(cutter.add(position));
    take(cutter.taken());
  }
  for (const items of cutter.end()) take(items ?? []);
  cutter.close();
  return found;
}

const at = (after: number, ...events: string[]): Step => ({ after, events });
const _engine = (after: number, isEngineOn: boolean | null): Step => ({ after, isEngineOn });

describe('A stream of positions is cut', () => {
  test.each<[string, Step[], number[][]]>([
    [
      'at a pause of the gap time',
      [at(0), at(5), at(300), at(5)],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['at no shorter pause', [at(0), at(299.999)], [[1, 2]]],
    [
      'where the clock is set back by as much',
      [at(0), at(5), at(-300), at(5)],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['not where it is set back by less', [at(0), at(7), at(-5), at(9)], [[1, 3, 2, 4]]],
    [
      'before engine_start',
      [at(0), at(5), at(5, 'engine_start'), at(5)],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'after engine_stop',
      [at(0), at(5, 'engine_stop'), at(5), at(5)],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'at a pause though the engine is not reported to stop',
      [at(0, 'engine_start'), at(5), at(3600), at(5)],
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])('%s', (_, steps, trips) => {
    expect(cut(stream('v', steps))).toEqual({ trips: { v: trips }, outside: {} });
  });

  test('leaving out, with their number, the positions where the vehicle stands', () => {
    const parked = stream('v', [at(0), at(60), at(60), at(60), at(60), at(60), at(60), at(60), at(5), at(5)]);
    const steps = parked.map((position, i) => (i < 8 ? { ...position, lat: 1e-4 } : position));
    expect(cut(steps)).toEqual({ trips: { v: [[1, 9, 10]] }, outside: { standing: 7 } });
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
    const cutter = new TripCutter({ read: {}, limits: LIMITS }, { tripPositions: 3 });
    for (const position of stream('v', [at(0), at(5), at(5), at(5), at(5)])) finish(cutter.add(position));
    const trips = [...cutter.end()].flatMap((items) => (items ?? []).filter((item) => item.kind === 'trip'));
    expect(trips.map(({ points, faults }) => [points?.length, Object.fromEntries(faults.faults)])).toEqual([
      [3, {}],
      [2, { long_trip: { count: 1, line: 4 } }],
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
  const streamsOf = (vehicles: readonly (readonly Step[])[]) =>
    vehicles.map((steps, i) => stream(`v${i}`, steps, i * 1000 + 1));

  test('puts each position into one trip, or counts it as being in none', () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: 1, max: 30 }), (vehicles, heldPositions) => {
        const streams = streamsOf(vehicles);
        const { trips, outside } = cut(streams.flat(), { heldPositions });
        const lines = Object.values(trips).flat(2);
        expect(new Set(lines).size).toBe(lines.length);
        const { standing = 0, stray = 0, short_drive = 0, ...others } = outside;
        expect({ others, short_drive }).toEqual({ others: {}, short_drive: 0 });
        expect(lines.length + standing + stray).toBe(streams.flat().length);
      }),
      { numRuns: 200 },
    );
  });

  test('does not heed how the positions of different vehicles stand among each other, nor how much fits in memory', () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: 1, max: 30 }), fc.infiniteStream(fc.nat()), (vehicles, held, choices) => {
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
        expect(cut(shuffled, { heldPositions: held })).toEqual(cut(streams.flat()));
      }),
      { numRuns: 200 },
    );
  });

  // Drives and stays of a device that never pauses, each of several positions.
  const legs = fc.array(fc.record({ drives: fc.integer({ min: 2, max: 6 }), stays: fc.integer({ min: 7, max: 14 }) }), {
    minLength: 2,
    maxLength: 12,
  });

  test.each([false, true])('gives the same trips where a stream is cut in parts, newest first: %s', (isNewestFirst) => {
    fc.assert(
      fc.property(legs, fc.integer({ min: 45, max: 80 }), (days, tripPositions) => {
        let lat = 0;
        const places = days.flatMap(({ drives, stays }) => [
          ...Array.from({ length: drives }, () => (lat += 1e-4)),
          ...Array.from({ length: stays }, () => lat),
        ]);
        const positions = stream(
          'v',
          places.map(() => at(60)),
        ).map((position, i) => ({ ...position, lat: places[i] ?? 0 }));
        const sent = isNewestFirst ? positions.toReversed() : positions;
        const sorted = ({ trips, outside }: Cut) => ({
          trips: trips.v?.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
          outside,
        });
        expect(sorted(cut(sent, { tripPositions }, isNewestFirst))).toEqual(sorted(cut(sent, {}, isNewestFirst)));
      }),
      { numRuns: 100 },
    );
  });
});

test('Other work runs between the steps in which a long recording is cut, in a stream and as a track', async () => {
  const positions = stream(
    'v',
    Array.from({ length: 4000 }, () => at(5)),
  );
  const recorded = new RecordedTrip(1);
  for (const position of positions) recorded.add(position);
  for (const items of [positions, [{ kind: 'track' as const, vehicle: 'v', recorded }]]) {
    const file = async function* () {
      yield items;
    };
    stepClock();
    const turns = countTurns();
    const cut: CutItem[] = [];
    for await (const some of cutTrips(file(), { read: {}, limits: LIMITS })) cut.push(...some);
    expect(cut).toMatchObject([{ kind: 'trip', points: { length: 4000 } }]);
    expect(turns()).toBeGreaterThan(5);
  }
});
