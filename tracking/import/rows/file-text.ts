import { createReadStream } from 'node:fs';

import { FileError, type Place } from '../faults/import-failure.ts';

const PIECE_BYTES = 256 * 1024;

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'reading it is not permitted',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  EPERM: 'reading it is not permitted',
};

/** Error codes of a process that cannot open any more files. */
const OUT_OF_DESCRIPTORS = new Set(['EMFILE', 'ENFILE']);

/** First bytes of compressed files: gzip (RFC 1952), ZIP, bzip2, xz, Zstandard (RFC 8878). */
const COMPRESSED = ['1f8b', '504b0304', '425a68', 'fd377a585a00', '28b52ffd'];

/** Reason given for a compressed file. */
export const COMPRESSED_REASON = 'it is compressed; unpack it first';

const BAD_TEXT = 'ERR_ENCODING_INVALID_ENCODED_DATA';
const SAVE_AS_UTF8 = 'save it as UTF-8, or pass its encoding, such as --encoding windows-1252';
const DECLARE_ENCODING =
  'or name its encoding in the first line, such as <?xml version="1.0" encoding="windows-1252"?>';

/** Characters at the end of a file that are no text: what a full disk, a power cut or DOS leaves there. */
const FILLERS = '\0\x1a';

/**
 * Reads a file of text piece by piece. The encoding is that of the byte order mark, which is dropped, else `encoding`, else
 * the one that `declaredEncoding` finds in the first bytes, else UTF-8. NUL characters at the end are dropped. `onBytes` is
 * called with the size of each processed piece.
 * @throws FileError if the file cannot be read, is empty, or is not such text; the text before it has been returned
 */
export async function* readText(
  file: string,
  onBytes: (count: number) => void,
  declaredEncoding?: (start: Buffer) => string | undefined,
  encoding?: string,
): AsyncGenerator<string> {
  let filler = '';
  for await (const piece of decodeFile(file, onBytes, declaredEncoding, encoding)) {
    let end = piece.length;
    while (end > 0 && FILLERS.includes(piece.charAt(end - 1))) end--;
    if (end > 0) yield filler + piece.slice(0, end);
    if (end > 0 || filler === '') filler = piece.slice(end, end + 1);
  }
}

async function* decodeFile(
  file: string,
  onBytes: (count: number) => void,
  declaredEncoding?: (start: Buffer) => string | undefined,
  encoding?: string,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let piece: Buffer = Buffer.of();
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
      piece = bytes;
      decoder ??= decoderFor(markedEncoding(bytes) ?? encoding ?? declaredEncoding?.(bytes) ?? 'utf-8');
      yield decoder.decode(bytes, { stream: true });
      piece = Buffer.of();
      onBytes(bytes.length);
    }
    if (!decoder) throw new FileError('it is empty');
    yield decoder.decode();
  } catch (error) {
    if (!decoder || !isError(error) || error.code !== BAD_TEXT) throw systemFault(error) ?? error;
    const bad = await findBadBytes(file, decoder.encoding, declaredEncoding !== undefined);
    if (bad?.place) yield new TextDecoder(decoder.encoding).decode(piece).split('\ufffd', 1).join('');
    throw bad ?? error;
  }
}

function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new FileError(`the encoding ${encoding} is unknown; pass another one, such as --encoding windows-1252`);
  }
}

function markedEncoding(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : null;
}

/** Finds the first bytes of a file that are not text in an encoding; null if there are none. */
async function findBadBytes(file: string, encoding: string, isDeclarable: boolean): Promise<FileError | null> {
  const strict = new TextDecoder(encoding, { fatal: true });
  const lenient = new TextDecoder(encoding);
  let place = { line: 1, column: 1 };
  let isStart = true;
  for await (const bytes of withEnd(createReadStream(file))) {
    const start = bytes?.toString('hex', 0, 8) ?? '';
    if (isStart && COMPRESSED.some((mark) => start.startsWith(mark))) return new FileError(COMPRESSED_REASON);
    isStart = false;
    const options = { stream: bytes !== undefined };
    const text = lenient.decode(bytes, options);
    try {
      strict.decode(bytes, options);
    } catch {
      const at = placeAfter(place, text.slice(0, text.indexOf('\ufffd')));
      if (encoding !== 'utf-8') return new FileError(`the bytes that follow are not text in ${encoding}`, at);
      const advice = isDeclarable ? `${SAVE_AS_UTF8}, ${DECLARE_ENCODING}` : SAVE_AS_UTF8;
      return new FileError(`what follows is not text in UTF-8; ${advice}`, at);
    }
    place = placeAfter(place, text);
  }
  return null;
}

async function* withEnd(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  yield* pieces;
  yield undefined;
}

function placeAfter({ line, column }: Place, text: string): Place {
  const lines = text.split('\n');
  const { length } = lines.at(-1) ?? '';
  return { line: line + lines.length - 1, column: lines.length > 1 ? length + 1 : column + length };
}

/** Describes an error of the file system; null for any other error, and for one that is not about this file. */
export function systemFault(error: unknown): FileError | null {
  if (!isError(error) || !('syscall' in error) || OUT_OF_DESCRIPTORS.has(error.code)) return null;
  const reason = SYSTEM_REASONS[error.code];
  return new FileError(`cannot be read (${error.code})${reason === undefined ? '' : `: ${reason}`}`);
}

function isError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
