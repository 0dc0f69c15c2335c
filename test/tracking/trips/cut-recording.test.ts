import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { TRIP_LIMITS, type TripLimits, tripLimits } from '../../../models/trips/trip-limits.ts';
import { markWord } from '../../../models/trips/position-marks.ts';
import { mergeTripPoints, pointsBetween, type TripPoints } from '../../../models/trips/trip-points.ts';
import { emptyReadings } from '../../../models/trips/trip-readings.ts';
import { emptyTripPoints } from '../../../models/trips/trip-points.ts';
import { cutRecording } from '../../../tracking/trips/cut-recording.ts';

/** A position: seconds, meters to the east, and what else was sent. */
interface Sent {
  readonly at: number;
  readonly east: number;
  readonly events?: readonly string[];
  readonly ignition?: boolean | undefined;
  readonly speed?: number;
}

/** Degrees of longitude in a meter at the equator. */
const METER = 1 / 111_195;

function recording(sent: readonly Sent[]): TripPoints {
  const points = emptyTripPoints(sent.length);
  const readings = emptyReadings(sent.length);
  const events = new Map<number, readonly string[]>();
  for (const [i, { at, east, events: reported, ignition, speed }] of sent.entries()) {
    points.time[i] = at * 1000;
    points.lon[i] = east * METER;
    if (speed !== undefined) points.speed[i] = speed;
    if (reported) events.set(i, reported);
    if (ignition !== undefined) readings.ignition[i] = Number(ignition);
  }
  return { ...points, events, readings };
}

/** Positions each `every` seconds, at a speed in m/s. */
function drive(
  from: number,
  seconds: number,
  {
    every = 10,
    speed = 10,
    start = 0,
    ...more
  }: Partial<Record<'every' | 'speed' | 'start', number>> & Partial<Sent> = {},
): Sent[] {
  const count = Math.floor(seconds / every) + 1;
  return Array.from({ length: count }, (_, i) => ({ ...more, at: from + i * every, east: start + i * every * speed }));
}

const stand = (from: number, seconds: number, east: number, every = 10, more: Partial<Sent> = {}) =>
  drive(from, seconds, { every, speed: 0, start: east, ...more });

/** The trips of a recording: seconds of their first and last positions. */
const trips = (...sent: readonly Sent[][]) => tripsBy(TRIP_LIMITS, ...sent);

function tripsBy(limits: TripLimits, ...sent: readonly Sent[][]): [number, number][] {
  return cutRecording(recording(sent.flat()), limits).pieces.map(({ points: { time, length } }) => [
    (time[0] ?? Number.NaN) / 1000,
    (time[length - 1] ?? Number.NaN) / 1000,
  ]);
}

