import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ReplayTimeline } from '../../../element/replay/replay-timeline.ts';
import type { Trip } from '../../../element/trips/trip.ts';

const START = Date.parse('2026-11-03T08:00:00Z') / 1000;

/** A trip eastwards along the equator: seconds from the start, and degrees. */
function tripOf(
  key: string,
  fixes: readonly (readonly [seconds: number, lon: number])[],
  more: Partial<Trip> = {},
): Trip {
  const times = fixes.map(([seconds]) => START + seconds);
  return {
    key,
    vehicleKey: 'v',
    timeZone: null,
    durationSeconds: null,
    distanceMeters: null,
    path: fixes.map(([, lon]) => [lon, 0]),
    breaks: [],
    gaps: [],
    stops: [],
    motion: { times, speeds: fixes.slice(1).map(() => 10) },
    ...more,
  };
}

const iso = (seconds: number): string => new Date((START + seconds) * 1000).toISOString();

/** Time and longitude, to be read easily. */
function momentOf(timeline: ReplayTimeline, played: number): unknown[] {
  const { time, position, state } = timeline.at(played) ?? { time: 0, position: [0, 0], state: null };
  return [Math.round(time - START), Number(position[0].toFixed(3)), state];
}

test('driving takes its own time, between positions on the straight line', () => {
  const timeline = new ReplayTimeline([
    tripOf('a', [
      [0, 0],
      [10, 1],
      [30, 2],
    ]),
  ]);
  expect(timeline.duration).toBe(30);
  expect([-5, 0, 5, 20, 30, 99].map((played) => momentOf(timeline, played))).toEqual([
    [0, 0, 'driving'],
    [0, 0, 'driving'],
    [5, 0.5, 'driving'],
    [20, 1.5, 'driving'],
    [30, 2, 'stopped'],
    [30, 2, 'stopped'],
  ]);
  expect(timeline.at(5)).toMatchObject({ heading: 90, guessed: false, speed: 10, tripKey: 'a' });
});

test('a stop of ten minutes takes two seconds, and the vehicle stands', () => {
  const trip = tripOf(
    'a',
    [
      [0, 0],
      [10, 1],
      [300, 1.0001],
      [610, 1],
      [620, 2],
    ],
    { stops: [{ kind: 'stop', timeZone: null, position: [1, 0], arrival: iso(10), departure: iso(610) }] },
  );
  const timeline = new ReplayTimeline([trip]);
  expect(timeline.duration).toBe(22);
  expect(momentOf(timeline, 11)).toEqual([310, 1, 'stopped']);
  expect(timeline.at(11)?.speed).toBeNull();
  expect(momentOf(timeline, 17)).toEqual([615, 1.5, 'driving']);
});

test('a stop without a position is inserted', () => {
  const trip = tripOf(
    'a',
    [
      [0, 0],
      [1020, 2],
    ],
    { stops: [{ kind: 'stop', timeZone: null, position: [1, 0], arrival: iso(10), departure: iso(1010) }] },
  );
  const timeline = new ReplayTimeline([trip]);
  expect(timeline.duration).toBe(22);
  expect(momentOf(timeline, 5)).toEqual([5, 0.5, 'driving']);
  expect(momentOf(timeline, 17)).toEqual([1015, 1.5, 'driving']);
});

test.each([
  ['a gap', (trip: Trip) => ({ ...trip, gaps: [2] })],
  ['what the service hides', (trip: Trip) => ({ ...trip, breaks: [2] })],
])('%s is crossed in two seconds, and only guessed', (_, change) => {
  const trip = tripOf('a', [
    [0, 0],
    [10, 1],
    [310, 5],
    [320, 6],
  ]);
  const timeline = new ReplayTimeline([change(trip)]);
  expect(timeline.duration).toBe(22);
  expect(timeline.at(11)).toMatchObject({ state: 'gap', guessed: true, speed: null, position: [3, 0] });
});

test('between two trips the vehicle waits where it was, two seconds at most', () => {
  const second = tripOf('b', [
    [7200, 9],
    [7210, 10],
  ]);
  const timeline = new ReplayTimeline([
    tripOf('a', [
      [0, 0],
      [10, 1],
    ]),
    second,
  ]);
  expect(timeline.duration).toBe(22);
  expect(timeline.at(11.9)).toMatchObject({ tripKey: 'a', position: [1, 0] });
  expect(timeline.at(12)).toMatchObject({ tripKey: 'b', position: [9, 0], heading: 90 });
});

const HOUR = tripOf('long', [
  [0, 0],
  [3600, 1],
]);

test('the drive of an hour takes thirty seconds at its pace, a stop after it two', () => {
  const next = tripOf('next', [
    [9000, 2],
    [9060, 3],
  ]);
  const { pace, duration } = new ReplayTimeline([HOUR, next]);
  expect(pace).toBe(120);
  expect(duration / pace).toBeCloseTo(30 + 2 + 0.5);
});

test.each([0, 1, 900.5, 3599, 3600])('second %s of a trip is played when the replay shows it', (second) => {
  const timeline = new ReplayTimeline([tripOf('before', [[-100, 0]]), HOUR]);
  const played = timeline.playedAt('long', START + second);
  expect(timeline.at(played ?? -1)).toMatchObject({ tripKey: 'long', time: START + second });
  expect(timeline.playedAt('other', START + second)).toBeNull();
});

test('each part of a replay has its highest speed, a stop none, and what is not known is left out', () => {
  const trip = tripOf(
    'a',
    [
      [0, 0],
      [4, 1],
      [8, 2],
      [12, 3],
      [16, 4],
    ],
    { stops: [{ kind: 'stop', timeZone: null, position: [3, 0], arrival: iso(12), departure: iso(14) }] },
  );
  const motion = trip.motion && { ...trip.motion, speeds: [10, 20, null, 5] };
  const timeline = new ReplayTimeline([{ ...trip, motion }]);
  expect(timeline.duration).toBe(16);
  expect(timeline.speedsIn(8)).toEqual([10, 10, 20, 20, 20, null, 0, 0]);
  expect(new ReplayTimeline([]).speedsIn(2)).toEqual([null, null]);
});

test('trips without times have no part in it', () => {
  expect(new ReplayTimeline([]).at(0)).toBeNull();
  expect(new ReplayTimeline([{ ...tripOf('a', [[0, 0]]), motion: null }]).duration).toBe(0);
});

test('whatever the recording says, time only goes forward', () => {
  const fix = fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: -180, max: 180 }));
  const stay = fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 300 }));
  fc.assert(
    fc.property(fc.array(fix, { maxLength: 30 }), fc.array(stay, { maxLength: 3 }), (fixes, stays) => {
      const stops = stays.map(([from, length]) => ({
        kind: 'stop' as const,
        timeZone: null,
        position: [0, 0] as [number, number],
        arrival: iso(from),
        departure: iso(from + length),
      }));
      const timeline = new ReplayTimeline([tripOf('a', fixes, { stops }), tripOf('b', fixes)]);
      expect(timeline.duration).toBeGreaterThanOrEqual(0);
      const own = Array.from({ length: 50 }, (_, at) => timeline.at((timeline.duration * at) / 49)).filter(
        (moment) => moment?.tripKey === 'a',
      );
      const times = own.map((moment) => moment?.time ?? 0);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    { numRuns: 200 },
  );
});
