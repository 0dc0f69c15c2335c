import 'reflect-metadata';

import { addressAt } from '../tracking/addresses/trip-addresses.ts';
import type { IndexedPlace } from '../tracking/areas/place-area.ts';
import { PlaceIndex } from '../tracking/areas/place-index.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { mainThreadCpu } from './cpu-time.ts';
import { median } from './times.ts';

const PLACES = 10_000;
/** CPU time that a position may take, in microseconds. */
const MAX_MICROSECONDS = 20;
const ROUNDS = 9;
const POSITIONS = 100_000;

/** Time that the city of a position may take in 99 of 100 cases, in milliseconds. */
const MAX_CITY_MILLISECONDS = 1;

/** Measures the time in which the places of a position are found among those of an account, and its city in the world. */
export async function run(): Promise<BenchRow[]> {
  const index = new PlaceIndex(
    1,
    Array.from({ length: PLACES }, (_, at) => placeAt(at)),
  );
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = mainThreadCpu();
    for (let at = 0; at < POSITIONS; at += 1) {
      index.sidesAt({ lat: 50 + part(at, 7919), lon: 8 + part(at, 104_729), time: 1e12 });
    }
    return ((mainThreadCpu() - before) / POSITIONS) * 1000;
  });
  const time = median(rounds);
  const detail = `${time.toFixed(2)} µs of CPU a position`;
  return [atMost(`the places of a position, to ${MAX_MICROSECONDS} µs`, time / MAX_MICROSECONDS, 1, detail), cityRow()];
}

/** Measures how long the city of a position takes: half of them in Europe, half anywhere on earth. */
function cityRow(): BenchRow {
  addressAt({ lat: 0, lon: 0 });
  const times = Array.from({ length: POSITIONS }, (_, at) => {
    const [y, x] = [part(at, 7919), part(at, 104_729)];
    const point = at % 2 === 0 ? { lat: 40 + y * 15, lon: x * 20 } : { lat: y * 180 - 90, lon: x * 360 - 180 };
    const before = performance.now();
    addressAt(point);
    return performance.now() - before;
  }).toSorted((one, other) => one - other);
  const time = times[Math.floor(POSITIONS * 0.99)] ?? 0;
  const detail = `${(time * 1000).toFixed(0)} µs in 99 of 100 cases, ${(median(times) * 1000).toFixed(0)} µs in half of them`;
  return atMost('the city of a position, in 99 of 100 cases to 1 ms', time / MAX_CITY_MILLISECONDS, 1, detail);
}

/** A part of a degree that differs from one position to the next. */
function part(at: number, step: number): number {
  return ((at * step) % 100_000) / 100_000;
}

/** A circle of a grid, in which neighbors overlap. */
function placeAt(at: number): IndexedPlace {
  return {
    key: `place-${at}`,
    name: `Place ${at}`,
    point: { lat: 50 + (at % 100) / 100, lon: 8 + Math.floor(at / 100) / 100 },
    radius: 400,
    polygon: [],
    border_meters: 50,
    border_seconds: 300,
    dwell_seconds: 0,
    area_since: new Date(0),
    former_areas: [],
  };
}
