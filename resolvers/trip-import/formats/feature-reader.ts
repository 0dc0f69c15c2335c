import { numberOf } from '../rows/number-of.ts';
import { pathGetters } from '../rows/path-getter.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import { eventsOf, headingOf, isOnEarth, RowReader } from '../rows/row-reader.ts';
import type { FileItem, LeftOut, WholeTrip } from '../rows/stream-position.ts';

/** Members of `properties` that hold a value for each position of a line. */
interface Columns {
  readonly times: readonly unknown[];
  readonly speeds: readonly unknown[];
  readonly headings: readonly unknown[];
  readonly events: readonly unknown[];
}

/**
 * Makes trips and positions of GeoJSON features.
 *
 * A LineString or MultiLineString is one trip. What belongs to its positions is in `properties`, as lists of the same
 * length (one list a line for a MultiLineString): `coordTimes` (also `times`, or `coordinateProperties.times`) as ISO
 * 8601, `speeds` in metres per second, `headings` in degrees, `events` as lists of texts; null where there is none. Our
 * own export writes `coordTimes`, `speeds`, `headings` and `events`, and is read without loss. A Point with a time is a
 * position of a stream; one without is a place, and no trip.
 */
export class FeatureReader {
  readonly #properties: RowReader<object>;

  constructor(options: ReadOptions) {
    this.#properties = new RowReader(pathGetters({ ...options, speedUnit: options.speedUnit ?? 'm/s' }), options);
  }

  /** What a feature holds; nothing where it is none. */
  read(feature: unknown, line: number): FileItem[] {
    const { geometry, properties } = membersOf(feature);
    return this.#readGeometry(membersOf(geometry), membersOf(properties), line);
  }

  #readGeometry(geometry: Record<string, unknown>, properties: Record<string, unknown>, line: number): FileItem[] {
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

  #readPoint([lon, lat]: readonly unknown[], properties: object, line: number): FileItem {
    const position = this.#properties.readPosition(properties, line, numberOf(lat), numberOf(lon));
    if (position.kind === 'position' && position.time === null) return { kind: 'left_out', fault: 'no_line', line };
    return position;
  }

  #readLines(
    lines: readonly (readonly unknown[])[],
    { times, speeds, headings, events }: Columns,
    properties: object,
    line: number,
  ): WholeTrip | LeftOut {
    const vehicle = this.#properties.vehicleOf(properties);
    if (vehicle === undefined) return { kind: 'left_out', fault: 'no_vehicle', line };
    const recorded = new RecordedTrip(line);
    for (const [i, coordinates] of lines.flat().entries()) {
      const [lon = Number.NaN, lat = Number.NaN] = listOf(coordinates).map(numberOf);
      const when = this.#properties.timeOf(times[i]);
      if (!isOnEarth(lat, lon) || when === 'unreadable') {
        recorded.report(isOnEarth(lat, lon) ? 'bad_time' : 'no_position', line);
        continue;
      }
      recorded.add({
        lat,
        lon,
        line,
        time: when?.time ?? null,
        isZoneMissing: when?.isZoneMissing ?? false,
        speed: this.#properties.speedOf(speeds[i]),
        heading: headingOf(headings[i]),
        events: eventsOf(events[i]),
      });
    }
    return { kind: 'trip', vehicle, recorded };
  }
}

function columnsOf(properties: Record<string, unknown>): Columns {
  const { coordTimes, times, speeds, headings, events } = properties;
  return {
    times: listOf(coordTimes ?? times ?? membersOf(properties.coordinateProperties).times),
    speeds: listOf(speeds),
    headings: listOf(headings),
    events: listOf(events),
  };
}

/** Joins what a MultiLineString has of each line. */
function flattened({ times, speeds, headings, events }: Columns): Columns {
  return { times: times.flat(), speeds: speeds.flat(), headings: headings.flat(), events: events.flat() };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
