import { createReadStream } from 'node:fs';

import { ImportFailure } from './import-failure.ts';

const PIECE_BYTES = 256 * 1024;

/**
 * Reads a file of UTF-8 text in pieces; a byte order mark is dropped.
 *
 * @param onBytes is told the size of each piece
 * @throws ImportFailure where the file cannot be read, or is no such text
 */
export async function* readText(file: string, onBytes: (count: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
      onBytes(bytes.length);
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw unreadable(file, error) ?? error;
  }
}

/** The failure that an error of the file system or of decoding is; null for another error. */
export function unreadable(file: string, error: unknown): ImportFailure | null {
  if (!(error instanceof Error && 'code' in error)) return null;
  if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new ImportFailure(file, null, 'it is not text in UTF-8');
  return 'syscall' in error ? new ImportFailure(file, null, `cannot be read (${String(error.code)})`) : null;
}
