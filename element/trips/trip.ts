import { decodeNumbers, decodePolyline } from '../../schema/trips/polyline.ts';
import { DARK_TRIP_COLORS, TRIP_COLORS } from '../../schema/trips/trip-drawing.ts';

import type { WirePosition, WireTimedPath, WireTrip, WireTripEnd } from './wire-trip.ts';

/** Longitude and latitude in degrees, in the order of GeoJSON. */
export type LonLat = [lon: number, lat: number];

/** A position of a trip with a marker and a popup: its start, its end, or a stop between them. */
export interface TripStop {
  readonly kind: 'start' | 'stop' | 'end';
  readonly position: LonLat;
  /** ISO 8601; null at the start, or if it is not known. */
  readonly arrival: string | null;
  /** ISO 8601; null at the end, or if it is not known. */
  readonly departure: string | null;
  /** IANA name of the zone of time of the trip; null if not known. */
  readonly timeZone: string | null;
  /** Place, street or city of a start or end; null if not known. */
  readonly name?: string | null;
  /** Source of a name that is of an address, which its license demands to name; omitted for a place. */
  readonly nameSource?: string;
  /** Seconds at the start or end of a trip that begins or ends with a stop; null if not known. */
  readonly stayed?: number | null;
}

/** A trip as the component draws it. */
export interface Trip {
  readonly key: string;
  readonly vehicleKey: string;
  /** Index of its color, that of its vehicle among several; its place among the trips by default. */
  readonly colorIndex?: number;
  /** IANA name of the zone of time in which it started; null if not known. */
  readonly timeZone: string | null;
  readonly durationSeconds: number | null;
  readonly distanceMeters: number | null;
  /** The line on the map; longitudes continue past ±180 if a trip crosses that meridian. */
  readonly path: readonly LonLat[];
  /** Indices of positions of `path` that are not connected to the previous one. */
  readonly breaks: readonly number[];
  /** Indices of positions of `path` that follow a gap in the recording: the way to them is not known. None is in `breaks`. */
  readonly gaps: readonly number[];
  /** Start, stops and end, in the order of travel. */
  readonly stops: readonly TripStop[];
  /** Times and speeds; null if they were not requested or are hidden. */
  readonly motion: TripMotion | null;
}

/** A line of one color: a trip, or a part of one. */
export interface ColoredLine {
  readonly key: string;
  readonly color: string;
  readonly path: LonLat[];
}

/** Times and speeds along the path of a trip. */
export interface TripMotion {
  /** Seconds since 1970 at each position of the path. */
  readonly times: readonly number[];
  /** Meters per second from each position to the next; null if not known. */
  readonly speeds: readonly (number | null)[];
}

const METERS_PER_SECOND_IN_TENTHS_OF_MPH = 0.044704;

/**
 * Reads a trip as the service sends it.
 *
 * @throws Error if it cannot be decoded
 */
export function tripOf(wire: WireTrip): Trip {
  const line = wire.timed_path ?? wire.path;
  const path = line ? unwrapPath(decodePolyline(line.points, line.precision)) : [];
  const first = positionOf(wire.start_point?.point) ?? path[0];
  const last = positionOf(wire.end_point?.point) ?? path.at(-1);
  const timeZone = wire.time_zone ?? null;
  const stops: TripStop[] = (wire.stops ?? []).map(({ point, arrival, departure }) => ({
    ...{ kind: 'stop', position: [point.lon, point.lat], timeZone, arrival, departure },
  }));
  const [departure, arrival] = [wire.start_point?.timestamp ?? null, wire.end_point?.timestamp ?? null];
  if (first)
    stops.unshift({ kind: 'start', position: first, timeZone, arrival: null, departure, ...nameOf(wire.start_point) });
  if (last) stops.push({ kind: 'end', position: last, timeZone, arrival, departure: null, ...nameOf(wire.end_point) });
  return {
    key: wire.key,
    vehicleKey: wire.vehicle_key,
    timeZone,
    durationSeconds: wire.duration_seconds,
    distanceMeters: wire.distance_meters,
    path,
    breaks: line?.breaks ?? [],
    gaps: line?.gaps ?? [],
    stops,
    motion: wire.timed_path ? motionOf(wire.timed_path) : null,
  };
}

/** Returns the connected segments of a trip's path as ranges of indices, `until` exclusive; most trips have one. */
export function segmentsOf({
  path,
  breaks,
}: Pick<Trip, 'path' | 'breaks'>): { readonly from: number; readonly until: number }[] {
  const edges = [0, ...breaks, path.length];
  return edges.slice(1).map((until, at) => ({ from: edges[at] ?? 0, until }));
}

/** Returns the indices of positions of a trip's path that no recorded way leads to: after hidden parts and gaps, in order. */
export function interruptionsOf({ breaks, gaps }: Pick<Trip, 'breaks' | 'gaps'>): number[] {
  return [...breaks, ...gaps].sort((a, b) => a - b);
}

/** Continues longitudes past ±180 if a path crosses that meridian, so that no line is drawn around the earth. */
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

/** Returns the direction from one position to another, in degrees clockwise from north; null if they are the same. */
export function headingBetween([fromLon, fromLat]: LonLat, [lon, lat]: LonLat): number | null {
  const east = (lon - fromLon) * Math.cos((lat * Math.PI) / 180);
  const north = lat - fromLat;
  return east === 0 && north === 0 ? null : ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

function nameOf(end: WireTripEnd | null): Pick<TripStop, 'name' | 'nameSource'> {
  const { place, address } = end ?? {};
  if (place) return { name: place.name };
  if (address?.street) return { name: address.street, nameSource: 'OpenStreetMap' };
  return address?.city ? { name: address.city, nameSource: 'GeoNames' } : { name: null };
}

function motionOf({ times, speeds }: WireTimedPath): TripMotion {
  return {
    times: decodeNumbers(times),
    speeds: decodeNumbers(speeds).map((tenths) => (tenths < 0 ? null : tenths * METERS_PER_SECOND_IN_TENTHS_OF_MPH)),
  };
}

function positionOf(point: WirePosition | null | undefined): LonLat | undefined {
  return point ? [point.lon, point.lat] : undefined;
}

/** Colors of trips: those of a theme, of which the page may have replaced the first. */
export interface TripPalette {
  /** The first color; empty for that of the theme. */
  readonly color: string;
  readonly theme: 'light' | 'dark';
}

/** Returns the color of the trip at `index`. */
export function tripColor(index: number, { color, theme }: TripPalette): string {
  const colors = theme === 'dark' ? DARK_TRIP_COLORS : TRIP_COLORS;
  const at = index % colors.length;
  return (at === 0 && color) || (colors[at] ?? colors[0]);
}
