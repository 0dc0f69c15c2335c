import { extname } from 'node:path';

import { csvRows } from './formats/csv-rows.ts';
import { jsonRows } from './formats/json-rows.ts';
import { readGeojson } from './formats/read-geojson.ts';
import { readGpx, xmlEncoding } from './formats/read-gpx.ts';
import { COMPRESSED_REASON, readText } from './rows/file-text.ts';
import { FileError, withFile } from './rows/import-failure.ts';
import { type ColumnField, FORMATS, type Format, type ReadOptions } from './rows/read-options.ts';
import { fieldsOf, type JoinedRows, missingColumn } from './rows/row-fields.ts';
import { RowReader } from './rows/row-reader.ts';
import type { FileItem } from './rows/stream-position.ts';
import { textOf } from './rows/values.ts';

/** Formats by their usual file extensions. */
export const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.gpx': 'gpx',
  '.geojson': 'geojson',
  '.json': 'geojson',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

const COMPRESSED_EXTENSION = /\.(?:gz|zip|bz2|xz|zst)$/i;
const NO_FORMAT = `its extension tells no format; say with --format which of ${FORMATS.join(', ')} it is`;

/**
 * Reads a file piece by piece, in the format that the options or else its extension name.
 *
 * @param onBytes called with the size of each piece once it has been processed
 * @throws ImportFailure if the file cannot be read to its end, or its format is not known
 */
export async function* readFile(
  file: string,
  options: ReadOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<readonly FileItem[]> {
  const format = formatOf(file, options);
  try {
    if (!format) throw new FileError(COMPRESSED_EXTENSION.test(file) ? COMPRESSED_REASON : NO_FORMAT);
    const text = readText(file, onBytes, format === 'gpx' ? xmlEncoding : undefined);
    yield* format === 'gpx' ? readGpx(text) : readItems(text, format, options);
  } catch (error) {
    throw withFile(file, error);
  }
}

/** Returns the format in which a file is read; undefined if neither the options nor its extension name one. */
export function formatOf(file: string, { format }: ReadOptions): Format | undefined {
  return format ?? EXTENSIONS[extname(file).toLowerCase()];
}

/** Reads the formats whose fields have names. */
async function* readItems(
  text: AsyncGenerator<string>,
  format: Exclude<Format, 'gpx'>,
  options: ReadOptions,
): AsyncGenerator<FileItem[]> {
  if (format === 'geojson') {
    const fields = fieldsOf(null, { ...options, speedUnit: options.speedUnit ?? 'm/s' }, null);
    return yield* readGeojson(text, new RowReader(fields, options));
  }
  let reader: RowReader | undefined;
  for await (const { header, rows } of format === 'csv' ? csvRows(text) : jsonRows(text)) {
    const made = reader ?? new RowReader(fieldsOf(header, options, await readJoined(options)), options);
    reader = made;
    yield rows.map((row) => made.read(row));
  }
}

/** Reads the columns of the joined file that are mapped to fields; it is held in memory. */
async function readJoined({ join, columns = {} }: ReadOptions): Promise<JoinedRows | null> {
  if (!join) return null;
  const rows = new Map<string, readonly string[]>();
  let fields: readonly ColumnField[] = [];
  try {
    for await (const { header, rows: piece } of csvRows(readText(join.file, () => {}))) {
      const names = header?.names ?? [];
      if (header && !names.includes(join.on)) throw missingColumn(join.on, header);
      const mapped = Object.entries(columns).filter(([, column]) => column !== join.on && names.includes(column));
      fields = mapped.map(([field]) => field as ColumnField);
      for (const { row } of piece) {
        const cells = row as readonly string[];
        const name = textOf(cells[names.indexOf(join.on)]);
        if (name !== null) rows.set(name, mapped.map(([, column]) => cells[names.indexOf(column)] ?? ''));
      }
    }
  } catch (error) {
    throw withFile(join.file, error);
  }
  return { on: join.on, fields, rows };
}
