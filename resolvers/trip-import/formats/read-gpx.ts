import { createReadStream } from 'node:fs';

import { bytesFailure } from '../rows/bytes-failure.ts';
import { GpxError, GpxParser } from './gpx-parser.ts';
import { ImportFailure } from '../rows/import-failure.ts';
import { isBadText, markedEncoding, unreadable } from '../rows/read-text.ts';
import type { RecordedTrip } from '../rows/recorded-trip.ts';

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
    if (!decoder) throw new ImportFailure(file, null, 'it is empty');
    yield* parser.write(decoder.decode());
    yield* parser.end();
  } catch (error) {
    throw await failureOf(file, parser, error, decoder?.encoding);
  }
}

/** The encoding that a byte order mark or the XML declaration names; UTF-8 if neither does. */
function decoderFor(start: Buffer): TextDecoder {
  const marked = markedEncoding(start);
  if (marked) return new TextDecoder(marked, { fatal: true });
  const label = ENCODING.exec(start.subarray(0, 200).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw new GpxError(`the encoding ${label} is unknown`);
  }
}

async function failureOf(file: string, parser: GpxParser, error: unknown, encoding = 'utf-8'): Promise<unknown> {
  if (error instanceof GpxError) return new ImportFailure(file, parser.place, error.message);
  if (!isBadText(error)) return unreadable(file, error) ?? error;
  if (encoding === 'utf-8') {
    const advice =
      'save it as UTF-8, or name its encoding in the first line, such as <?xml version="1.0" encoding="windows-1252"?>';
    return (await bytesFailure(file, advice)) ?? error;
  }
  return new ImportFailure(file, parser.place, `the bytes that follow are not text in ${encoding}`);
}
