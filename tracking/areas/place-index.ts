import Flatbush from 'flatbush';

import type { StoredPlace } from '../../models/places/place.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import type { EndPlace, TripEnd } from '../../schema/trips/trip-end.ts';

import { EARTH_RADIUS_METERS, haversineMeters, RADIANS } from '../geometry/haversine.ts';
import { isInRing, ringOf } from '../geometry/ring.ts';

/** The part of places that decides which positions are in them, and their names. */
export type IndexedPlace = Pick<
  StoredPlace,
  'key' | 'name' | 'point' | 'radius' | 'polygon' | 'area_since' | 'former_areas'
>;

/** Circle or polygon. */
interface Shape {
  readonly point: GeoPoint | null;
  readonly radius: number | null;
  readonly polygon: readonly GeoPoint[];
}

/** West, south, east, north in degrees; beyond 180 or -180 if it crosses the antimeridian. */
type Box = readonly [number, number, number, number];

/** An area of a place, for positions in `[since, until)`, in milliseconds since 1970. */
interface IndexedArea {
  readonly place: EndPlace;
  readonly since: number;
  readonly until: number;
  readonly box: Box;
  readonly contains: (lat: number, lon: number) => boolean;
}

/**
 * The places of an account by their positions. An R-tree finds those whose box a position is in, so that thousands of
 * places cost no more than a few microseconds.
 */
export class PlaceIndex {
  /** Number of changes of the account's places when these were read. */
  readonly revision: number;
  readonly isEmpty: boolean;
  readonly #areas: readonly IndexedArea[];
  readonly #tree: Flatbush | null;

  constructor(revision: number, places: readonly IndexedPlace[]) {
    const boxed = places.flatMap(areasOf).flatMap((area) => boxesOn(area.box).map((box) => ({ area, box })));
    this.revision = revision;
    this.isEmpty = boxed.length === 0;
    this.#areas = boxed.map(({ area }) => area);
    this.#tree = this.isEmpty ? null : new Flatbush(boxed.length);
    for (const { box } of boxed) this.#tree?.add(...box);
    this.#tree?.finish();
  }

  /** The keys of the places in which a position was at a time, in milliseconds since 1970, in order. */
  at(lat: number, lon: number, time: number): readonly string[] {
    const found = this.#areasAt(lat, lon, time).map(({ place }) => place.key);
    return found.length > 1 ? [...new Set(found)].toSorted() : found;
  }

  /** The place in which a trip starts or ends; of several, the one with the smallest box; null if there is none. */
  ofEnd({ point, timestamp }: Pick<TripEnd, 'point' | 'timestamp'>): EndPlace | null {
    const found = point ? this.#areasAt(point.lat, point.lon, timestamp.getTime()) : [];
    const [smallest] = found.toSorted((a, b) => sizeOf(a.box) - sizeOf(b.box) || (a.place.key < b.place.key ? -1 : 1));
    return smallest?.place ?? null;
  }

  #areasAt(lat: number, lon: number, time: number): IndexedArea[] {
    const found: IndexedArea[] = [];
    for (const number of this.#tree?.search(lon, lat, lon, lat) ?? []) {
      const area = this.#areas[number];
      if (area && time >= area.since && time < area.until && area.contains(lat, lon)) found.push(area);
    }
    return found;
  }
}

/** The index of an account without places. */
export const NO_PLACES = new PlaceIndex(0, []);

function areasOf({ key, name, area_since, former_areas, ...area }: IndexedPlace): IndexedArea[] {
  const place = { key, name };
  const now = areaOf(place, area, area_since.getTime(), Infinity);
  const former = former_areas.map((one) => areaOf(place, one, one.since.getTime(), one.until.getTime()));
  return [...former, now];
}

function areaOf(place: EndPlace, { point, radius, polygon }: Shape, since: number, until: number): IndexedArea {
  if (point !== null && radius !== null) {
    const contains = (lat: number, lon: number) => haversineMeters(point.lat, point.lon, lat, lon) <= radius;
    return { place, since, until, box: boxAround(point, radius), contains };
  }
  const ring = ringOf(polygon);
  return { place, since, until, box: ring.box, contains: (lat, lon) => isInRing(ring, lat, lon) };
}

/** Margin around a circle for the rounding of its box, in degrees. */
const ROOM = 1e-9;

function boxAround({ lat, lon }: GeoPoint, radius: number): Box {
  const angle = radius / EARTH_RADIUS_METERS;
  const height = angle / RADIANS + ROOM;
  const [south, north] = [lat - height, lat + height];
  const isAtPole = south <= -90 || north >= 90;
  const width = isAtPole ? 180 : Math.asin(Math.sin(angle) / Math.cos(lat * RADIANS)) / RADIANS + ROOM;
  return [lon - width, south, lon + width, north];
}

/** The size of a box, in square degrees. */
function sizeOf([west, south, east, north]: Box): number {
  return (east - west) * (north - south);
}

/** A box and, if it crosses the antimeridian, the same box on the other side. */
function boxesOn(box: Box): Box[] {
  const [west, south, east, north] = box;
  const boxes = [box];
  if (west < -180) boxes.push([west + 360, south, east + 360, north]);
  if (east > 180) boxes.push([west - 360, south, east - 360, north]);
  return boxes;
}
