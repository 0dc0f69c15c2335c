import { findTooDeep, MAX_JSON_DEPTH } from '../../../schema/json-depth.ts';

import { FileError } from '../rows/import-failure.ts';
import type { FileRow, RowPiece } from '../rows/row-fields.ts';

const MAX_LINE_LENGTH = 64 * 1024 * 1024;
const TOO_DEEP = `arrays and objects are nested more than ${MAX_JSON_DEPTH} deep; write one object a line, as flat as a row`;

/**
 * Parses JSON objects, one per line; empty lines are skipped.
 * @see https://github.com/ndjson/ndjson-spec
 * @throws FileError with the line that is not an object, after the rows before it
 */
export async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<RowPiece> {
  let rest = '';
  let line = 0;
  for await (const piece of text) {
    if (rest.length > MAX_LINE_LENGTH) throw new FileError('the line is too long', { line: line + 1, column: 1 });
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    const rows: FileRow[] = [];
    try {
      for (const written of lines) rows.push(...parseLine(written, ++line));
    } finally {
      yield { header: null, rows };
    }
  }
  yield { header: null, rows: parseLine(rest, line + 1) };
}

function parseLine(text: string, line: number): FileRow[] {
  if (text === '' || text.trim() === '') return [];
  const tooDeep = findTooDeep(text);
  if (tooDeep !== null) throw new FileError(TOO_DEEP, { line, column: tooDeep + 1 });
  try {
    const row: unknown = JSON.parse(text);
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return [{ row, line }];
  } catch {
    // Reported below: V8's own message quotes the whole line.
  }
  throw new FileError('the line is not a JSON object', { line, column: 1 });
}
