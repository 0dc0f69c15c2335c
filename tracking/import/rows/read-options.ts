import { METERS_PER_MILE, type SPEED_UNITS } from '../../geometry/speeds.ts';

/** Fields of a column, with their descriptions for people. */
export const COLUMN_FIELDS = {
  time: 'timestamp, in the format of --time-format',
  lat: 'latitude in degrees',
  lon: 'longitude in degrees',
  speed: 'speed, in the unit of --speed-unit',
  heading: 'heading, in degrees clockwise from north',
  odometer: 'odometer, in the unit of --odometer-unit',
  fuel_level: 'fuel level, in percent',
  events: 'events, such as engine_start: names separated by spaces, commas or semicolons, or a list of names',
  engine: 'state of the engine: on or off, 1 or 0, true or false',
  trip: 'name of the trip; without it, a stream is split into trips',
  vehicle: 'key or nickname of the vehicle',
  coordinates: 'a whole trip: pairs of longitude and latitude, or an encoded polyline',
} as const;

/** One of {@link COLUMN_FIELDS}. */
export type ColumnField = keyof typeof COLUMN_FIELDS;

/** One of {@link SPEED_UNITS}. */
export type SpeedUnit = keyof typeof SPEED_UNITS;

/** Meters in each unit of an odometer. */
export const ODOMETER_UNITS = { m: 1, km: 1000, mi: METERS_PER_MILE } as const;

/** One of {@link ODOMETER_UNITS}. */
export type OdometerUnit = keyof typeof ODOMETER_UNITS;

/** Treatments of times that look 1,024 weeks early. */
export const WEEK_ROLLOVERS = ['correct', 'keep'] as const;

/** One of {@link WEEK_ROLLOVERS}. */
export type WeekRollover = (typeof WEEK_ROLLOVERS)[number];

/** Options for reading the files of an import; a field that is not mapped is found by its usual name. */
export interface ReadOptions {
  /**
   * Names of the columns of CSV, paths (`a.b.0`) into the objects of NDJSON and the properties of GeoJSON. Several joined by
   * `+`, such as `DATE+TIME`, are read as one text with spaces between them.
   */
  readonly columns?: Readonly<Partial<Record<ColumnField, string>>>;
  /** `iso` (the default), `unix`, `unix-ms` or a pattern of YYYY or YY, MM, DD, hh, mm, ss and AM. */
  readonly timeFormat?: string;
  /**
   * The zone of times that name none: `±hh:mm` or a name of the IANA database. Without it, these times are GMT and reported as
   * a fault.
   */
  readonly zone?: string;
  readonly speedUnit?: SpeedUnit;
  readonly odometerUnit?: OdometerUnit;
  /** Seconds between the pairs of `coordinates`. */
  readonly interval?: number;
  /** A CSV file that has further columns for each row, and the column by which its rows are found. */
  readonly join?: { readonly file: string; readonly on: string };
  /** Encoding of files of text that have no byte order mark; by default the one that they declare, else UTF-8. */
  readonly encoding?: string;
  /** Imports what is whole before the place where a file is cut off or damaged; by default, nothing of it is imported. */
  readonly salvage?: boolean;
  /** Treatment of times that look 1,024 weeks early; by default, trips with such times are reported and not imported. */
  readonly weekRollover?: WeekRollover;
}
