import { findTooDeep } from '../../../schema/json-depth.ts';
import { decodePolyline } from '../../../schema/trips/polyline.ts';

import { numberOf } from './number-of.ts';
import { RecordedTrip } from './recorded-trip.ts';
import { type ColumnField, type ReadOptions, SPEED_UNITS } from './read-options.ts';
import type { FileItem, LeftOut, StreamPosition, WholeTrip } from './stream-position.ts';
import { type ReadTime, type TimeReader, timeReader } from './time-reader.ts';

/** Reads the value of a field out of a row; undefined where the row has none. */
export type Getter<Row> = (row: Row) => unknown;

/** Names under which a field is found where the command line names no column, in lower case. */
export const USUAL_NAMES: Readonly<Partial<Record<ColumnField, readonly string[]>>> = {
  time: ['time', 'timestamp', 'datetime', 'date_time'],
  lat: ['lat', 'latitude'],
  lon: ['lon', 'lng', 'long', 'longitude'],
  heading: ['heading', 'course', 'bearing'],
  events: ['events'],
};

const ENGINE_STATES: Readonly<Record<string, boolean>> = {
  on: true,
  '1': true,
  true: true,
  yes: true,
  off: false,
  '0': false,
  false: false,
  no: false,
};

/** Makes positions, or whole trips, of the rows of a file: lines of CSV, objects of NDJSON, properties of GeoJSON. */
export class RowReader<Row> {
  readonly #getters: Partial<Record<ColumnField, Getter<Row>>>;
  readonly #readTime: TimeReader;
  readonly #speedFactor: number;
  readonly #intervalMs: number;
  readonly #isJoined: (row: Row) => boolean;

  /** @param isJoined whether a row has its row in the joined file; always where none is joined */
  constructor(
    getters: Partial<Record<ColumnField, Getter<Row>>>,
    options: ReadOptions,
    isJoined: (row: Row) => boolean = () => true,
  ) {
    this.#getters = getters;
    this.#readTime = timeReader(options);
    this.#speedFactor = SPEED_UNITS[options.speedUnit ?? 'm/s'];
    this.#intervalMs = (options.interval ?? 0) * 1000;
    this.#isJoined = isJoined;
  }

  /** What a row holds. */
  read(row: Row, line: number): FileItem {
    if (!this.#isJoined(row)) return leftOut('no_join', line);
    if (this.#getters.coordinates) return this.#readTrip(row, line);
    return this.readPosition(row, line, numberOf(this.#get('lat', row)), numberOf(this.#get('lon', row)));
  }

  /** What a row holds that belongs to a given position. */
  readPosition(row: Row, line: number, lat: number, lon: number): StreamPosition | LeftOut {
    if (!isOnEarth(lat, lon)) return leftOut('no_position', line);
    const when = this.timeOf(this.#get('time', row));
    if (when === 'unreadable') return leftOut('bad_time', line);
    const vehicle = this.vehicleOf(row);
    if (vehicle === undefined) return leftOut('no_vehicle', line);
    return {
      kind: 'position',
      lat,
      lon,
      time: when?.time ?? null,
      isZoneMissing: when?.isZoneMissing ?? false,
      speed: this.speedOf(this.#get('speed', row)),
      heading: headingOf(this.#get('heading', row)),
      events: eventsOf(this.#get('events', row)),
      line,
      vehicle,
      trip: textOf(this.#get('trip', row)),
      isEngineOn: this.#engineOf(row),
    };
  }

  /** What a row calls the vehicle: null where no column names it, undefined where the column is empty. */
  vehicleOf(row: Row): string | null | undefined {
    return this.#getters.vehicle ? (textOf(this.#getters.vehicle(row)) ?? undefined) : null;
  }

  /** Metres per second of a speed in the unit of the file; null where there is none, NaN where it cannot be. */
  speedOf(written: unknown): number | null {
    const speed = motionOf(written, numberOf(written), Number.MAX_VALUE);
    return speed === null ? null : speed * this.#speedFactor;
  }

  /** Reads a time of the file; null where there is none. */
  timeOf(written: unknown): ReadTime | null | 'unreadable' {
    return isEmpty(written) ? null : (this.#readTime(trimmed(written)) ?? 'unreadable');
  }

  #get(field: ColumnField, row: Row): unknown {
    return this.#getters[field]?.(row);
  }

  #engineOf(row: Row): boolean | null {
    const state = textOf(this.#get('engine', row));
    return state === null ? null : (ENGINE_STATES[state.toLowerCase()] ?? null);
  }

  #readTrip(row: Row, line: number): WholeTrip | LeftOut {
    const pairs = pairsOf(this.#get('coordinates', row));
    if (!pairs) return leftOut('no_position', line);
    const start = this.timeOf(this.#get('time', row));
    if (start === 'unreadable') return leftOut('bad_time', line);
    const vehicle = this.vehicleOf(row);
    if (vehicle === undefined) return leftOut('no_vehicle', line);
    const recorded = new RecordedTrip(line);
    for (const [i, pair] of pairs.entries()) {
      const [lon, lat] = Array.isArray(pair) ? pair.map(numberOf) : [];
      if (lon === undefined || lat === undefined || !isOnEarth(lat, lon)) {
        recorded.report('no_position', line);
        continue;
      }
      recorded.add({
        lat,
        lon,
        line,
        time: start ? start.time + i * this.#intervalMs : null,
        isZoneMissing: start?.isZoneMissing ?? false,
        speed: null,
        heading: null,
        events: [],
      });
    }
    return { kind: 'trip', vehicle, recorded };
  }
}

/** Degrees clockwise from north, from 0 to 360; null where there is none, NaN where it cannot be. */
export function headingOf(written: unknown): number | null {
  return motionOf(written, numberOf(written), 360);
}

/** A speed or a heading as it was written: null where it is not known, for which phones write -1, NaN where it cannot be. */
export function motionOf(written: unknown, value: number, greatest: number): number | null {
  if (isEmpty(written) || value === -1) return null;
  return value >= 0 && value <= greatest ? value : Number.NaN;
}

/** The events of a list, or of a text with white space or commas between them. */
export function eventsOf(written: unknown): readonly string[] {
  if (Array.isArray(written)) return written.filter((event) => typeof event === 'string');
  return typeof written === 'string' ? written.split(/[\s,;]+/).filter((event) => event !== '') : [];
}

/** Whether a position is one, in degrees. */
export function isOnEarth(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

/** Text without white space around it; null for none. */
export function textOf(written: unknown): string | null {
  if (typeof written !== 'string')
    return typeof written === 'number' || typeof written === 'boolean' ? String(written) : null;
  return written.trim() || null;
}

function trimmed(written: unknown): unknown {
  return typeof written === 'string' ? written.trim() : written;
}

function isEmpty(written: unknown): boolean {
  return written === undefined || written === null || (typeof written === 'string' && written.trim() === '');
}

function leftOut(fault: LeftOut['fault'], line: number): LeftOut {
  return { kind: 'left_out', fault, line };
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
