import Flatbush from 'flatbush';

import type { EndPlace, TripEnd } from '../../schema/trips/trip-end.ts';

import type { TimedPlace } from '../geometry/motion.ts';
import { areasOf, boxesOn, type IndexedPlace, type PlaceArea, type PlaceSide } from './place-area.ts';

/**
 * The places of an account by their positions. An R-tree finds those whose box a position is in, so that thousands of
 * places cost no more than a few microseconds.
 */
export class PlaceIndex {
  /** Number of changes of the account's places when these were read. */
  readonly revision: number;
  readonly isEmpty: boolean;
  /** True if a vehicle arrives at or leaves any place only after some time there. */
  readonly hasDwell: boolean;
  /** When a place last got an area, in milliseconds since 1970. */
  readonly lastDrawn: number;
  readonly #byPlace: ReadonlyMap<string, readonly PlaceArea[]>;
  readonly #areas: readonly PlaceArea[];
  readonly #tree: Flatbush | null;

  constructor(revision: number, places: readonly IndexedPlace[]) {
    this.#byPlace = new Map(places.map((place) => [place.key, areasOf(place)]));
    const areas = [...this.#byPlace.values()].flat();
    const boxed = areas.flatMap((area) => boxesOn(area.box).map((box) => ({ area, box })));
    this.revision = revision;
    this.isEmpty = boxed.length === 0;
    this.hasDwell = areas.some(({ dwell_ms }) => dwell_ms > 0);
    this.lastDrawn = areas.reduce((last, { since }) => Math.max(last, since), -Infinity);
    this.#areas = boxed.map(({ area }) => area);
    this.#tree = this.isEmpty ? null : new Flatbush(boxed.length);
    for (const { box } of boxed) this.#tree?.add(...box);
    this.#tree?.finish();
  }

  /** The areas of a place, in the order of their times; none if it does not exist. */
  areasOf(key: string): readonly PlaceArea[] {
    return this.#byPlace.get(key) ?? [];
  }

  /** The places in whose area or border a position is, by key. */
  sidesAt({ lat, lon, time }: TimedPlace): ReadonlyMap<string, PlaceSide> {
    return new Map(
      this.#areasAt(lat, lon)
        .filter(({ since, until }) => time >= since && time < until)
        .map((area) => [area.place.key, area.sideOf(lat, lon)] as const)
        .filter(([, side]) => side !== 'outside'),
    );
  }

  /** Keys of the places that got an area around a position after its time, and until another time. */
  drawnAround({ lat, lon, time }: TimedPlace, until: number): string[] {
    if (this.lastDrawn <= time) return [];
    return this.#areasAt(lat, lon)
      .filter(({ since, sideOf }) => since > time && since <= until && sideOf(lat, lon) === 'inside')
      .map(({ place }) => place.key);
  }

  /** The place in which a trip starts or ends; of several, the one with the smallest box; null if there is none. */
  ofEnd({ point, timestamp }: Pick<TripEnd, 'point' | 'timestamp'>): EndPlace | null {
    if (!point) return null;
    const { lat, lon } = point;
    const time = timestamp.getTime();
    const [smallest] = this.#areasAt(lat, lon)
      .filter(({ since, until, sideOf }) => time >= since && time < until && sideOf(lat, lon) === 'inside')
      .toSorted((a, b) => a.size - b.size || (a.place.key < b.place.key ? -1 : 1));
    return smallest?.place ?? null;
  }

  /** The areas of any time whose box, with the border, a position is in. */
  #areasAt(lat: number, lon: number): PlaceArea[] {
    return (this.#tree?.search(lon, lat, lon, lat) ?? []).flatMap((number) => this.#areas[number] ?? []);
  }
}

/** The index of an account without places. */
export const NO_PLACES = new PlaceIndex(0, []);
