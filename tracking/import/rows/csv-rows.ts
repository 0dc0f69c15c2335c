import { type CsvError, parse, type Parser } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';

import { FileError } from '../faults/import-failure.ts';
import type { FileRow, RowPiece } from './row-fields.ts';

const DELIMITERS = [',', ';', '\t', '|'];

const MAX_ROW_LENGTH = 64 * 1024 * 1024;

/** Beginning of a file, in characters and lines, in which the names of the columns are looked for. */
const MAX_START_LENGTH = 64 * 1024;
const MAX_TITLE_LINES = 50;
/** Minimum number of columns of a line that is taken for the names of unknown columns: a time and two coordinates. */
const MIN_COLUMNS = 3;

/** The first line of a file for Excel, which names its delimiter. */
const DELIMITER_LINE = /^"?sep=([^\r\n])"?(?:\r\n|\n|\r)/i;

const LINE = /[^\r\n]*(?:\r\n|\n|\r|$)/g;

/**
 * Parses CSV (RFC 4180): yields the row that names the columns first, then the rows below it. That row is the first one that
 * `isHeader` accepts with one of the delimiters comma, semicolon, tab and bar, so titles may stand above it; if there is none,
 * the first row of three columns or more, else the first row.
 * @throws FileError with the line that cannot be parsed, after the rows before it
 */
export async function* csvRows(
  text: AsyncIterable<string>,
  isHeader: (names: readonly string[]) => boolean,
): AsyncGenerator<RowPiece> {
  const found: FileRow[] = [];
  let parser: Parser | undefined;
  let start: Start = { delimiter: ',', from: 0, lines: 0 };
  let header: RowPiece['header'] = null;
  const takeRows = (): RowPiece => {
    const [first] = header ? [] : found.splice(0, 1);
    if (first) header = { names: namesIn(first.row as string[]), line: first.line };
    return { header, rows: found.splice(0) };
  };
  try {
    for await (const piece of wholeLines(text)) {
      if (!parser) start = findHeader(piece, isHeader);
      const written = parser ? piece : piece.slice(start.from);
      parser ??= parserFor(start, found);
      await write(parser, written);
      const rows = takeRows();
      if (header) yield rows;
    }
    if (parser) await end(parser);
  } catch (error) {
    if (parser && !isCsvError(error)) await end(parser).catch(() => {});
    if (found.length > 0) yield takeRows();
    throw faultOf(error, start.lines);
  }
  const rows = takeRows();
  if (!header) throw new FileError('it is empty');
  yield rows;
}

/** Pieces of whole lines, of which the first is long enough to find the names of the columns; the last line may have no end. */
async function* wholeLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  let isBegun = false;
  try {
    for await (const piece of text) {
      const end = held.length + lineEnd(piece);
      const hasEnd = end > held.length;
      held += piece;
      if (hasEnd ? !isBegun && held.length < MAX_START_LENGTH : held.length <= MAX_ROW_LENGTH) continue;
      isBegun = true;
      yield hasEnd ? held.slice(0, end) : held;
      held = hasEnd ? held.slice(end) : '';
    }
  } catch (error) {
    yield held.slice(0, lineEnd(held));
    throw error;
  }
  yield held;
}

/** Place after the last line end, which is not the first half of one; 0 without any. */
function lineEnd(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.length < 2 ? -1 : text.lastIndexOf('\r', text.length - 2)) + 1;
}

/** Makes a parser that appends rows to `found`. */
function parserFor({ delimiter, lines: above }: Start, found: FileRow[]): Parser {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record: (row: string[], { lines }) => {
      found.push({ row, line: above + lines });
      return null;
    },
  });
  // Each error also rejects the call that caused it.
  return parser.on('error', () => {});
}

function write(parser: Parser, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function end(parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject).end(resolve);
  });
}

interface Start {
  readonly delimiter: string;
  /** Place of the header, in characters, and the number of lines above it. */
  readonly from: number;
  readonly lines: number;
}

function findHeader(start: string, isHeader: (names: readonly string[]) => boolean): Start {
  const named = DELIMITER_LINE.exec(start);
  const delimiters = named?.[1] === undefined ? DELIMITERS : [named[1]];
  let [from, lines] = [named?.[0].length ?? 0, named ? 1 : 0];
  let first: Start | undefined;
  let likely: Start | undefined;
  for (const [line] of start.slice(from).matchAll(LINE)) {
    const delimiter = delimiters.find((one) => isHeader(cellsOf(line, one)));
    if (delimiter !== undefined) return { delimiter, from, lines };
    const best = bestDelimiter(line, delimiters);
    first ??= { delimiter: best.delimiter, from, lines };
    if (best.cells >= MIN_COLUMNS) likely ??= { delimiter: best.delimiter, from, lines };
    from += line.length;
    if (++lines > MAX_TITLE_LINES) break;
  }
  return likely ?? first ?? { delimiter: ',', from, lines };
}

/** The delimiter of which a line has most outside quotes, and the number of cells that it makes. */
function bestDelimiter(line: string, delimiters: readonly string[]): { delimiter: string; cells: number } {
  const written = line.replace(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => ({ delimiter, cells: written.split(delimiter).length }));
  return counts.reduce((best, one) => (one.cells > best.cells ? one : best));
}

/** The cells of a line; none if it is not a row. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  try {
    const rows: string[][] = parseNow(line, { delimiter, relax_column_count: true });
    return namesIn(rows[0] ?? []);
  } catch {
    return [];
  }
}

function namesIn(cells: readonly string[]): readonly string[] {
  return cells.map((name) => name.trim());
}

function isCsvError(error: unknown): error is CsvError & { lines?: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}

function faultOf(error: unknown, above: number): unknown {
  if (!isCsvError(error)) return error;
  const { lines = 1 } = error;
  const reason = error.code === 'CSV_MAX_RECORD_SIZE' ? 'the line is too long' : `it is not CSV: ${error.message}`;
  return new FileError(reason, { line: above + Math.max(1, lines), column: 1 });
}
