import { type FileOptions, formatOf, FORMATS } from './file-formats.ts';
import { COMPRESSED_REASON } from './rows/file-text.ts';
import { FileError, withFile } from './faults/import-failure.ts';
import { SourceFile } from './rows/source-file.ts';
import type { FileItem } from './rows/stream-position.ts';

const COMPRESSED_EXTENSION = /\.(?:gz|zip|bz2|xz|zst)$/i;
const SALVAGE = '; --salvage imports what is whole before it';
const NO_FORMAT = `neither its name nor its content reveals its format; give --format ${FORMATS.join(', ')}`;

/**
 * Reads a file piece by piece, in the format of the options, or the one that its content or extension reveals. `onBytes`
 * gets the size of a processed piece.
 * @throws ImportFailure if its format is not known, or if it cannot be read to its end, unless the options salvage what is
 * whole and something is
 */
export async function* readFile(
  file: string,
  options: FileOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<readonly FileItem[]> {
  let hasWhole = false;
  try {
    const format = await formatOf(file, options);
    if (!format) throw new FileError(COMPRESSED_EXTENSION.test(file) ? COMPRESSED_REASON : NO_FORMAT);
    const read = await format.load();
    for await (const items of read(new SourceFile(file, onBytes, options.encoding), options)) {
      hasWhole ||= items.some(({ kind }) => kind !== 'left_out');
      yield items;
    }
  } catch (error) {
    if (!(error instanceof FileError && error.place && hasWhole)) throw withFile(file, error);
    if (!options.salvage) throw withFile(file, new FileError(`${error.message}${SALVAGE}`, error.place));
    yield [{ kind: 'left_out', fault: 'damaged', line: error.place.line }];
  }
}
