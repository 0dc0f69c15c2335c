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
import { headerTest } from './rows/usual-columns.ts';

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
const SALVAGE = '; --salvage imports what is whole before it';
const NO_FORMAT = `its extension does not reveal its format; give --format ${FORMATS.join(', ')}`;

/**
 * Reads a file piece by piece, in the format of the options or its extension. `onBytes` gets the size of a processed
 * piece.
 * @throws ImportFailure if its format is not known, or if it cannot be read to its end, unless the options salvage what is
 * whole and something is
 */
export async function* readFile(
  file: string,
  options: ReadOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<readonly FileItem[]> {
  let hasWhole = false;
  try {
    for await (const items of readItems(file, options, onBytes)) {
      hasWhole ||= items.some(({ kind }) => kind !== 'left_out');
      yield items;
    }
  } catch (error) {
    if (!(error instanceof FileError && error.place && hasWhole)) throw withFile(file, error);
    if (!options.salvage) throw withFile(file, new FileError(`${error.message}${SALVAGE}`, error.place));
    yield [{ kind: 'left_out', fault: 'damaged', line: error.place.line }];
  }
}

/** Reads the items of a file; readers return what is whole before they throw. */
async function* readItems(
  file: string,
  options: ReadOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<readonly FileItem[]> {
  const format = formatOf(file, options);
  if (!format) throw new FileError(COMPRESSED_EXTENSION.test(file) ? COMPRESSED_REASON : NO_FORMAT);
  const text = readText(file, onBytes, format === 'gpx' ? xmlEncoding : undefined, options.encoding);
  if (format === 'gpx') return yield* readGpx(text, options);
  if (format === 'geojson') return yield* readGeojson(text, options);
  yield* readRows(format === 'csv' ? csvRows(text, headerTest(options)) : jsonRows(text), options);
}

/** Returns the format in which a file is read; undefined if neither the options nor its extension name one. */
export function formatOf(file: string, { format }: ReadOptions): Format | undefined {
  return format ?? EXTENSIONS[extname(file).toLowerCase()];
}
