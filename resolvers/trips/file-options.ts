import { ServiceError } from '../../schema/service-error.ts';
import { FILE_FORMATS, type FileOptions } from '../../tracking/import/file-formats.ts';
import { SPEED_UNITS } from '../../tracking/geometry/speeds.ts';
import { COLUMN_FIELDS, ODOMETER_UNITS } from '../../tracking/import/rows/read-options.ts';
import { timeReader } from '../../tracking/import/rows/time-reader.ts';

type Optional<Type> = Type | null | undefined;

/** Options of an import, as a request has them. */
interface SentOptions {
  readonly format: Optional<string>;
  readonly map: Optional<readonly string[]>;
  readonly interval: Optional<number>;
  readonly time_format: Optional<string>;
  readonly zone: Optional<string>;
  readonly speed_unit: Optional<string>;
  readonly odometer_unit: Optional<string>;
}

/** @throws ServiceError BAD_REQUEST naming the parameter */
export function readFileOptions({ map, interval, time_format, zone, ...words }: SentOptions): FileOptions {
  const format = wordOf('format', words.format, FILE_FORMATS);
  const speedUnit = wordOf('speed_unit', words.speed_unit, SPEED_UNITS);
  const odometerUnit = wordOf('odometer_unit', words.odometer_unit, ODOMETER_UNITS);
  const columns = columnsOf(map ?? []);
  if (columns.vehicle !== undefined) throw badRequest('map must not name vehicle: the file is of one vehicle');
  if (interval != null && !(interval > 0)) throw badRequest('interval must be greater than 0');
  if (columns.coordinates !== undefined && interval == null) throw badRequest('interval is required for coordinates');
  if (columns.speed !== undefined && !speedUnit) throw badRequest('speed_unit is required for speed');
  if ((columns.odometer === undefined) === (odometerUnit !== undefined)) {
    throw badRequest('odometer_unit and the column of odometer belong together; give both or neither');
  }
  const read: FileOptions = {
    columns,
    ...(format && { format }),
    ...(speedUnit && { speedUnit }),
    ...(odometerUnit && { odometerUnit }),
    ...(interval != null && { interval }),
    ...(time_format != null && { timeFormat: time_format }),
    ...(zone != null && { zone }),
  };
  try {
    timeReader(read);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badRequest(error.message.replace('--time-format', 'time_format').replace('--zone', 'zone'));
  }
  return read;
}

function wordOf<Word extends string>(name: string, word: Optional<string>, words: Readonly<Record<Word, unknown>>) {
  if (word == null) return undefined;
  if (!Object.hasOwn(words, word)) throw badRequest(`${name} must be one of ${Object.keys(words).join(', ')}`);
  return word as Word;
}

function columnsOf(map: readonly string[]): NonNullable<FileOptions['columns']> {
  const columns: Record<string, string> = {};
  for (const text of map) {
    const [field = '', ...column] = text.split('=');
    if (!Object.hasOwn(COLUMN_FIELDS, field) || column.join('=') === '') {
      throw badRequest(`map must be field=column with one of ${Object.keys(COLUMN_FIELDS).join(', ')}`);
    }
    columns[field] = column.join('=');
  }
  return columns;
}

function badRequest(message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', message);
}
