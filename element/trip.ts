import { decodePolyline } from '../schema/polyline.ts';

import type { WirePosition, WireTrip } from './trips-query.ts';
import { unwrapPath } from './unwrap-path.ts';

/** Longitude and latitude in degrees, in the order of GeoJSON. */
export type LonLat = [lon: number, lat: number];

/** A place of a trip that has a marker and a popup: its start, its end, or a stop between them. */
export interface TripStop {
  readonly kind: 'start' | 'stop' | 'end';
  readonly position: LonLat;
  /** ISO 8601; null at the start, and where the service gives none. */
  readonly arrival: string | null;
  /** ISO 8601; null at the end, and where the service gives none. */
  readonly departure: string | null;
}

/** A trip as the component draws it. */
export interface Trip {
  readonly key: string;
  readonly vehicleKey: string;
  readonly durationSeconds: number | null;
  readonly distanceMeters: number | null;
  /** The line on the map; longitudes run past 180 rather than jump where a trip crosses that meridian. */
  readonly path: readonly LonLat[];
  /** Start, stops and end, in the order of travel. */
  readonly stops: readonly TripStop[];
}

/** Reads a trip off the wire; `ApiError` is the caller's to make of what this throws. */
export function tripOf(wire: WireTrip): Trip {
  const path = wire.path ? unwrapPath(decodePolyline(wire.path.points, wire.path.precision)) : [];
  const first = positionOf(wire.start_point?.point) ?? path[0];
  const last = positionOf(wire.end_point?.point) ?? path.at(-1);
  const stops: TripStop[] = (wire.stops ?? []).map(({ point, arrival, departure }) => ({
    kind: 'stop',
    position: [point.lon, point.lat],
    arrival,
    departure,
  }));
  if (first)
    stops.unshift({ kind: 'start', position: first, arrival: null, departure: wire.start_point?.timestamp ?? null });
  if (last) stops.push({ kind: 'end', position: last, arrival: wire.end_point?.timestamp ?? null, departure: null });
  return {
    key: wire.key,
    vehicleKey: wire.vehicle_key,
    durationSeconds: wire.duration_seconds,
    distanceMeters: wire.distance_meters,
    path,
    stops,
  };
}

function positionOf(point: WirePosition | null | undefined): LonLat | undefined {
  return point ? [point.lon, point.lat] : undefined;
}
