import fc from 'fast-check';
import { expect, test } from 'vitest';

import { markWord } from '../../../models/trips/position-marks.ts';
import { TRIP_LIMITS } from '../../../models/trips/trip-limits.ts';
import {
  emptyTripPoints,
  mergeTripPoints,
  pickTripPoints,
  type TripPoints,
} from '../../../models/trips/trip-points.ts';
import type { TailFacts } from '../../../models/vehicles/device-tail.ts';
import { metersTo, placeAt } from '../../../tracking/geometry/motion.ts';
import { continueTail, stayWith, tailOf as tailAt } from '../../../tracking/trips/continue-tail.ts';
import { cutRecording } from '../../../tracking/trips/cut-recording.ts';
import { runSize } from '../../services/run-size.ts';

/** Degrees in a meter at the equator. */
const METER = 1 / 111_195;

/** Drives, loops, jams, stays, and positions that stray from where the vehicle stands. */
const anyRecording = fc
  .array(
    fc.record({
      count: fc.integer({ min: 1, max: 30 }),
      every: fc.constantFrom(1, 10, 10, 60, 200),
      meters: fc.constantFrom(0, 0, 0, 2, 20, 70, 90, 150, 500),
      turn: fc.constantFrom(0, 0, 20, 90, 180),
      scatter: fc.constantFrom(0, 20, 40),
      strays: fc.array(fc.record({ at: fc.nat(29), length: fc.integer({ min: 1, max: 4 }), by: fc.nat(220) }), {
        maxLength: 2,
      }),
    }),
    { minLength: 2, maxLength: 8 },
  )
  .map((legs) => {
    const sent: { at: number; east: number; north: number }[] = [];
    let [at, east, north, angle] = [0, 0, 0, 0];
    for (const { count, every, meters, turn, scatter, strays } of legs) {
      for (let i = 0; i < count; i++) {
        at += every;
        angle += (turn * Math.PI) / 180;
        east += meters * Math.cos(angle);
        north += meters * Math.sin(angle);
        const stray = strays.find((one) => i >= one.at && i < one.at + one.length)?.by ?? 0;
        sent.push({ at, east: east + stray + (i % 3) * scatter, north: north + (i % 2) * scatter });
      }
    }
    return sent;
  })
  .map((sent): TripPoints => {
    const points = emptyTripPoints(sent.length);
    for (const [i, { at, east, north }] of sent.entries()) {
      points.time[i] = at * 1000;
      points.lat[i] = north * METER;
      points.lon[i] = east * METER;
    }
    return points;
  });

const numbers = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => from + i);

/** The tail that a device keeps of the end of its recording; null if it depends on more. */
function tailOf(points: TripPoints) {
  return tailAt('vehicle', points, cutRecording(points, TRIP_LIMITS).end);
}

/** The trips of a recording, without the end of one that goes on. */
function tripsOf(points: TripPoints) {
  const { pieces, end } = cutRecording(points, TRIP_LIMITS);
  const isDriving = end.motion === 'driving';
  const spans = pieces.map(({ points: { time, length } }, at) =>
    isDriving && at === pieces.length - 1 ? [time[0], 'goes on'] : [time[0], time[length - 1]],
  );
  return { spans, isDriving };
}

const SEARCH = { numRuns: runSize(1000, 15_000) };

test('positions that are said to continue a recording change neither its trips nor its stay', () => {
  let continued = 0;
  const cases = [anyRecording, fc.nat(200), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 100 })] as const;
  fc.assert(
    fc.property(...cases, (points, start, size, moved) => {
      const begin = Math.min(start, points.length - 1);
      const end = tailOf(pickTripPoints(points, numbers(0, begin)));
      let facts: TailFacts | null = end;
      let known = end?.points ?? emptyTripPoints(0);
      const before = tripsOf(pickTripPoints(points, numbers(0, begin)));
      for (let at = begin; facts && at < points.length; at += size) {
        const later = pickTripPoints(points, numbers(at, Math.min(at + size, points.length)));
        facts = continueTail(facts, later, () => known, TRIP_LIMITS);
        known = mergeTripPoints([known, later]);
        if (facts) expect(tripsOf(pickTripPoints(points, numbers(0, at + later.length)))).toEqual(before);
        if (facts) continued++;
        // The positions of a tail are moved to minutes now and then.
        if (!facts || at % moved !== moved - 1) continue;
        facts = facts.anchor && { ...facts, whole: false };
        known = emptyTripPoints(0);
      }
    }),
    SEARCH,
  );
  expect(continued).toBeGreaterThan(SEARCH.numRuns);
});

