import { createReadStream } from 'node:fs';

import { GpxError, GpxParser } from './gpx-parser.ts';
import { ImportFailure } from './import-failure.ts';
import { unreadable } from './read-text.ts';
import type { RecordedTrip } from './recorded-trip.ts';

const ENCODING = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/;

/**
 * Reads the trips of a GPX file one after the other; at no time is more in memory than one trip and a piece of the file.
 *
 * @param onBytes is told the size of each piece
 * @throws ImportFailure with line and column where the file cannot be read on
 */
export async function* readGpx(file: string, onBytes: (count: number) => void): AsyncGenerator<RecordedTrip> {
  const parser = new GpxParser();
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      decoder ??= decoderFor(chunk);
      yield* parser.write(decoder.decode(chunk, { stream: true }));
      onBytes(chunk.length);
    }
    yield* parser.write(decoder?.decode() ?? '');
    yield* parser.end();
  } catch (error) {
    throw failureOf(file, parser, error);
  }
}

/** The encoding that a byte order mark or the XML declaration names; UTF-8 if neither does. */
function decoderFor(start: Buffer): TextDecoder {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  const label = ENCODING.exec(start.subarray(0, 200).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw new GpxError(`the encoding ${label} is unknown`);
  }
}

function failureOf(file: string, parser: GpxParser, error: unknown): unknown {
  if (error instanceof GpxError) return new ImportFailure(file, parser.place, error.message);
  const failure = unreadable(file, error);
  if (!failure || (error instanceof Error && 'syscall' in error)) return failure ?? error;
  const reason = 'the bytes that follow are not text of the encoding that the file names';
  return new ImportFailure(file, parser.place, reason);
}
