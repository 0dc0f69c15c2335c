import { csvRows } from '../rows/csv-rows.ts';
import { ImportFailure } from '../rows/import-failure.ts';
import { JoinedFile, noColumn } from '../rows/joined-file.ts';
import type { ColumnField, ReadOptions } from '../rows/read-options.ts';
import { type Getter, RowReader, USUAL_NAMES } from '../rows/row-reader.ts';
import type { FileItem } from '../rows/stream-position.ts';

type Cells = readonly string[];
type Getters = Partial<Record<ColumnField, Getter<Cells>>>;

/** Rows that are given on in one piece. */
const ROWS_A_PIECE = 1000;

/**
 * Reads a CSV file of positions, or of whole trips where `coordinates` is mapped; its first row names the columns.
 *
 * @throws ImportFailure naming the line where it cannot be read on, or a column that it has not
 */
export async function* readCsv(
  file: string,
  options: ReadOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<FileItem[]> {
  let reader: RowReader<Cells> | null = null;
  let items: FileItem[] = [];
  for await (const { cells, line } of csvRows(file, onBytes)) {
    if (!reader) {
      reader = await rowReader(file, line, cells, options);
      continue;
    }
    items.push(reader.read(cells, line));
    if (items.length < ROWS_A_PIECE) continue;
    yield items;
    items = [];
  }
  if (!reader) throw new ImportFailure(file, null, 'it is empty');
  yield items;
}

async function rowReader(file: string, line: number, header: Cells, options: ReadOptions): Promise<RowReader<Cells>> {
  const names = header.map((name) => name.trim());
  if (!options.join) return new RowReader(gettersOf(file, line, names, options, {}), options);
  const joined = await JoinedFile.read(options.join, options.columns ?? {});
  const on = names.indexOf(options.join.on);
  if (on < 0) throw noColumn(file, line, options.join.on, names);
  const nameOf: Getter<Cells> = (cells) => cells[on];
  const getters = gettersOf(file, line, names, options, joined.getters(nameOf));
  return new RowReader(getters, options, (cells) => joined.has(nameOf(cells)));
}

function gettersOf(file: string, line: number, names: Cells, options: ReadOptions, joined: Getters): Getters {
  const { columns = {}, speedUnit } = options;
  const getters: Getters = { ...joined };
  const lower = names.map((name) => name.toLowerCase());
  const usual = { ...USUAL_NAMES, ...(speedUnit ? { speed: ['speed'] } : {}) };
  for (const [field, candidates] of Object.entries(usual) as [ColumnField, readonly string[]][]) {
    const at = lower.findIndex((name) => candidates.includes(name));
    if (at >= 0) getters[field] = (cells) => cells[at];
  }
  for (const [field, column] of Object.entries(columns) as [ColumnField, string][]) {
    const at = names.indexOf(column);
    if (at >= 0) getters[field] = (cells) => cells[at];
    else if (joined[field]) getters[field] = joined[field];
    else throw noColumn(file, line, column, names);
  }
  return getters;
}
