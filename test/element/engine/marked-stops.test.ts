import { expect, test } from 'vitest';

import { mergeStops } from '../../../element/engine/marked-stops.ts';
import type { LonLat, TripStop } from '../../../element/trips/trip.ts';

const HOME: LonLat = [11.5, 48.1];
/** About 37 m and 150 m from home. */
const [YARD, STREET]: [LonLat, LonLat] = [
  [11.5005, 48.1],
  [11.502, 48.1],
];
const WORK: LonLat = [11.6, 48.2];

const at = (minute: number): string => `2026-11-03T08:${String(minute).padStart(2, '0')}:00Z`;
const start: TripStop = { kind: 'start', timeZone: null, position: HOME, arrival: null, departure: at(0) };
const end: TripStop = { kind: 'end', timeZone: null, position: WORK, arrival: at(50), departure: null };
const stop = (position: LonLat, from: number, until: number): TripStop => ({
  ...{ kind: 'stop', timeZone: null, position, arrival: at(from), departure: at(until) },
});

test('a stop that begins a trip merges with its start, which has its departure', () => {
  const stops = [start, stop(YARD, 0, 4), stop(STREET, 6, 9), end];
  expect(mergeStops(stops)).toEqual([{ ...start, departure: at(4), stayed: 240 }, stop(STREET, 6, 9), end]);
});

test('a stop that ends a trip merges with its end, which has its arrival', () => {
  const stops = [start, stop(WORK, 45, 50)];
  expect(mergeStops([...stops, end])).toEqual([start, { ...end, arrival: at(45), stayed: 300 }]);
});

test('one stop is merged once, and a trip without ends keeps its stops', () => {
  expect(mergeStops([start, stop(HOME, 0, 9), { ...end, position: HOME }]).map(({ kind }) => kind)).toEqual([
    'start',
    'end',
  ]);
  expect(mergeStops([stop(HOME, 0, 9)])).toEqual([stop(HOME, 0, 9)]);
  expect(mergeStops([])).toEqual([]);
});