describe('a trip', () => {
  test('begins at the last position of a stay, and ends where the vehicle has stood for five minutes', () => {
    expect(trips(stand(0, 600, 0), drive(610, 600, { start: 100 }), stand(1220, 900, 6100))).toEqual([[600, 1210]]);
  });

  test('goes on over stops of less than five minutes', () => {
    expect(trips(drive(0, 600), stand(610, 280, 6000), drive(900, 600, { start: 6100 }))).toEqual([[0, 1500]]);
  });

  test('is cut where the vehicle stands for longer', () => {
    expect(trips(drive(0, 600), stand(610, 400, 6000), drive(1020, 600, { start: 6100 }))).toEqual([
      [0, 600],
      [1010, 1620],
    ]);
  });

  test('is none shorter than 200 meters or a minute', () => {
    expect(trips(stand(0, 600, 0), drive(610, 10, { start: 90 }), stand(630, 600, 190))).toEqual([]);
    expect(trips(stand(0, 60, 0), drive(70, 20, { speed: 20, start: 200 }), [])).toEqual([]);
  });

  test('ends before 15 minutes without positions, after which nothing is known', () => {
    expect(trips(drive(0, 600), drive(600 + 900, 600, { start: 20_000 }))).toEqual([
      [0, 600],
      [1500, 2100],
    ]);
    expect(trips(drive(0, 600), drive(600 + 899, 600, { start: 20_000 }))).toEqual([[0, 2099]]);
  });

  test('ends where the vehicle arrived, if its device reports for some minutes more and is then silent', () => {
    const sent = [drive(0, 600), stand(610, 200, 6000)];
    expect(trips(...sent)).toEqual([[0, 600]]);
    expect(trips(...sent, drive(6000, 600, { start: 6000 }))).toEqual([
      [0, 600],
      [6000, 6600],
    ]);
  });

  test('ends before a silence in which the vehicle stood and the device slept, as it did not before', () => {
    expect(trips(drive(0, 600), drive(1400, 600, { start: 6200 }))).toEqual([
      [0, 600],
      [1400, 2000],
    ]);
    expect(trips(drive(0, 6000, { every: 600, speed: 0.4 }))).toEqual([[0, 6000]]);
  });

  test('begins at the last position of a stay, however much those scatter', () => {
    const stay = stand(0, 600, 0).map((one, at) => ({ ...one, east: at === 50 ? -20 : one.east }));
    expect(trips(stay, drive(610, 600, { every: 10, speed: 6, start: 60 }))).toEqual([[600, 1210]]);
  });

  test.each([1, 2, 3])('ends where the vehicle arrived, if %i positions of its receiver stray afterwards', (count) => {
    const strays = (stay: Sent[], at: number) =>
      stay.map((one, nth) => (nth >= at && nth < at + count ? { ...one, east: one.east + 130 } : one));
    const parked = strays(strays(stand(610, 1800, 6000, 60), 3), 20);
    expect(trips(drive(0, 600), parked)).toEqual([[0, 600]]);
    expect(trips(drive(0, 600), parked, drive(2420, 600, { start: 6100 }))).toEqual([
      [0, 600],
      [2410, 3020],
    ]);
  });

  test('goes on with a vehicle that is away longer than a position strays', () => {
    const away = (stay: Sent[]) =>
      stay.map((one, nth) => (nth >= 2 && nth < 6 ? { ...one, east: one.east + 130 } : one));
    expect(trips(drive(0, 600), away(stand(610, 400, 6000, 30)))).not.toEqual([[0, 600]]);
  });

  test('goes through a tunnel in which the receiver repeats where it was', () => {
    const tunnel = stand(301, 33, 3000, 1);
    expect(trips(drive(0, 300, { every: 1 }), tunnel, drive(335, 300, { every: 1, start: 3470 }))).toEqual([[0, 635]]);
  });

  test('has one position each ten minutes of a tracker that reports as seldom', () => {
    expect(trips(drive(0, 6600, { every: 600, speed: 15 }))).toEqual([[0, 6600]]);
  });

  describe('of a tracker that reports each half hour', () => {
    const parked = stand(0, 18_000, 0, 1800);
    const seldom = drive(19_800, 9000, { every: 1800, speed: 15, start: 27_000 });

    test('lasts as long as it drives', () => {
      expect(trips(parked, seldom, stand(30_600, 7200, 189_000, 1800))).toEqual([[18_000, 30_600]]);
    });

    test('is the same by the times of the positions before alone', () => {
      const points = recording([...parked.slice(-1), ...seldom]);
      expect(cutRecording(points, TRIP_LIMITS).needsEarlier).toBe(true);
      const times = parked.slice(0, -1).map((one) => one.at * 1000);
      const { pieces, needsEarlier } = cutRecording(points, TRIP_LIMITS, times);
      expect([needsEarlier, ...pieces.map((piece) => piece.points.time[0])]).toEqual([false, 18_000_000]);
    });

    test('ends with an hour, or three times its usual interval, without positions', () => {
      const later = drive(28_800 + 3600, 5400, { every: 1800, speed: 15, start: 300_000 });
      expect(trips(parked, seldom, later)).toEqual([
        [18_000, 28_800],
        [32_400, 37_800],
      ]);
      const often = [drive(0, 6000, { every: 300, speed: 15 }), drive(6900, 900, { every: 300, start: 120_000 })];
      expect(trips(...often)).toHaveLength(2);
      expect(trips(...often.map((part) => part.filter((_, at) => at % 2 === 0)))).toHaveLength(1);
    });

    test('ends as the gap says that is set', () => {
      const limits = tripLimits({ gap_seconds: 900 } as never, null);
      expect(tripsBy(limits, parked, seldom)).toEqual([]);
    });

    test('begins where the vehicle was seen last only if it cannot have stood since', () => {
      expect(trips(parked, drive(19_800, 900, { every: 30, start: 500 }))).toEqual([[19_800, 20_700]]);
    });
  });

  test('is none of a phone that reports each half hour from home', () => {
    expect(trips(stand(0, 36_000, 0, 1800))).toEqual([]);
  });
});

