import { deflateRawSync, inflateRawSync } from 'node:zlib';

import { emptyTripPoints, type TripPoints } from './trip-points.ts';
import { emptyReadings, READINGS, type TripReadings } from './trip-readings.ts';
import { unzigzag, VarintReader, VarintWriter, zigzag } from './trip-points-varint.ts';

/** Format of a packed bucket; a change of the layout gets a new number, and old buckets are still read. */
const VERSION = 1;
/** The same with readings before the events; positions without any are written as before, without a further byte. */
const WITH_READINGS = 2;

/** Units of each column: nothing finer is kept. */
const UNITS_PER_DEGREE = 1e7;
const UNITS_PER_METER_A_SECOND = 100;
const UNITS_PER_HEADING_DEGREE = 10;

/** Rounds a coordinate in degrees to what a bucket keeps: 1e-7 degrees, about a centimetre. */
export function storedDegrees(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE) / UNITS_PER_DEGREE + 0;
}

/** Rounds a speed in metres per second to what a bucket keeps: 0.01 m/s. */
export function storedSpeed(speed: number): number {
  return Math.round(speed * UNITS_PER_METER_A_SECOND) / UNITS_PER_METER_A_SECOND + 0;
}

/** Rounds a heading in degrees to what a bucket keeps: 0.1 degrees; 360 is 0. */
export function storedHeading(heading: number): number {
  return (Math.round(heading * UNITS_PER_HEADING_DEGREE) % 3600) / UNITS_PER_HEADING_DEGREE;
}

/** Packs positions `from` to `until` (exclusive): as {@link encodeTripPoints} encodes them, then deflate. */
export function packTripPoints(points: TripPoints, from: number, until: number): Buffer {
  return deflateRawSync(encodeTripPoints(points, from, until), { level: 9 });
}

/**
 * Encodes positions `from` to `until` (exclusive): columns of differences as variable-length integers.
 *
 * The layout is: version, length, time unit in ms, times (differences of differences), latitudes, longitudes (differences),
 * speeds, headings (0 if there is none, else 1 + zigzag difference to the last that is known), then events as JSON, if any.
 * Before these, positions with readings have the sum of 2^number of the columns of `READINGS` that follow, encoded like speeds.
 */
export function encodeTripPoints(points: TripPoints, from = 0, until = points.length): Uint8Array {
  const writer = new VarintWriter();
  const time = points.time.subarray(from, until);
  const timeUnit = time.every((instant) => instant % 1000 === 0) ? 1000 : 1;
  const readings = readingsIn(points, from, until);
  writer.natural(readings.length > 0 ? WITH_READINGS : VERSION);
  writer.natural(until - from);
  writer.natural(timeUnit);
  let last = 0;
  let lastStep = 0;
  for (const [i, instant] of time.entries()) {
    const units = instant / timeUnit;
    writer.integer(units - last - lastStep);
    lastStep = i === 0 ? 0 : units - last;
    last = units;
  }
  writer.differences(points.lat.subarray(from, until), UNITS_PER_DEGREE);
  writer.differences(points.lon.subarray(from, until), UNITS_PER_DEGREE);
  writeSparse(writer, points.speed.subarray(from, until), UNITS_PER_METER_A_SECOND);
  writeSparse(writer, points.heading.subarray(from, until), UNITS_PER_HEADING_DEGREE);
  if (readings.length > 0) {
    writer.natural(readings.reduce((sum, { number }) => sum + 2 ** number, 0));
    for (const { column, unitsPer } of readings) writeSparse(writer, column, unitsPer);
  }
  const events = [...points.events].filter(([at]) => at >= from && at < until).map(([at, there]) => [at - from, there]);
  if (events.length > 0) writer.text(JSON.stringify(events));
  return writer.bytes();
}

/**
 * Unpacks what {@link packTripPoints} packed.
 *
 * @throws RangeError if the bytes are damaged or of another format
 */
export function unpackTripPoints(packed: Uint8Array): TripPoints {
  return decodeTripPoints(inflateRawSync(packed));
}

/**
 * Decodes what {@link encodeTripPoints} encoded.
 *
 * @throws RangeError if the bytes are damaged or of another format
 */
export function decodeTripPoints(encoded: Uint8Array): TripPoints {
  const reader = new VarintReader(encoded);
  const version = reader.natural();
  if (version !== VERSION && version !== WITH_READINGS)
    throw new RangeError(`Unknown format of trip points: ${version}`);
  const points = emptyTripPoints(reader.natural());
  const timeUnit = reader.natural();
  let last = 0;
  let lastStep = 0;
  for (let i = 0; i < points.length; i++) {
    const step = reader.integer() + lastStep;
    lastStep = i === 0 ? 0 : step;
    last += step;
    points.time[i] = last * timeUnit;
  }
  reader.differences(points.lat, UNITS_PER_DEGREE);
  reader.differences(points.lon, UNITS_PER_DEGREE);
  readSparse(reader, points.speed, UNITS_PER_METER_A_SECOND);
  readSparse(reader, points.heading, UNITS_PER_HEADING_DEGREE);
  const readings = version === WITH_READINGS ? readReadings(reader, points.length) : null;
  const rest = reader.rest();
  const events = rest === '' ? points.events : new Map(JSON.parse(rest) as [number, string[]][]);
  return { ...points, events, ...(readings && { readings }) };
}

/** The columns of readings from `from` to `until` in which there is any, with their numbers. */
function readingsIn({ readings }: TripPoints, from: number, until: number) {
  if (!readings) return [];
  const columns = READINGS.map(({ name, unitsPer }, number) => ({
    number,
    unitsPer,
    column: readings[name].subarray(from, until),
  }));
  return columns.filter(({ column }) => !column.every(Number.isNaN));
}

function readReadings(reader: VarintReader, length: number): TripReadings {
  const readings = emptyReadings(length);
  const present = reader.natural();
  for (const [number, { name, unitsPer }] of READINGS.entries()) {
    if (Math.floor(present / 2 ** number) % 2 === 1) readSparse(reader, readings[name], unitsPer);
  }
  return readings;
}

function writeSparse(writer: VarintWriter, column: Float64Array, unitsPer: number): void {
  let last = 0;
  for (const value of column) {
    if (Number.isNaN(value)) {
      writer.natural(0);
      continue;
    }
    const units = Math.round(value * unitsPer);
    writer.natural(1 + zigzag(units - last));
    last = units;
  }
}

function readSparse(reader: VarintReader, column: Float64Array, unitsPer: number): void {
  let last = 0;
  for (let i = 0; i < column.length; i++) {
    const written = reader.natural();
    if (written === 0) continue;
    last += unzigzag(written - 1);
    column[i] = last / unitsPer;
  }
}
