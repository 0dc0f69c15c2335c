import { shownEvents } from '../../models/trips/position-marks.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { type Page, unknownCursor } from '../../schema/page.ts';
import type { TripPoint } from '../../schema/trips/trip-point.ts';

import { milesPerHour, toTenths } from '../geometry/speeds.ts';
import { odometerAt, readingAt } from '../geometry/readings.ts';
import { ListCursors } from '../../models/lists/list-cursors.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * A page of a trip's visible positions; their place is their time, which is unique in a trip, so that positions that come late
 * move no other.
 *
 * @throws ServiceError BAD_REQUEST for a cursor of another list
 */
export async function tripPointPage(
  service: Service,
  points: TripPoints,
  { tripKey, first, after }: { tripKey: string; first: number; after: string | null | undefined },
): Promise<Page<TripPoint>> {
  const placeOf = (at: number) => points.time[at] ?? Number.NaN;
  const cursors = await ListCursors.of<number>(service, ['TripPoint', tripKey], {
    write: String,
    read: Number,
    // In version 0.2 it was a number among the positions.
    find: (text) => {
      if (!/^\d{1,15}$/.test(text) || Number(text) >= points.length) throw unknownCursor();
      return placeOf(Number(text));
    },
  });
  const start = await cursors.start(after);
  const { length } = points;
  const isBackward = first < 0;
  const size = Math.abs(first);
  const isBehind = (time: number) =>
    !start || (start.isAfter && !isBackward ? time > start.place : time >= start.place);
  const found = points.time.findIndex(isBehind);
  const begin = (isBackward && !start) || found < 0 ? length : found;
  const count = Math.min(size + 1, isBackward ? begin : length - begin);
  const numbers = Array.from({ length: count }, (_, i) => (isBackward ? begin - 1 - i : begin + i));
  const page = cursors.page({ found: numbers, size, start, placeOf, isBackward });
  return { ...page, nodes: page.nodes.map((at) => tripPointAt(points, at)), count: async () => length };
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
    events: shownEvents(events.get(at)),
    odometer: odometerAt(points, at),
    fuel_level: readingAt(points, 'fuel_level', at),
    battery_level: readingAt(points, 'battery_level', at),
    ignition: ignition === null ? null : ignition === 1,
  };
}
