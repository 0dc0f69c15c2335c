import { haversineMeters } from './haversine.ts';
import type { TimedTrack } from './track.ts';

/** Distance from which a position can be a jump, in meters: receivers scatter by less, however short the time between. */
const SHORTEST_JUMP_METERS = 200;

/** Maximum number of consecutive positions that are recognized as jumps out and back. */
const MAX_JUMPS = 3;

/** Meters between two positions of a track. */
export function metersBetween({ lat, lon }: TimedTrack, from: number, to: number): number {
  return haversineMeters(lat[from] ?? 0, lon[from] ?? 0, lat[to] ?? 0, lon[to] ?? 0);
}

/** Meters from one place to another. */
export function metersTo(from: Pick<TimedPlace, 'lat' | 'lon'>, to: Pick<TimedPlace, 'lat' | 'lon'>): number {
  return haversineMeters(from.lat, from.lon, to.lat, to.lon);
}

/** A position in degrees, and its time in milliseconds. */
export interface TimedPlace {
  readonly lat: number;
  readonly lon: number;
  readonly time: number;
}

/** A position of a track. */
export function placeAt({ lat, lon, time }: TimedTrack, at: number): TimedPlace {
  return { lat: lat[at] ?? Number.NaN, lon: lon[at] ?? Number.NaN, time: time[at] ?? Number.NaN };
}

/** Returns true if no vehicle drives from one position to a later one: at most at a speed in meters per second. */
export function isJump(from: TimedPlace, to: TimedPlace, maximum: number): boolean {
  const meters = metersTo(from, to);
  return meters > SHORTEST_JUMP_METERS && meters > ((to.time - from.time) / 1000) * maximum;
}

/** Speed below which a vehicle may as well stand now and then, in meters per second. */
const CRAWLING_METERS_PER_SECOND = 3;

/** Returns true if a vehicle stood for some time between two positions, however slowly it drove the rest of the time. */
export function hasStoodBetween(from: TimedPlace, to: TimedPlace, milliseconds: number): boolean {
  return to.time - from.time - (metersTo(from, to) / CRAWLING_METERS_PER_SECOND) * 1000 >= milliseconds;
}

/** Positions of a track, without those that jump away and back. */
export interface WithoutJumps {
  readonly places: readonly number[];
  readonly jumps: readonly number[];
  /** True if it depends on the next position whether the last ones are jumps; until then they are omitted. */
  readonly isUndecided: boolean;
}

/**
 * Omits positions that cannot be driven to and from: at most three in a row, after which the vehicle is where it could have
 * driven from the position before, or is still there, however much later. A vehicle that stays where it jumped was carried, by a
 * ferry for example, or drove in silence.
 */
export function withoutJumps(track: TimedTrack, places: readonly number[], maximum: number): WithoutJumps {
  const kept: number[] = [];
  const jumps: number[] = [];
  const isFar = (from: number, to: number) => isJump(placeAt(track, from), placeAt(track, to), maximum);
  for (let i = 0; i < places.length; i++) {
    const at = places[i] ?? 0;
    const before = kept.at(-1);
    if (before === undefined || !isFar(before, at)) {
      kept.push(at);
      continue;
    }
    const next = places.slice(i + 1, i + 1 + MAX_JUMPS);
    const isBackAt = (place: number) => metersBetween(track, before, place) <= SHORTEST_JUMP_METERS;
    const back = next.findIndex(
      (place, nth) => (isFar(places[i + nth] ?? at, place) || isBackAt(place)) && !isFar(before, place),
    );
    if (back === -1 && next.length < MAX_JUMPS) {
      jumps.push(...places.slice(i));
      return { places: kept, jumps, isUndecided: true };
    }
    if (back === -1) kept.push(at);
    else {
      jumps.push(...places.slice(i, i + 1 + back));
      i += back;
    }
  }
  return { places: kept, jumps, isUndecided: false };
}