describe('the ignition', () => {
  const flips = (sent: readonly Sent[]) => sent.map((one, at) => ({ ...one, ignition: at % 3 !== 0 }));

  test.each([
    ['always off', drive(0, 1200, { ignition: false })],
    ['always on', drive(0, 1200, { ignition: true })],
    ['flipping', flips(drive(0, 1200))],
  ])('does not cut the trip of a vehicle that moves: %s', (_, sent) => {
    expect(trips(sent)).toEqual([[0, 1200]]);
  });

  test('ends a trip where it went off and the vehicle stood for a minute', () => {
    const sent = [drive(0, 600, { ignition: true }), stand(610, 60, 6000, 10, { ignition: false })];
    expect(trips(...sent)).toEqual([[0, 610]]);
    expect(trips(...sent, drive(690, 600, { ignition: true, start: 6100 }))).toEqual([
      [0, 610],
      [670, 1290],
    ]);
  });

  test('ends nothing if it is off for less than a minute', () => {
    const off = stand(610, 40, 6000, 10, { ignition: false });
    expect(trips(drive(0, 600, { ignition: true }), off, drive(660, 600, { ignition: true, start: 6000 }))).toEqual([
      [0, 1260],
    ]);
  });

  test('ends no trip if it was off while the vehicle moved', () => {
    const wire = flips(drive(0, 600, { speed: 12 }));
    expect(trips(wire, stand(610, 100, 7200, 10, { ignition: false }), drive(720, 600, { start: 7300 }))).toEqual([
      [0, 1320],
    ]);
  });

  test('ends a trip by messages without a place', () => {
    const invalid = [markWord('invalid')];
    const off = [620, 690].map((at) => ({ at, east: 0, events: invalid, ignition: false }));
    expect(trips(drive(0, 600, { ignition: true }), off, drive(700, 600, { start: 6500 }))).toEqual([
      [0, 600],
      [700, 1300],
    ]);
  });
});

describe('the ignition that is said', () => {
  const moved = drive(0, 600, { ignition: false });
  const stood = [
    ...drive(610, 300, { start: 6000, ignition: true }),
    ...stand(920, 100, 9000, 10, { ignition: false }),
  ];
  const drove = drive(1030, 600, { start: 9100, ignition: true });

  test.each([
    ['to be connected', tripLimits({ reporter: 'tracker_with_ignition' } as never, null), 2],
    ['not to be', tripLimits({ reporter: 'tracker_with_ignition' } as never, { ignition_trusted: false } as never), 1],
    ['nothing of', TRIP_LIMITS, 1],
  ])('%s is believed', (_, limits, count) => {
    expect(tripsBy(limits, moved, stood, drove)).toHaveLength(count);
  });
});

describe('reports of the engine', () => {
  const start = { events: ['engine_start'] };
  const stop = { events: ['engine_stop'] };

  test('bound one trip, however short it is and however long the vehicle stands', () => {
    const sent = [{ at: 0, east: 0, ...start }, ...stand(10, 2000, 0, 400), { at: 2100, east: 20, ...stop }];
    expect(trips(sent)).toEqual([[0, 2100]]);
  });

  test('are ended by a time without positions', () => {
    expect(trips([{ at: 0, east: 0, ...start }], stand(10, 60, 0), stand(9000, 60, 0))).toEqual([[0, 70]]);
  });

  test('begin another trip without an end of the one before', () => {
    const sent = [
      { at: 0, east: 0, ...start },
      ...drive(10, 100),
      { at: 120, east: 1200, ...start },
      ...drive(130, 100, { start: 1300 }),
    ];
    expect(trips(sent)).toEqual([
      [0, 110],
      [120, 230],
    ]);
  });

  test('leave movement after a stop a trip whose start was lost', () => {
    const sent = [{ at: 0, east: 0, ...start }, { at: 60, east: 500, ...stop }, ...drive(70, 200, { start: 600 })];
    expect(trips(sent)).toEqual([
      [0, 60],
      [70, 270],
    ]);
  });
});

