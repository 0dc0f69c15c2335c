import { pipeline } from 'node:stream';

import { type CsvError, type Info, parse } from 'csv-parse';

import { FileError } from './import-failure.ts';
import type { FileRow, RowPiece } from './row-fields.ts';

const DELIMITERS = [',', ';', '\t', '|'];

const MAX_ROW_LENGTH = 64 * 1024 * 1024;

const ROWS_PER_PIECE = 1000;

/**
 * Parses CSV (RFC 4180) whose first row names the columns: yields that header first, then the rows below it. The
 * delimiter is whichever of comma, semicolon, tab and bar the first line has most of.
 * @throws FileError with the line that cannot be parsed
 */
export async function* csvRows(text: AsyncGenerator<string>): AsyncGenerator<RowPiece> {
  let start = '';
  for (;;) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
    if (/[\r\n]/.test(start) || start.length > MAX_ROW_LENGTH) break;
  }
  const parser = parse({
    delimiter: delimiterOf(start),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  pipeline(startingWith(start, text), parser, () => {
    // An error is thrown below, where the rows are read.
  });
  let header: RowPiece['header'] = null;
  let rows: FileRow[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (header && rows.push({ row: record, line: info.lines }) < ROWS_PER_PIECE) continue;
      header ??= { names: record.map((name) => name.trim()), line: info.lines };
      yield { header, rows };
      rows = [];
    }
  } catch (error) {
    throw faultOf(error);
  }
  if (!header) throw new FileError('it is empty');
  yield { header, rows };
}

async function* startingWith(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function delimiterOf(start: string): string {
  const first = start.split(/[\r\n]/, 1)[0] ?? '';
  const count = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

function faultOf(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))) return error;
  const { lines = 1 } = error as CsvError & { lines?: number };
  const reason = error.code === 'CSV_MAX_RECORD_SIZE' ? 'the line is too long' : `it is not CSV: ${error.message}`;
  return new FileError(reason, { line: Math.max(1, lines), column: 1 });
}
