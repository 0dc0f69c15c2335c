import { findTooDeep } from '../../../schema/json-depth.ts';
import { decodePolyline } from '../../../schema/trips/polyline.ts';
import { MAX_ODOMETER } from '../../geometry/readings.ts';
import { SPEED_UNITS } from '../../geometry/speeds.ts';
import { type ColumnField, ODOMETER_UNITS, type ReadOptions } from './read-options.ts';
import { RecordedTrip } from './recorded-trip.ts';
import { fieldsOf, type FileRow, type JoinedRows, missingColumn, type RowFields, type RowPiece } from './row-fields.ts';
import type { FileItem, LeftOut, StreamPosition, WholeTrack } from './stream-position.ts';
import { type ReadTime, timeReader, type TimeReader } from './time-reader.ts';
import {
  commaNumberOf,
  degreesOf,
  eventsOf,
  hasDecimalComma,
  isEmpty,
  isOnEarth,
  measureOf,
  motionOf,
  numberOf,
  textOf,
} from './values.ts';
import { csvRows } from './csv-rows.ts';
import { readText } from './file-text.ts';
import { withFile } from '../faults/import-failure.ts';

const ENGINE_ON = ['on', '1', 'true', 'yes'];
const ENGINE_OFF = ['off', '0', 'false', 'no'];

/**
 * Reads rows as positions, or as whole trips if `coordinates` is mapped.
 *
 * @throws FileError if a column is missing
 */
export async function* readRows(pieces: AsyncIterable<RowPiece>, options: ReadOptions): AsyncGenerator<FileItem[]> {
  let reader: RowReader | undefined;
  for await (const { header, rows } of pieces) {
    if (!reader) {
      const fields = fieldsOf(header, options, await readJoined(options));
      reader = new RowReader(fields, options);
      if (header && fields.isTimeJoined) yield [leftOut('joined_columns', header.line)];
    }
    const made = reader;
    yield rows.map((row) => made.read(row));
  }
}

/** Makes positions, or whole trips, of the rows of a file: lines of CSV, objects of NDJSON, properties of GeoJSON. */
export class RowReader {
  readonly #fields: RowFields;
  readonly #readTime: TimeReader;
  readonly #speedFactor: number;
  readonly #odometerFactor: number;
  readonly #intervalMs: number;
  /** True once a coordinate has had a decimal comma: so may the other numbers, in which a comma else separates thousands. */
  #hasCommas = false;

  constructor(fields: RowFields, options: ReadOptions) {
    this.#fields = fields;
    this.#readTime = timeReader(options);
    this.#speedFactor = SPEED_UNITS[options.speedUnit ?? 'm/s'];
    this.#odometerFactor = ODOMETER_UNITS[options.odometerUnit ?? 'm'];
    this.#intervalMs = (options.interval ?? 0) * 1000;
  }

