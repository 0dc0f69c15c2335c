import { FileError } from '../faults/import-failure.ts';

const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** A line of text, without its end, and its number from 1. */
export interface TextLine {
  readonly text: string;
  readonly line: number;
}

/**
 * Splits text into lines, of which memory holds those of a piece.
 * @throws FileError if a line is longer than 64 MB
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let rest = '';
  let line = 0;
  for await (const piece of pieces) {
    if (rest.length > MAX_LINE_LENGTH) throw new FileError('the line is too long', { line: line + 1, column: 1 });
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines.map((text) => ({ text, line: ++line }));
  }
  yield [{ text: rest, line: line + 1 }];
}
