import type { WorkMeter } from '../../auth/caller.ts';
import { accountAccessScope, unrestricted, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { shownEvents } from '../../models/trips/position-marks.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { streamTripPoints } from '../../models/trips/trip-points-bucket.ts';
import { notFound } from '../../schema/service-error.ts';
import { escapeXml } from '../../schema/xml.ts';
import { awaitArrangement } from '../recording/complete-interrupted.ts';
import { loadOpenTripPoints } from '../trips/open-trip-points.ts';
import { TimeSlice } from '../scheduling/time-slice.ts';
import type { Service } from '../../models/store/service.ts';
import { GPX_CREATOR, WAYBRIDGE_GPX } from '../import/formats/gpx-names.ts';

/** A trip to export. */
interface ExportedTrip {
  readonly key: string;
  readonly vehicle_key: string;
  readonly length: number;
  /** All positions in order, in pieces; may be called more than once. */
  readonly read: () => AsyncIterable<TripPoints>;
}

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  `<gpx version="1.1" creator="${GPX_CREATOR}" xmlns="http://www.topografix.com/GPX/1/1" ` +
  'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" ' +
  `xmlns:waybridge="${WAYBRIDGE_GPX}">\n`;

/**
 * A trip as GPX 1.1, one track of one segment: speed (m/s) and course in Garmin's TrackPointExtension (version 2),
 * events in a namespace of our own. Characters that XML cannot hold are written as U+FFFD.
 * @see https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd
 */
async function* gpxOf(trip: ExportedTrip): AsyncGenerator<string> {
  yield `${HEAD}<trk><name>${escapeXml(trip.key)}</name><trkseg>\n`;
  yield* textOfPositions(trip, positionOf);
  yield '</trkseg></trk>\n</gpx>\n';
}

function positionOf({ time, lat, lon, speed, heading, events }: TripPoints, at: number): string {
  const motion = element('gpxtpx:speed', decimal(speed[at], 2)) + element('gpxtpx:course', decimal(heading[at], 1));
  const happened = shownEvents(events.get(at))
    .map((event) => element('waybridge:event', escapeXml(event)))
    .join('');
  const extensions = element('gpxtpx:TrackPointExtension', motion) + happened;
  return (
    `<trkpt lat="${decimal(lat[at], 7)}" lon="${decimal(lon[at], 7)}">` +
    `<time>${new Date(time[at] ?? 0).toISOString()}</time>${element('extensions', extensions)}</trkpt>\n`
  );
}

function element(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${content}</${name}>`;
}

/** JSON of the data at a position. */
type Cell = (points: TripPoints, at: number) => string;

/** Members of `properties`, of a line and of a single position. */
const COLUMNS: readonly (readonly [ofLine: string, ofPoint: string, Cell])[] = [
  ['coordTimes', 'time', ({ time }, at) => `"${new Date(time[at] ?? 0).toISOString()}"`],
  ['speeds', 'speed', ({ speed }, at) => decimal(speed[at], 2) || 'null'],
  ['headings', 'heading', ({ heading }, at) => decimal(heading[at], 1) || 'null'],
  ['events', 'events', ({ events }, at) => JSON.stringify(shownEvents(events.get(at)))],
];
const COORDINATES: Cell = ({ lat, lon }, at) => `[${decimal(lon[at], 7)},${decimal(lat[at], 7)}]`;

/**
 * A trip as a GeoJSON Feature (RFC 7946): a LineString whose `properties` hold a list for each column of its positions,
 * `coordTimes`, `speeds` (m/s), `headings` (degrees) and `events`. A trip of one position, which is no line, is a Point
 * with `time`, `speed`, `heading` and `events`. The positions are read once for each column.
 */
async function* geoJsonOf(trip: ExportedTrip): AsyncGenerator<string> {
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

/** Writes all positions of a trip, one after the other, in time slices, between which other requests run. */
async function* textOfPositions(
  { read }: ExportedTrip,
  write: (points: TripPoints, at: number) => string,
): AsyncGenerator<string> {
  const slice = new TimeSlice();
  for await (const points of read()) {
    let text = '';
    for (let at = 0; at < points.length; at++) {
      if (slice.isOver()) {
        yield text;
        text = '';
        await slice.next();
      }
      text += write(points, at);
    }
    yield text;
  }
}

/** A number with at most so many decimals and no exponent, as every format reads it; empty for NaN. */
function decimal(value: number | undefined, decimals: number): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(decimals).replace(/\.?0+$/, '');
}

/** Formats in which a trip can be exported. */
export type ExportFormat = 'gpx' | 'geojson';

/**
 * Reads a whole trip as a file, written while it is read, with a few buckets in memory at most; an open trip up to
 * its latest position. For callers from whom nothing is hidden: the account's owner, and the operator (`accountKey`
 * null).
 *
 * @param work is charged with the positions of the trip before they are read
 * @throws ServiceError NOT_FOUND if the caller cannot see such a trip, or TOO_MANY_REQUESTS, before anything is written
 */
export async function exportTrip(
  service: Service,
  accountKey: string | null,
  key: string,
  format: ExportFormat,
  work?: WorkMeter,
): Promise<AsyncIterable<string>> {
  const filter = { key, staged: false, ...(accountKey !== null && { account_key: accountKey }) };
  const find = () => TripStore.findOne(unrestricted(service), filter).exec();
  const found = await find();
  if (found) await awaitArrangement(service, found.account_key ?? '', [found.vehicle_key]);
  const trip = found && (await find());
  if (!trip || trip.point_count === 0) throw notFound('trip');
  await work?.demand();
  await work?.charge(trip.point_count);
  const records = vehicleAccessScope(accountAccessScope(service, trip.account_key ?? ''), { key: trip.vehicle_key });
  const open = (await loadOpenTripPoints(records, [trip])).get(key);
  const exported = {
    key,
    vehicle_key: trip.vehicle_key,
    length: open?.length ?? trip.point_count,
    read: () => (open ? once(open) : inFull(streamTripPoints(records, trip), trip.point_count)),
  };
  return fileOf(exported, format);
}

/** Writes a trip of which these positions are visible, as {@link exportTrip} does. */
export function exportPoints(
  trip: Pick<ExportedTrip, 'key' | 'vehicle_key'>,
  points: TripPoints,
  format: ExportFormat,
): AsyncIterable<string> {
  return fileOf({ ...trip, length: points.length, read: () => once(points) }, format);
}

function fileOf(trip: ExportedTrip, format: ExportFormat): AsyncIterable<string> {
  return format === 'gpx' ? gpxOf(trip) : geoJsonOf(trip);
}

/** @throws Error at the end if there were fewer positions or more: the trip has changed meanwhile, and columns would not match */
async function* inFull(pieces: AsyncIterable<TripPoints>, length: number): AsyncGenerator<TripPoints> {
  let read = 0;
  for await (const points of pieces) {
    read += points.length;
    yield points;
  }
  if (read !== length) throw new Error(`A trip of ${length} positions had ${read} while it was exported`);
}

async function* once(points: TripPoints): AsyncGenerator<TripPoints> {
  yield points;
}
