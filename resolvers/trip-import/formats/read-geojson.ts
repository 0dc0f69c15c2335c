import { createReadStream } from 'node:fs';

import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';

import { MAX_JSON_DEPTH } from '../../../schema/json-depth.ts';

import { bytesFailure } from '../rows/bytes-failure.ts';
import { FeatureReader } from './feature-reader.ts';
import { ImportFailure } from '../rows/import-failure.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import { unreadable } from '../rows/read-text.ts';
import type { FileItem } from '../rows/stream-position.ts';

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Members of the document that are kept, one at a time: a feature of a collection, or the parts of a single feature. */
const KEPT = ['$.features.*', '$.type', '$.geometry', '$.properties', '$.coordinates'];

const TOO_DEEP = `arrays and objects are nested more than ${MAX_JSON_DEPTH} deep, and GeoJSON needs ten; export the file again`;
const NO_TYPE = 'it is no GeoJSON: it has no type; for JSON objects, one a line, give --format ndjson';

/** What a token adds to the depth at which the document is read. */
const DEPTH_OF: Readonly<Partial<Record<TokenType, number>>> = {
  [TokenType.LEFT_BRACE]: 1,
  [TokenType.LEFT_BRACKET]: 1,
  [TokenType.RIGHT_BRACE]: -1,
  [TokenType.RIGHT_BRACKET]: -1,
};

/**
 * Reads the features of a GeoJSON document (RFC 7946), at most one of them in memory.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7946
 * @throws ImportFailure with the line where the document cannot be read on
 */
export async function* readGeojson(
  file: string,
  options: ReadOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<FileItem[]> {
  const reader = new FeatureReader(options);
  const document: Record<string, unknown> = {};
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: KEPT, keepStack: false });
  let items: FileItem[] = [];
  let piece: Uint8Array = new Uint8Array();
  let pieceStart = 0;
  let counted = 0;
  let line = 1;
  let depth = 0;
  const countLines = (until: number) => {
    for (; counted < Math.min(until, piece.length); counted++) if (piece[counted] === NEWLINE) line++;
  };
  tokenizer.onToken = ({ token, value, offset }) => {
    countLines(offset - pieceStart);
    depth += DEPTH_OF[token] ?? 0;
    if (depth > MAX_JSON_DEPTH) throw new ImportFailure(file, { line, column: 1 }, TOO_DEEP);
    parser.write({ token, value } as Parameters<typeof parser.write>[0]);
  };
  parser.onValue = ({ key, value, stack }) => {
    if (stack.length > 1) items.push(...reader.read(value, line));
    else if (typeof key === 'string') document[key] = value;
  };

  try {
    for await (const bytes of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
      onBytes(bytes.length);
      piece = bytes;
      counted = 0;
      tokenizer.write(bytes);
      countLines(bytes.length);
      pieceStart += bytes.length;
      yield items;
      items = [];
    }
    if (pieceStart === 0) throw new ImportFailure(file, null, 'it is empty');
    if (!parser.isEnded) throw new Error('the document breaks off');
  } catch (error) {
    if (error instanceof ImportFailure) throw error;
    const place = { line, column: 1 };
    throw (
      unreadable(file, error) ??
      (await bytesFailure(file)) ??
      new ImportFailure(file, place, `it is no GeoJSON: ${reasonOf(error)}`)
    );
  }
  if (document.type === undefined) throw new ImportFailure(file, { line: 1, column: 1 }, NO_TYPE);
  if (document.type !== 'FeatureCollection') yield reader.read(documentAsFeature(document), 1);
}

/** A single feature as it is; a bare geometry as a feature without properties. */
function documentAsFeature(document: Record<string, unknown>): unknown {
  return document.type === 'Feature' ? document : { type: 'Feature', geometry: document, properties: {} };
}

/** What the parser says, without its places, which are counted from the last piece, and its states. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/ at chunk position .*| in state .*/s, '')
    .split('\n', 1)
    .join('')
    .slice(0, 200);
}
