import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';

import { MAX_JSON_DEPTH } from '../../../schema/json-depth.ts';

import { FileError } from '../faults/import-failure.ts';

const NEWLINE = 0x0a;

const DEPTH_OF: Readonly<Partial<Record<TokenType, number>>> = {
  [TokenType.LEFT_BRACE]: 1,
  [TokenType.LEFT_BRACKET]: 1,
  [TokenType.RIGHT_BRACE]: -1,
  [TokenType.RIGHT_BRACKET]: -1,
};

/** A value in a document of JSON. */
export interface JsonValue {
  /** Name of the member, or index of the element. */
  readonly key: string | number | undefined;
  /** Name of the member of the document that is, or has, the value; undefined in a document that is a list. */
  readonly member: string | number | undefined;
  readonly value: unknown;
  /** Line where it ends. */
  readonly line: number;
}

/**
 * Reads the values at some paths (`$.features.*`) of a JSON document, one of which is in memory at a time.
 * @throws FileError with the line where parsing stopped, if it is not JSON to its end, after the values before it
 */
export async function* jsonValues(
  text: AsyncIterable<string>,
  paths: string[],
  title: string,
): AsyncGenerator<JsonValue[]> {
  const tooDeep = `arrays and objects are nested more than ${MAX_JSON_DEPTH} deep, and ${title} needs ten; export the file again`;
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths, keepStack: false });
  let values: JsonValue[] = [];
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
    if (depth > MAX_JSON_DEPTH) throw new FileError(tooDeep, { line, column: 1 });
    parser.write({ token, value } as Parameters<typeof parser.write>[0]);
  };
  parser.onValue = ({ key, value, stack }) => {
    values.push({ key, member: stack.length > 1 ? stack[1]?.key : key, value, line });
  };
  for await (const written of text) {
    piece = Buffer.from(written);
    counted = 0;
    try {
      tokenizer.write(piece);
    } catch (error) {
      yield values;
      if (error instanceof FileError) throw error;
      throw new FileError(`it is not ${title}: ${reasonOf(error)}`, { line, column: 1 });
    }
    countLines(piece.length);
    pieceStart += piece.length;
    yield values;
    values = [];
  }
  if (!parser.isEnded) throw new FileError(`it is not ${title}: the document is incomplete`, { line, column: 1 });
}

/** Returns the parser's message without its states and its positions, which are counted from the last piece. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/ at chunk position .*| in state .*/s, '')
    .split('\n', 1)
    .join('')
    .slice(0, 200);
}