  read({ row, line }: FileRow): FileItem {
    if (!this.#fields.isJoined(row)) return leftOut('no_join', line);
    if (this.#fields.getters.coordinates) return this.#readTrip(row, line);
    const lat = this.#get('lat', row);
    const lon = this.#get('lon', row);
    this.#hasCommas ||= hasDecimalComma(lat) || hasDecimalComma(lon);
    return this.readPosition(row, line, degreesOf(lat, 'lat'), degreesOf(lon, 'lon'));
  }

  readPosition(row: object, line: number, lat: number, lon: number): StreamPosition | LeftOut {
    if (!isOnEarth(lat, lon)) return leftOut('no_position', line);
    const { time, isZoneMissing } = this.timeOf(this.#get('time', row));
    if (time === 'unreadable') return leftOut('bad_time', line, textOf(this.#get('time', row)));
    const vehicle = this.vehicleOf(row);
    if (vehicle === undefined) return leftOut('no_vehicle', line);
    return {
      kind: 'position',
      lat,
      lon,
      time,
      isZoneMissing,
      speed: this.speedOf(this.#get('speed', row)),
      heading: motionOf(this.#get('heading', row), this.#number(this.#get('heading', row)), 360),
      odometer: this.#odometerOf(this.#get('odometer', row)),
      fuel_level: measureOf(this.#get('fuel_level', row), this.#number(this.#get('fuel_level', row)), 100),
      events: eventsOf(this.#get('events', row)),
      line,
      vehicle,
      trip: textOf(this.#get('trip', row)),
      isEngineOn: this.#engineOf(row),
    };
  }

  /** Returns the name of the vehicle: null if no column names it, undefined if the column is empty. */
  vehicleOf(row: object): string | null | undefined {
    const { vehicle } = this.#fields.getters;
    return vehicle ? (textOf(vehicle(row)) ?? undefined) : null;
  }

  /** Converts a speed of the file to meters per second; null if there is none, NaN if it is impossible. */
  speedOf(written: unknown): number | null {
    const speed = motionOf(written, this.#number(written), Number.MAX_VALUE);
    return speed === null ? null : speed * this.#speedFactor;
  }

  timeOf(written: unknown): ReadTime {
    if (isEmpty(written)) return { time: null, isZoneMissing: false };
    return this.#readTime(typeof written === 'string' ? written.trim() : written);
  }

  #odometerOf(written: unknown): number | null {
    return measureOf(written, this.#number(written) * this.#odometerFactor, MAX_ODOMETER);
  }

  #number(written: unknown): number {
    return this.#hasCommas ? commaNumberOf(written) : numberOf(written);
  }

  #get(field: ColumnField, row: object): unknown {
    return this.#fields.getters[field]?.(row);
  }

  #engineOf(row: object): boolean | null {
    const state = textOf(this.#get('engine', row))?.toLowerCase() ?? '';
    if (ENGINE_ON.includes(state)) return true;
    return ENGINE_OFF.includes(state) ? false : null;
  }

  #readTrip(row: object, line: number): WholeTrack | LeftOut {
    const pairs = pairsOf(this.#get('coordinates', row));
    if (!pairs) return leftOut('no_position', line);
    const { time: start, isZoneMissing } = this.timeOf(this.#get('time', row));
    if (start === 'unreadable') return leftOut('bad_time', line, textOf(this.#get('time', row)));
    const vehicle = this.vehicleOf(row);
    if (vehicle === undefined) return leftOut('no_vehicle', line);
    const recorded = new RecordedTrip(line);
    for (const [i, pair] of pairs.entries()) {
      const [lon = Number.NaN, lat = Number.NaN] = Array.isArray(pair) ? pair.map(numberOf) : [];
      const time = start === null ? null : start + i * this.#intervalMs;
      recorded.add({ lat, lon, line, time, isZoneMissing, speed: null, heading: null, events: [] });
    }
    return { kind: 'trip', vehicle, recorded };
  }
}

function leftOut(fault: LeftOut['fault'], line: number, written?: string | null): LeftOut {
  return { kind: 'left_out', fault, line, ...(written && { written }) };
}

/** Pairs of longitude and latitude: as a list, as JSON in a text, or as an encoded polyline. */
function pairsOf(written: unknown): readonly unknown[] | null {
  if (Array.isArray(written)) return written;
  if (typeof written !== 'string') return null;
  try {
    if (!written.trimStart().startsWith('[')) return decodePolyline(written.trim());
    if (findTooDeep(written) !== null) return null;
    const parsed: unknown = JSON.parse(written);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/**
 * Reads the CSV file that adds fields to the rows of another; the columns that are mapped to fields are held in memory.
 * @throws ImportFailure if it cannot be read, or lacks the column by which it is joined
 */
async function readJoined({ join, columns = {}, encoding }: ReadOptions): Promise<JoinedRows | null> {
  if (!join) return null;
  const { file, on } = join;
  const isHeader = (names: readonly string[]) => names.includes(on);
  const rows = new Map<string, readonly string[]>();
  let fields: readonly ColumnField[] = [];
  try {
    for await (const { header, rows: piece } of csvRows(
      readText(file, () => {}, undefined, encoding),
      isHeader,
    )) {
      const names = header?.names ?? [];
      if (header && !names.includes(on)) throw missingColumn(on, header);
      const mapped = Object.entries(columns).filter(([, column]) => column !== on && names.includes(column));
      fields = mapped.map(([field]) => field as ColumnField);
      const places = mapped.map(([, column]) => names.indexOf(column));
      for (const { row } of piece) {
        const cells = row as readonly string[];
        const name = textOf(cells[names.indexOf(on)]);
        const values = places.map((at) => cells[at] ?? '');
        if (name !== null) rows.set(name, values);
      }
    }
  } catch (error) {
    throw withFile(file, error);
  }
  return { on, fields, rows };
}
