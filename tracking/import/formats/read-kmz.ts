import { Unzip, UnzipInflate } from 'fflate';

import { FileError, type Place } from '../faults/import-failure.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import type { SourceFile } from '../rows/source-file.ts';
import type { FileItem } from '../rows/stream-position.ts';
import { xmlEncoding } from './read-gpx.ts';
import { readKml } from './read-kml.ts';

const NOT_TEXT =
  'the KML in it is not text in its encoding; save it as UTF-8, or pass its encoding, such as --encoding windows-1252';

/** Maximum length of the unpacked document in characters: a small file can pack a thousand times its size. */
const MAX_UNPACKED = 256 * 1024 ** 2;

/** Size of the pieces that are unpacked at a time, so that each yields some megabytes at most. */
const PIECE_BYTES = 16 * 1024;

/**
 * Reads the KML document in a KMZ file, the first one if there are several; pictures beside it are not unpacked.
 * @see https://developers.google.com/kml/documentation/kmzarchives
 * @throws FileError if it cannot be unpacked or unpacks to more than 256 MB; else as {@link readKml}, with the place in the
 * unpacked document
 */
export function readKmz(file: SourceFile, options: ReadOptions): AsyncGenerator<FileItem[]> {
  return readKml(limited(textIn(unpacked(file.bytes()), options.encoding)), options);
}

async function* limited(text: AsyncIterable<string>): AsyncGenerator<string> {
  let length = 0;
  for await (const piece of text) {
    length += piece.length;
    if (length > MAX_UNPACKED) {
      throw new FileError(`it unpacks to more than ${MAX_UNPACKED / 1024 ** 2} MB; unpack it, and import the KML`);
    }
    yield piece;
  }
}

async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let isFound = false;
  const unzip = new Unzip((entry) => {
    if (isFound || !/\.kml$/i.test(entry.name)) return;
    isFound = true;
    entry.ondata = (error, piece) => {
      if (error) throw error;
      pieces.push(piece);
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for await (const bytes of packed) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      try {
        unpackPiece(unzip, bytes.subarray(at, at + PIECE_BYTES));
      } finally {
        yield* pieces;
        pieces = [];
      }
    }
  }
  if (!isFound) throw new FileError('it is no KMZ: it is not a ZIP archive with a KML file in it');
}

function unpackPiece(unzip: Unzip, piece: Uint8Array): void {
  try {
    unzip.push(piece);
  } catch (error) {
    throw new FileError(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function* textIn(pieces: AsyncIterable<Uint8Array>, encoding?: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let place = null as Place | null;
  try {
    for await (const piece of pieces) {
      decoder ??= new TextDecoder(encoding ?? xmlEncoding(Buffer.from(piece)) ?? 'utf-8', { fatal: true });
      const text = decoder.decode(piece, { stream: true });
      yield text;
      place = { line: (place?.line ?? 1) + text.split('\n').length - 1, column: 1 };
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (error instanceof FileError) throw new FileError(error.message, place);
    if (error instanceof TypeError || error instanceof RangeError) throw new FileError(NOT_TEXT, place);
    throw error;
  }
}