describe('positions that are not believed are in no trip', () => {
  test.each(['invalid', 'inaccurate', 'jump', 'stale'] as const)('marked as %s', (mark) => {
    const sent = drive(0, 600).map((one, at) => (at === 30 ? { ...one, east: 90_000, events: [markWord(mark)] } : one));
    const [piece] = cutRecording(recording(sent), TRIP_LIMITS).pieces;
    expect(piece?.points.length).toBe(60);
  });

  test.each([1, 2, 3])('%i in a row that cannot be driven to and from', (count) => {
    const sent = drive(0, 600).map((one, at) => (at >= 30 && at < 30 + count ? { ...one, east: 900_000 + at } : one));
    const { pieces, jumps } = cutRecording(recording(sent), TRIP_LIMITS);
    expect(pieces.map(({ points }) => points.length)).toEqual([61 - count]);
    expect(jumps.size).toBe(count);
  });

  test('three in a row that could be driven to in the time until the last of them', () => {
    const sent = drive(0, 600).map((one, at) => (at >= 30 && at < 33 ? { ...one, east: one.east + 1500 } : one));
    expect(cutRecording(recording(sent), TRIP_LIMITS).jumps.size).toBe(3);
  });

  test('a first one before the vehicle is somewhere else', () => {
    expect(trips([{ at: 0, east: 900_000 }], drive(10, 600))).toEqual([[10, 610]]);
  });

  test('the last one, until the next one decides', () => {
    const far = { at: 610, east: 900_000 };
    expect(trips(drive(0, 600), [far])).toEqual([[0, 600]]);
    expect(cutRecording(recording([...drive(0, 600), far]), TRIP_LIMITS).end.isUndecided).toBe(true);
  });

  test('a ferry is none: what follows it is another trip', () => {
    expect(trips(drive(0, 600), drive(610, 600, { start: 900_000 }))).toEqual([
      [0, 600],
      [610, 1210],
    ]);
  });
});

test('a speed that the way does not confirm is kept in a mark, and believed once another position confirms it', () => {
  const sent = drive(0, 600, { speed: 15 }).map((one, at) => ({ ...one, speed: at === 30 ? 60.5 : 15 }));
  const [piece] = cutRecording(recording(sent), TRIP_LIMITS).pieces;
  expect([piece?.points.speed[30], piece?.points.events.get(30)]).toEqual([Number.NaN, ['!speed=60.5']]);
  const again = cutRecording(piece?.points ?? recording([]), TRIP_LIMITS).pieces;
  expect(again).toEqual([piece]);
  const late = recording([{ at: 301, east: 4560, speed: 60 }]);
  const [whole] = cutRecording(mergeTripPoints([piece?.points ?? late, late]), TRIP_LIMITS).pieces;
  expect([whole?.points.speed[30], whole?.points.events.get(30)]).toEqual([60.5, undefined]);
});

test('a speed that the way does not confirm is omitted', () => {
  const sent = drive(0, 600, { speed: 15 }).map((one, at) => ({
    ...one,
    speed: at === 30 ? 180 : at === 40 ? 50 : 15,
  }));
  const [piece] = cutRecording(recording(sent), TRIP_LIMITS).pieces;
  expect(Math.max(...[...(piece?.points.speed ?? [])].filter((speed) => !Number.isNaN(speed)))).toBe(15);
});

/** Movements of any kind: drives, stays and silences, with an ignition that may be wired wrongly. */
const anyRecording = fc
  .array(
    fc.record({
      seconds: fc.constantFrom(20, 70, 240, 310, 700),
      every: fc.constantFrom(5, 10, 60, 400, 1000),
      speed: fc.constantFrom(0, 0, 0.2, 3, 20),
      silence: fc.constantFrom(1, 1, 1, 200, 899, 900, 2000, 5000),
      ignition: fc.constantFrom(undefined, true, false),
      events: fc.constantFrom(undefined, undefined, undefined, ['engine_start'], ['engine_stop']),
      back: fc.boolean(),
      stray: fc.constantFrom(0, 0, 60, 130),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((legs) => {
    let time = 0;
    let east = 0;
    return legs.flatMap(({ seconds, every, speed, silence, events, back, stray, ...more }) => {
      time += silence;
      const leg = drive(time, seconds, { every, speed: back ? -speed : speed, start: east, ...more });
      time = leg.at(-1)?.at ?? time;
      east = leg.at(-1)?.east ?? east;
      return leg.map((one, at) => ({
        ...one,
        east: one.east + (at % 7 === 2 ? stray : 0),
        ...(at === 0 && events && { events }),
      }));
    });
  })
  .map((sent) => recording(sent.filter((one, at) => at === 0 || one.at > (sent[at - 1]?.at ?? 0))));

test('from the beginning of any trip on, trips do not depend on what was before', () => {
  fc.assert(
    fc.property(anyRecording, (points) => {
      const { pieces } = cutRecording(points, TRIP_LIMITS, []);
      for (const [at, piece] of pieces.entries()) {
        const first = piece.points.time[0] ?? 0;
        const earlier = pointsBetween(points, -Infinity, first).time;
        const later = cutRecording(pointsBetween(points, first, Infinity), TRIP_LIMITS, earlier).pieces;
        expect(later).toEqual(pieces.slice(at));
      }
    }),
    { numRuns: 500 },
  );
});
