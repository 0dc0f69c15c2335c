import type { TripPoints } from '../../models/trips/trip-points.ts';
import { type Page, pageOf, readCursor, readSize, unknownCursor } from '../../schema/page.ts';
import type { TripPoint } from '../../schema/trips/trip-point.ts';

import { milesPerHour, toTenths } from '../geometry/speeds.ts';
import { odometerAt, readingAt } from '../geometry/readings.ts';

/**
 * A page of a trip's visible positions; a cursor is a place among them.
 *
 * @throws ServiceError BAD_REQUEST where `after` is no such place
 */
export function tripPointPage(points: TripPoints, first: number, after: string | null): Page<TripPoint> {
  const start = readCursor(after);
  const from = start.cursor === null ? 0 : placeOf(start.cursor, points.length);
  const places = Array.from({ length: Math.min(readSize(first, start), points.length - from) }, (_, i) => from + i);
  const page = pageOf(places, first, { start, cursorOf: String });
  return { ...page, nodes: page.nodes.map((at) => tripPointAt(points, at)) };
}

function placeOf(cursor: string, length: number): number {
  const place = Number(cursor);
  if (!/^\d{1,15}$/.test(cursor) || place >= length) {
    throw unknownCursor();
  }
  return place;
}

function tripPointAt(points: TripPoints, at: number): TripPoint {
  const { time, lat, lon, speed, heading, events } = points;
  const ignition = readingAt(points, 'ignition', at);
  const recordedSpeed = speed[at] ?? Number.NaN;
  const recordedHeading = heading[at] ?? Number.NaN;
  return {
    point: { lat: lat[at] ?? 0, lon: lon[at] ?? 0 },
    timestamp: new Date(time[at] ?? 0),
    heading: Number.isNaN(recordedHeading) ? null : recordedHeading,
    speed: Number.isNaN(recordedSpeed) ? null : toTenths(milesPerHour(recordedSpeed)),
    events: [...(events.get(at) ?? [])],
    odometer: odometerAt(points, at),
    fuel_level: readingAt(points, 'fuel_level', at),
    battery_level: readingAt(points, 'battery_level', at),
    ignition: ignition === null ? null : ignition === 1,
  };
}
