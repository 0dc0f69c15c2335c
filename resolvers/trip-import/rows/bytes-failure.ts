import { createReadStream } from 'node:fs';

import { ImportFailure } from './import-failure.ts';

/** How the files of packing programs begin: gzip (RFC 1952), ZIP, bzip2, xz, Zstandard (RFC 8878). */
const PACKED = ['1f8b', '504b0304', '425a68', 'fd377a585a00', '28b52ffd'];

/** What is said of a packed file. */
export const PACKED_REASON = 'it is compressed; unpack it first';

/**
 * Looks for what is wrong with the bytes of a file that could not be read as UTF-8: it is packed, or in another encoding.
 *
 * @param advice what to do about another encoding
 * @returns the failure with the place of the first bytes that are no text; null where nothing is wrong with the bytes
 */
export async function bytesFailure(file: string, advice = 'save it as UTF-8'): Promise<ImportFailure | null> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const lenient = new TextDecoder();
  let place = { line: 1, column: 1 };
  let isStart = true;
  for await (const bytes of withEnd(createReadStream(file))) {
    const start = bytes?.toString('hex', 0, 8) ?? '';
    if (isStart && PACKED.some((mark) => start.startsWith(mark))) return new ImportFailure(file, null, PACKED_REASON);
    isStart = false;
    const text = lenient.decode(bytes, { stream: bytes !== undefined });
    if (!isText(strict, bytes)) {
      const at = placeAfter(place, text.slice(0, text.indexOf('\ufffd')));
      return new ImportFailure(file, at, `what follows is not text in UTF-8; ${advice}`);
    }
    place = placeAfter(place, text);
  }
  return null;
}

/** The pieces of a file, and nothing for its end. */
async function* withEnd(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  yield* pieces;
  yield undefined;
}

/** Reads on; false where what has been read is no text. */
function isText(decoder: TextDecoder, bytes: Buffer | undefined): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}

function placeAfter({ line, column }: { readonly line: number; readonly column: number }, text: string) {
  const lines = text.split('\n');
  const { length } = lines.at(-1) ?? '';
  return { line: line + lines.length - 1, column: lines.length > 1 ? length + 1 : column + length };
}
