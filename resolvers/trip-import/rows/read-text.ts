import { createReadStream } from 'node:fs';

import { bytesFailure } from './bytes-failure.ts';
import { ImportFailure } from './import-failure.ts';

const PIECE_BYTES = 256 * 1024;

/** What the system's errors mean, by their codes. */
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'reading it is not permitted',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  EPERM: 'reading it is not permitted',
};

/**
 * Reads a file of text in pieces, UTF-8 unless it begins with the byte order mark of UTF-16; the mark is dropped.
 *
 * @param onBytes is told the size of each piece
 * @throws ImportFailure where the file cannot be read, is empty, or is no such text
 */
export async function* readText(file: string, onBytes: (count: number) => void): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
      decoder ??= new TextDecoder(markedEncoding(bytes) ?? 'utf-8', { fatal: true });
      onBytes(bytes.length);
      yield decoder.decode(bytes, { stream: true });
    }
    if (!decoder) throw new ImportFailure(file, null, 'it is empty');
    yield decoder.decode();
  } catch (error) {
    throw unreadable(file, error) ?? (isBadText(error) ? ((await bytesFailure(file)) ?? error) : error);
  }
}

/** The encoding that a byte order mark tells; null where there is none, or that of UTF-8. */
export function markedEncoding(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : null;
}

/** Whether a text could not be decoded. */
export function isBadText(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

/** Codes of a process that may open no more files, whichever it is. */
const OUT_OF_DESCRIPTORS = new Set(['EMFILE', 'ENFILE']);

/** The failure that an error of the file system is; null for another error, and for one that is not about this file. */
export function unreadable(file: string, error: unknown): ImportFailure | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  const code = String(error.code);
  if (OUT_OF_DESCRIPTORS.has(code)) return null;
  const reason = SYSTEM_REASONS[code];
  return new ImportFailure(file, null, `cannot be read (${code})${reason === undefined ? '' : `: ${reason}`}`);
}
