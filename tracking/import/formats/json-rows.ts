import { findTooDeep, MAX_JSON_DEPTH } from '../../../schema/json-depth.ts';

import { FileError } from '../faults/import-failure.ts';
import type { FileRow, RowPiece } from '../rows/row-fields.ts';
import { linesOf } from '../rows/text-lines.ts';

const TOO_DEEP = `arrays and objects are nested more than ${MAX_JSON_DEPTH} deep; write one object a line, as flat as a row`;

/**
 * Parses JSON objects, one per line, in the part of it that `objectIn` returns; empty lines are skipped.
 * @see https://github.com/ndjson/ndjson-spec
 * @throws FileError with the line that is not an object, after the rows before it
 */
export async function* jsonRows(
  text: AsyncIterable<string>,
  objectIn: (line: string) => string = (line) => line,
): AsyncGenerator<RowPiece> {
  for await (const lines of linesOf(text)) {
    const rows: FileRow[] = [];
    try {
      for (const { text: written, line } of lines) rows.push(...parseLine(objectIn(written), line));
    } catch (error) {
      yield { header: null, rows };
      throw error;
    }
    yield { header: null, rows };
  }
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
