import type { FormerArea, StoredPlace } from '../../models/places/place.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import type { EndPlace } from '../../schema/trips/trip-end.ts';

import { EARTH_RADIUS_METERS, haversineMeters, RADIANS } from '../geometry/haversine.ts';
import { isInRing, metersToRing, ringOf } from '../geometry/ring.ts';

/** The part of places that decides which positions are in them, and their names. */
export type IndexedPlace = Pick<
  StoredPlace,
  | 'key'
  | 'name'
  | 'point'
  | 'radius'
  | 'polygon'
  | 'border_meters'
  | 'border_seconds'
  | 'dwell_seconds'
  | 'area_since'
  | 'former_areas'
>;

/** Position relative to a place: in its area, in the border around that, or farther away. */
export type PlaceSide = 'inside' | 'border' | 'outside';

/** West, south, east, north in degrees; beyond 180 or -180 if it crosses the antimeridian. */
export type Box = readonly [number, number, number, number];

/** An area of a place, for positions in `[since, until)`, in milliseconds since 1970. */
export interface PlaceArea {
  readonly place: EndPlace;
  readonly since: number;
  readonly until: number;
  /** Time outside after which a vehicle has left even in the border, in milliseconds; not less than `dwell_ms`. */
  readonly border_ms: number;
  /** Time after which a vehicle has arrived, or left beyond the border, in milliseconds. */
  readonly dwell_ms: number;
  /** Box of the area with its border. */
  readonly box: Box;
  /** Size of the box of the area without its border, in square degrees. */
  readonly size: number;
  readonly sideOf: (lat: number, lon: number) => PlaceSide;
}

/** The areas of a place, in the order of their times. */
export function areasOf({ key, name, former_areas, ...area }: IndexedPlace): PlaceArea[] {
  const place = { key, name };
  const former = former_areas.map((one) => areaOf(place, one, one.since.getTime(), one.until.getTime()));
  return [...former, areaOf(place, area, area.area_since.getTime(), Infinity)];
}

function areaOf(place: EndPlace, shape: Omit<FormerArea, 'since' | 'until'>, since: number, until: number): PlaceArea {
  const { point, radius, polygon, border_meters: border } = shape;
  const dwell_ms = shape.dwell_seconds * 1000;
  const times = { border_ms: Math.max(shape.border_seconds * 1000, dwell_ms), dwell_ms };
  if (point !== null && radius !== null) {
    const sideOf = (lat: number, lon: number) => {
      const meters = haversineMeters(point.lat, point.lon, lat, lon);
      return meters <= radius ? 'inside' : meters <= radius + border ? 'border' : 'outside';
    };
    const size = sizeOf(boxAround(point, radius));
    return { place, since, until, ...times, box: boxAround(point, radius + border), size, sideOf };
  }
  const ring = ringOf(polygon);
  const sideOf = (lat: number, lon: number) => {
    if (isInRing(ring, lat, lon)) return 'inside';
    return border > 0 && metersToRing(ring, lat, lon) <= border ? 'border' : 'outside';
  };
  return { place, since, until, ...times, box: grown(ring.box, border), size: sizeOf(ring.box), sideOf };
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

/** A box with a border, in meters. */
function grown(box: Box, border: number): Box {
  if (border === 0) return box;
  const [west, south, east, north] = box;
  const farthest = Math.abs(south) > Math.abs(north) ? south : north;
  const [left, below] = boxAround({ lat: farthest, lon: 0 }, border);
  const height = farthest - below;
  return [west + left, south - height, east - left, north + height];
}

/** The size of a box, in square degrees. */
function sizeOf([west, south, east, north]: Box): number {
  return (east - west) * (north - south);
}

/** A box and, if it crosses the antimeridian, the same box on the other side. */
export function boxesOn(box: Box): Box[] {
  const [west, south, east, north] = box;
  const boxes = [box];
  if (west < -180) boxes.push([west + 360, south, east + 360, north]);
  if (east > 180) boxes.push([west - 360, south, east - 360, north]);
  return boxes;
}
