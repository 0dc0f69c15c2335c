import { extname } from 'node:path';

import { PACKED_REASON } from './rows/bytes-failure.ts';
import { ImportFailure } from './rows/import-failure.ts';
import { readCsv } from './formats/read-csv.ts';
import { readGeojson } from './formats/read-geojson.ts';
import { readGpx } from './formats/read-gpx.ts';
import { readNdjson } from './formats/read-ndjson.ts';
import { FORMATS, type Format, type ReadOptions } from './rows/read-options.ts';
import type { FileItem } from './rows/stream-position.ts';

/** Formats by the extensions that are usual for them. */
export const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.gpx': 'gpx',
  '.geojson': 'geojson',
  '.json': 'geojson',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

const PACKED_EXTENSION = /\.(?:gz|zip|bz2|xz|zst)$/i;
const NO_FORMAT = `its extension tells no format; say with --format which of ${FORMATS.join(', ')} it is`;

/**
 * Reads a file piece by piece, in the format that the options or else its extension name.
 *
 * @param onBytes is told the size of each piece
 * @throws ImportFailure where the file cannot be read on, or its format is not known
 */
export function readFile(
  file: string,
  options: ReadOptions,
  onBytes: (count: number) => void,
): AsyncIterable<readonly FileItem[]> {
  switch (formatOf(file, options)) {
    case 'gpx':
      return readTracks(file, onBytes);
    case 'geojson':
      return readGeojson(file, options, onBytes);
    case 'csv':
      return readCsv(file, options, onBytes);
    case 'ndjson':
      return readNdjson(file, options, onBytes);
    default:
      throw new ImportFailure(file, null, PACKED_EXTENSION.test(file) ? PACKED_REASON : NO_FORMAT);
  }
}

/** The format in which a file is read; undefined where neither the options nor its extension name one. */
export function formatOf(file: string, { format }: ReadOptions): Format | undefined {
  return format ?? EXTENSIONS[extname(file).toLowerCase()];
}

async function* readTracks(file: string, onBytes: (count: number) => void): AsyncGenerator<FileItem[]> {
  for await (const recorded of readGpx(file, onBytes)) yield [{ kind: 'trip', vehicle: null, recorded }];
}
