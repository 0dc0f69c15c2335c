import { type FileOptions, formatOf, FORMATS } from './file-formats.ts';
import { COMPRESSED_REASON } from './rows/file-text.ts';
import { FileError, withFile } from './rows/import-failure.ts';
import { SourceFile } from './rows/source-file.ts';
import type { FileItem } from './rows/stream-position.ts';

const COMPRESSED_EXTENSION = /\.(?:gz|zip|bz2|xz|zst)$/i;
const NO_FORMAT = `neither its name nor its content reveals its format; give --format ${FORMATS.join(', ')}`;

/**
 * Reads a file piece by piece, in the format of the options, or the one that its content or extension reveals. `onBytes`
 * gets the size of a processed piece.
 * @throws ImportFailure if the file cannot be read to its end, or its format is not known
 */
export async function* readFile(
  file: string,
  options: FileOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<readonly FileItem[]> {
  try {
    const format = await formatOf(file, options);
    if (!format) throw new FileError(COMPRESSED_EXTENSION.test(file) ? COMPRESSED_REASON : NO_FORMAT);
    const read = await format.load();
    yield* read(new SourceFile(file, onBytes), options);
  } catch (error) {
    throw withFile(file, error);
  }
}
