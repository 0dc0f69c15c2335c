import { extname } from 'node:path';

import { jsonRows } from './formats/json-rows.ts';
import { readGeojson } from './formats/read-geojson.ts';
import { readGpx, xmlEncoding } from './formats/read-gpx.ts';
import { csvRows } from './rows/csv-rows.ts';
import { COMPRESSED_REASON, readText } from './rows/file-text.ts';
import { FileError, withFile } from './rows/import-failure.ts';
import { FORMATS, type Format, type ReadOptions } from './rows/read-options.ts';
import { readRows } from './rows/row-reader.ts';
import type { FileItem } from './rows/stream-position.ts';

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
const NO_FORMAT = `its extension does not reveal its format; give --format ${FORMATS.join(', ')}`;

/**
 * Reads a file piece by piece, in the format of the options or its extension. `onBytes` gets the size of a processed
 * piece.
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
    if (format === 'gpx') return yield* readGpx(text);
    if (format === 'geojson') return yield* readGeojson(text, options);
    yield* readRows(format === 'csv' ? csvRows(text) : jsonRows(text), options);
  } catch (error) {
    throw withFile(file, error);
  }
}

/** Returns the format in which a file is read; undefined if neither the options nor its extension name one. */
export function formatOf(file: string, { format }: ReadOptions): Format | undefined {
  return format ?? EXTENSIONS[extname(file).toLowerCase()];
}
