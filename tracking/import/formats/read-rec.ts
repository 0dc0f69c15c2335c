import type { ReadOptions } from '../rows/read-options.ts';
import type { RowPiece } from '../rows/row-fields.ts';
import { readRows } from '../rows/row-reader.ts';
import type { SourceFile } from '../rows/source-file.ts';
import type { FileItem } from '../rows/stream-position.ts';
import { jsonRows } from './json-rows.ts';

/** OwnTracks' names of the fields, and their units. */
const COLUMNS = { time: 'tst', speed: 'vel', heading: 'cog', odometer: 'odometer', fuel_level: 'flvl', engine: 'ign' };
const UNITS = { speedUnit: 'km/h', odometerUnit: 'km' } as const;

/**
 * Reads the locations in a file of the OwnTracks Recorder: lines of a time, a kind and a message, separated by tabs. Other
 * messages are skipped. `columns` of the options name further members, such as `vehicle=tid`.
 * @see https://github.com/owntracks/recorder#store
 * @throws FileError with the line that has no message, after the locations before it
 */
export function readRec(file: SourceFile, options: ReadOptions): AsyncGenerator<FileItem[]> {
  const columns = { ...COLUMNS, ...options.columns };
  const timeFormat = options.timeFormat ?? 'unix';
  return readRows(messagesOf(file.text()), { ...options, ...UNITS, timeFormat, columns });
}

async function* messagesOf(text: AsyncIterable<string>): AsyncGenerator<RowPiece> {
  for await (const { header, rows } of jsonRows(text, (line) => line.slice(Math.max(0, line.indexOf('\t{'))))) {
    yield { header, rows: rows.filter(({ row }) => '_type' in row && row._type === 'location') };
  }
}