/** Reports of engines, jumps, and positions without a place, at some positions of a recording. */
const anyReports = fc.array(
  fc.record({
    at: fc.nat(200),
    event: fc.constantFrom('engine_start', 'engine_stop', 'engine_stop', markWord('invalid'), 'jump'),
  }),
  { minLength: 1, maxLength: 6 },
);

test('the trips after a stay that is whole are those of the whole recording', () => {
  let [departed, immediately] = [0, 0];
  const cases = [anyRecording, anyReports, fc.nat(200), fc.integer({ min: 1, max: 200 })] as const;
  fc.assert(
    fc.property(...cases, (recording, reports, start, count) => {
      const points = { ...recording, lat: recording.lat.slice(), events: new Map<number, readonly string[]>() };
      for (const { at, event } of reports) {
        if (event === 'jump') points.lat[at % points.length] = 10;
        else points.events.set(at % points.length, [event]);
      }
      const begin = 1 + (start % points.length);
      const tail = tailOf(pickTripPoints(points, numbers(0, begin)));
      const added = pickTripPoints(points, numbers(begin, Math.min(begin + count, points.length)));
      const stay =
        tail && added.length > 0 ? stayWith(tail, tail.points ?? emptyTripPoints(0), added, TRIP_LIMITS) : null;
      const cut = stay && cutRecording(stay, TRIP_LIMITS);
      if (!cut || cut.needsEarlier) return;
      const all = cutRecording(pickTripPoints(points, numbers(0, begin + added.length)), TRIP_LIMITS);
      const later = all.pieces.filter(({ points: { time } }) => (time[0] ?? 0) >= (stay.time[0] ?? 0));
      // How seldom the device reports is known better with what was before.
      const withoutLimits = (pieces: typeof cut.pieces) => pieces.map(({ limits, ...piece }) => piece);
      expect(withoutLimits(cut.pieces)).toEqual(withoutLimits(later));
      expect(cut.end.motion).toBe(all.end.motion);
      if (cut.pieces.length > 0) departed++;
      if (cut.pieces.length > 0 && tail?.points?.length === 0) immediately++;
    }),
    SEARCH,
  );
  expect(departed).toBeGreaterThan(SEARCH.numRuns / 50);
  expect(immediately).toBeGreaterThan(0);
});

test('late positions that are said to be among others change no trips', () => {
  let found = 0;
  fc.assert(
    fc.property(anyRecording, fc.nat(200), fc.nat(200), fc.nat(200), (points, start, omitted, end) => {
      const [begin = 0, late = 0, until = 0] = [start, omitted, end]
        .map((at) => at % points.length)
        .toSorted((a, b) => a - b);
      if (begin === 0 || late <= begin || until <= late) return;
      const left = tailOf(pickTripPoints(points, numbers(0, begin)));
      let facts: TailFacts | null = left;
      const inTail = numbers(begin, until).filter((at) => at !== late);
      const known = (count: number) =>
        mergeTripPoints([left?.points ?? emptyTripPoints(0), pickTripPoints(points, inTail.slice(0, count))]);
      for (const [nth, at] of inTail.entries())
        facts = facts && continueTail(facts, pickTripPoints(points, [at]), () => known(nth), TRIP_LIMITS);
      facts = facts && continueTail(facts, pickTripPoints(points, [late]), () => known(Infinity), TRIP_LIMITS);
      if (!facts) return;
      found++;
      const all = pickTripPoints(points, numbers(0, until));
      expect(tripsOf(all)).toEqual(tripsOf(pickTripPoints(points, [...numbers(0, begin), ...inTail])));
      expect(metersTo(placeAt(all, until - 1), { lat: facts.point?.lat ?? 0, lon: facts.point?.lon ?? 0 })).toBe(0);
    }),
    SEARCH,
  );
  expect(found).toBeGreaterThan(SEARCH.numRuns / 50);
});

test('positions of a vehicle that drives and waits at lights continue its trip without another cut', () => {
  const points = emptyTripPoints(600);
  let east = 0;
  for (const at of numbers(0, 600)) {
    east += at % 30 < 8 ? 0 : 60;
    points.time[at] = at * 10_000;
    points.lon[at] = east * METER;
  }
  const facts = tailOf(pickTripPoints(points, numbers(0, 29)));
  const later = pickTripPoints(points, numbers(29, 600));
  let tail: TailFacts | null = facts;
  for (const at of numbers(0, later.length)) {
    const known = () => pickTripPoints(later, numbers(0, at));
    tail = tail && continueTail(tail, pickTripPoints(later, [at]), known, TRIP_LIMITS);
  }
  expect(tail).not.toBeNull();
});
