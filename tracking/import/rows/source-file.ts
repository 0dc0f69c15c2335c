import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { readText, systemFault } from './file-text.ts';
import { FileError } from '../faults/import-failure.ts';

const START_BYTES = 4096;

/** A file that is read once, as text (in `encoding`, if given) or as bytes. `onBytes` gets the size of each processed piece. */
export class SourceFile {
  readonly #path: string;
  readonly #onBytes: (count: number) => void;
  readonly #encoding: string | undefined;

  constructor(path: string, onBytes: (count: number) => void, encoding?: string) {
    this.#path = path;
    this.#onBytes = onBytes;
    this.#encoding = encoding;
  }

  /** Reads the file as text, as {@link readText} does. */
  text(declaredEncoding?: (start: Buffer) => string | undefined): AsyncGenerator<string> {
    return readText(this.#path, this.#onBytes, declaredEncoding, this.#encoding);
  }

  /** @throws FileError if the file cannot be read */
  async *bytes(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of createReadStream(this.#path) as AsyncIterable<Buffer>) {
        yield piece;
        this.#onBytes(piece.length);
      }
    } catch (error) {
      throw systemFault(error) ?? error;
    }
  }

  /**
   * Reads the file into memory.
   * @throws FileError if it cannot be read, is empty, or has more than `max` bytes
   */
  async whole(max: number): Promise<Buffer<ArrayBuffer>> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of this.bytes()) {
      pieces.push(piece);
      length += piece.length;
      if (length > max) throw new FileError(`it has more than ${max / 1024 / 1024} MB; split it`);
    }
    if (length === 0) throw new FileError('it is empty');
    return Buffer.concat(pieces);
  }
}

/**
 * Reads the first bytes of a file as characters of their numbers, or as UTF-16 if they are marked as such; '' for what is
 * no regular file, such as a pipe, which can be read only once.
 * @throws FileError if the file cannot be read
 */
export async function readStart(path: string): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return startOf(buffer.subarray(0, bytesRead));
  } catch (error) {
    throw systemFault(error) ?? error;
  } finally {
    await file?.close();
  }
}

function startOf(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') {
    return new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be').decode(bytes);
  }
  return bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
}
