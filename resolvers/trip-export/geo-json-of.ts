import type { TripPoints } from '../../models/trips/trip-points.ts';

import { decimal, type ExportedTrip, textOfPositions } from './exported-trip.ts';

/** JSON of what stands at a position. */
type Cell = (points: TripPoints, at: number) => string;

/** Members of `properties`, of a line and of a single position. */
const COLUMNS: readonly (readonly [ofLine: string, ofPoint: string, Cell])[] = [
  ['coordTimes', 'time', ({ time }, at) => `"${new Date(time[at] ?? 0).toISOString()}"`],
  ['speeds', 'speed', ({ speed }, at) => decimal(speed[at], 2) || 'null'],
  ['headings', 'heading', ({ heading }, at) => decimal(heading[at], 1) || 'null'],
  ['events', 'events', ({ events }, at) => JSON.stringify(events.get(at) ?? [])],
];
const COORDINATES: Cell = ({ lat, lon }, at) => `[${decimal(lon[at], 7)},${decimal(lat[at], 7)}]`;

/**
 * A trip as a GeoJSON Feature (RFC 7946): a LineString whose `properties` hold a list for each column of its positions,
 * `coordTimes`, `speeds` (m/s), `headings` (degrees) and `events`. A trip of one position, which is no line, is a Point
 * with `time`, `speed`, `heading` and `events`. The positions are read once for each column.
 */
export async function* geoJsonOf(trip: ExportedTrip): AsyncGenerator<string> {
  const names = `"key":${JSON.stringify(trip.key)},"vehicle_key":${JSON.stringify(trip.vehicle_key)}`;
  yield `{"type":"Feature","id":${JSON.stringify(trip.key)},"properties":{${names}`;
  const [open, close, type] = trip.length === 1 ? ['', '', 'Point'] : ['[', ']', 'LineString'];
  for (const [ofLine, ofPoint, cell] of COLUMNS) {
    yield* column(`,"${trip.length === 1 ? ofPoint : ofLine}":${open}`, close, trip, cell);
  }
  yield* column(`},"geometry":{"type":"${type}","coordinates":${open}`, `${close}}}\n`, trip, COORDINATES);
}

async function* column(before: string, after: string, trip: ExportedTrip, cell: Cell): AsyncGenerator<string> {
  yield before;
  let comma = '';
  yield* textOfPositions(trip, (points, at) => {
    const text = comma + cell(points, at);
    comma = ',';
    return text;
  });
  yield after;
}
