import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

import { ImportFailure } from './import-failure.ts';

const NEWLINE = 0x0a;

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
  let rest: Uint8Array[] = [];
  let line = 1;
  let isStart = true;
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    const start = bytes.toString('hex', 0, 8);
    if (isStart && PACKED.some((mark) => start.startsWith(mark))) return new ImportFailure(file, null, PACKED_REASON);
    isStart = false;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const failure = lineFailure(file, line, [...rest, bytes.subarray(from, end)], advice);
      if (failure) return failure;
      rest = [];
      line++;
      from = end + 1;
    }
    rest.push(bytes.subarray(from));
  }
  return lineFailure(file, line, rest, advice);
}

function lineFailure(file: string, line: number, pieces: readonly Uint8Array[], advice: string): ImportFailure | null {
  const bytes = Buffer.concat(pieces);
  if (isUtf8(bytes)) return null;
  const column = new TextDecoder().decode(bytes).indexOf('\ufffd') + 1;
  return new ImportFailure(file, { line, column }, `what follows is not text in UTF-8; ${advice}`);
}
