import { FileError } from '../faults/import-failure.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import { fieldsOf } from '../rows/row-fields.ts';
import { RowReader } from '../rows/row-reader.ts';
import type { FileItem, LeftOut, WholeTrack } from '../rows/stream-position.ts';
import { eventsOf, headingOf, numberOf } from '../rows/values.ts';
import { listOf, type Members, membersOf } from './json-members.ts';
import { jsonValues } from './json-values.ts';

/** Members of the document that are read, one at a time: a feature of a collection, or the parts of a single feature. */
const MEMBERS = ['$.features.*', '$.type', '$.geometry', '$.properties', '$.coordinates'];

const NO_TYPE = 'it is not GeoJSON: it has no type; for JSON objects, one a line, give --format ndjson';

/**
 * Reads the features of a GeoJSON document, at most one of them in memory.
 * @see https://www.rfc-editor.org/rfc/rfc7946
 * @throws FileError with the line where parsing stopped, after the features before it
 */
export async function* readGeojson(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<FileItem[]> {
  const reader = new FeatureReader(options);
  const document: Record<string, unknown> = {};
  for await (const values of jsonValues(text, MEMBERS, 'GeoJSON')) {
    const items: FileItem[] = [];
    for (const { key, member, value, line } of values) {
      if (key !== member) items.push(...reader.read(value, line));
      else if (typeof key === 'string') document[key] = value;
    }
    yield items;
  }
  if (document.type === undefined) throw new FileError(NO_TYPE, { line: 1, column: 1 });
  if (document.type !== 'FeatureCollection') yield reader.read(documentAsFeature(document), 1);
}

/** A single feature unchanged; a bare geometry as a feature without properties. */
function documentAsFeature(document: Record<string, unknown>): unknown {
  return document.type === 'Feature' ? document : { type: 'Feature', geometry: document, properties: {} };
}

/** Members of `properties` that hold a value for each position of a line. */
type Columns = Readonly<Record<'times' | 'speeds' | 'headings' | 'events', readonly unknown[]>>;

/**
 * Makes tracks and positions of GeoJSON features. A LineString or MultiLineString is one track. Columns of its positions
 * are in `properties`, as lists of the same length (one per line of a MultiLineString): `coordTimes` (also `times`, or
 * `coordinateProperties.times`) as ISO 8601, `speeds` in m/s, `headings` in degrees, `events` as lists of texts; null
 * for none. Our export writes these, and is read without loss. A Point with a time is a position of a stream; one
 * without a time is skipped.
 */
class FeatureReader {
  readonly #properties: RowReader;

  constructor(options: ReadOptions) {
    const { speedUnit = 'm/s' } = options;
    this.#properties = new RowReader(fieldsOf(null, { ...options, speedUnit }, null), options);
  }

  read(feature: unknown, line: number): FileItem[] {
    const { geometry, properties } = membersOf(feature);
    return this.#readGeometry(membersOf(geometry), membersOf(properties), line);
  }

  #readGeometry(geometry: Members, properties: Members, line: number): FileItem[] {
    const { type, coordinates, geometries } = geometry;
    switch (type) {
      case 'LineString':
        return [this.#readLines([listOf(coordinates)], columnsOf(properties), properties, line)];
      case 'MultiLineString':
        return [this.#readLines(listOf(coordinates).map(listOf), flattened(columnsOf(properties)), properties, line)];
      case 'Point':
        return [this.#readPoint(listOf(coordinates), properties, line)];
      case 'GeometryCollection':
        return listOf(geometries).flatMap((part) => this.#readGeometry(membersOf(part), properties, line));
      default:
        return [{ kind: 'left_out', fault: 'no_line', line }];
    }
  }

  #readPoint([lon, lat]: readonly unknown[], properties: Members, line: number): FileItem {
    const position = this.#properties.readPosition(properties, line, numberOf(lat), numberOf(lon));
    if (position.kind === 'position' && position.time === null) return { kind: 'left_out', fault: 'no_line', line };
    if (position.kind !== 'position' || position.trip !== null) return position;
    return { ...position, trip: exportedKey(properties) };
  }

  #readLines(
    lines: readonly (readonly unknown[])[],
    { times, speeds, headings, events }: Columns,
    properties: Members,
    line: number,
  ): WholeTrack | LeftOut {
    const vehicle = this.#properties.vehicleOf(properties);
    if (vehicle === undefined) return { kind: 'left_out', fault: 'no_vehicle', line };
    const recorded = new RecordedTrip(line);
    for (const [i, coordinates] of lines.flat().entries()) {
      const [lon = Number.NaN, lat = Number.NaN] = listOf(coordinates).map(numberOf);
      recorded.add({
        lat,
        lon,
        line,
        ...this.#properties.timeOf(times[i]),
        speed: this.#properties.speedOf(speeds[i]),
        heading: headingOf(headings[i]),
        events: eventsOf(events[i]),
      });
    }
    return { kind: exportedKey(properties) === null ? 'track' : 'trip', vehicle, recorded };
  }
}

/** Key of the trip that our own export has as a feature; null for a feature of another program. */
function exportedKey({ key, vehicle_key }: Members): string | null {
  return typeof key === 'string' && typeof vehicle_key === 'string' ? key : null;
}

function columnsOf(properties: Members): Columns {
  const { coordTimes, times, speeds, headings, events } = properties;
  return {
    times: listOf(coordTimes ?? times ?? membersOf(properties.coordinateProperties).times),
    speeds: listOf(speeds),
    headings: listOf(headings),
    events: listOf(events),
  };
}

function flattened({ times, speeds, headings, events }: Columns): Columns {
  return { times: times.flat(), speeds: speeds.flat(), headings: headings.flat(), events: events.flat() };
}
