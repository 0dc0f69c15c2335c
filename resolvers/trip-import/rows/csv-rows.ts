import { pipeline } from 'node:stream';

import { type CsvError, type Info, parse } from 'csv-parse';

import { ImportFailure } from './import-failure.ts';
import { readText } from './read-text.ts';

/** A line of CSV with its place in the file; lines count from 1. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Characters of a row; more than anybody writes, less than memory. */
const MAX_ROW_LENGTH = 64 * 1024 * 1024;

/**
 * Reads the rows of a CSV file (RFC 4180), the first one being the names of the columns. Cells are parted by whichever of
 * comma, semicolon, tab and bar its first line has most of.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 * @throws ImportFailure with the line where the file cannot be read on
 */
export async function* csvRows(file: string, onBytes: (count: number) => void): AsyncGenerator<CsvRow> {
  const text = readText(file, onBytes);
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
    // What goes wrong is thrown below, where the rows are read.
  });
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield { cells: record, line: info.lines };
    }
  } catch (error) {
    throw failureOf(file, error);
  }
}

async function* startingWith(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function delimiterOf(start: string): string {
  const first = start.split(/[\r\n]/, 1)[0] ?? '';
  const count = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.reduce((most, delimiter) => (count(delimiter) > count(most) ? delimiter : most));
}

function failureOf(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))) return error;
  const { lines = 1 } = error as CsvError & { lines?: number };
  const reason = error.code === 'CSV_MAX_RECORD_SIZE' ? 'the line is too long' : `it is no CSV: ${error.message}`;
  return new ImportFailure(file, { line: Math.max(1, lines), column: 1 }, reason);
}
