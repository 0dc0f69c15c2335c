import { decodeNumbers, decodePolyline } from '../../schema/trips/polyline.ts';

import type { WirePosition, WireTimedPath, WireTrip } from './trips-query.ts';

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
  /** Numbers of the positions of `path` to which no line leads from the one before. */
  readonly breaks: readonly number[];
  /** Start, stops and end, in the order of travel. */
  readonly stops: readonly TripStop[];
  /** When and how fast; null where it was not asked for, or may not be known. */
  readonly motion: TripMotion | null;
}

/** A line to be drawn: a trip, or a run of one, in one colour. */
export interface ColoredLine {
  readonly key: string;
  readonly color: string;
  readonly path: LonLat[];
}

/** When a trip was where on its path, and how fast it went. */
export interface TripMotion {
  /** Seconds since 1970 at each position of the path. */
  readonly times: readonly number[];
  /** Metres per second from each position to the next; null where that is not known. */
  readonly speeds: readonly (number | null)[];
  /** Times without positions, in seconds since 1970. */
  readonly gaps: readonly (readonly [from: number, until: number])[];
}

const METERS_PER_SECOND_IN_TENTHS_OF_MPH = 0.044704;

/** Reads a trip off the wire; `ApiError` is the caller's to make of what this throws. */
export function tripOf(wire: WireTrip): Trip {
  const line = wire.timed_path ?? wire.path;
  const path = line ? unwrapPath(decodePolyline(line.points, line.precision)) : [];
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
    breaks: line?.breaks ?? [],
    stops,
    motion: wire.timed_path ? motionOf(wire.timed_path, wire.gaps ?? []) : null,
  };
}

/** The stretches of a trip's path that are drawn, as ranges of positions, `until` exclusive; most trips have one. */
export function partsOf({ path, breaks }: Trip): { readonly from: number; readonly until: number }[] {
  const edges = [0, ...breaks, path.length];
  return edges.slice(1).map((until, at) => ({ from: edges[at] ?? 0, until }));
}

/**
 * Lets longitudes run past ±180 where a path crosses that meridian, so that no line is drawn around the earth. Most paths
 * cross none, and are answered as they are.
 */
export function unwrapPath(path: readonly LonLat[]): readonly LonLat[] {
  if (!path.some(([lon], at) => Math.abs(lon - (path[at - 1]?.[0] ?? lon)) >= 180)) return path;
  let turns = 0;
  let previous: number | undefined;
  return path.map(([lon, lat]) => {
    if (previous !== undefined) turns -= Math.round((lon - previous) / 360);
    previous = lon;
    return [lon + turns * 360, lat];
  });
}

function motionOf({ times, speeds }: WireTimedPath, gaps: NonNullable<WireTrip['gaps']>): TripMotion {
  return {
    times: decodeNumbers(times),
    speeds: decodeNumbers(speeds).map((tenths) => (tenths < 0 ? null : tenths * METERS_PER_SECOND_IN_TENTHS_OF_MPH)),
    gaps: gaps.map(({ started, ended }) => [Date.parse(started) / 1000, Date.parse(ended) / 1000]),
  };
}

function positionOf(point: WirePosition | null | undefined): LonLat | undefined {
  return point ? [point.lon, point.lat] : undefined;
}
