import { csvRows } from './csv-rows.ts';
import { readText } from './file-text.ts';
import { withFile } from './import-failure.ts';
import type { ColumnField, ReadOptions } from './read-options.ts';
import { type JoinedRows, missingColumn } from './row-fields.ts';
import { textOf } from './values.ts';

/**
 * Reads the CSV file that adds fields to the rows of another; the columns that are mapped to fields are held in memory.
 * @throws ImportFailure if it cannot be read, or lacks the column by which it is joined
 */
export async function readJoined({ join, columns = {} }: ReadOptions): Promise<JoinedRows | null> {
  if (!join) return null;
  const { file, on } = join;
  const rows = new Map<string, readonly string[]>();
  let fields: readonly ColumnField[] = [];
  try {
    for await (const { header, rows: piece } of csvRows(readText(file, () => {}))) {
      const names = header?.names ?? [];
      if (header && !names.includes(on)) throw missingColumn(on, header);
      const mapped = Object.entries(columns).filter(([, column]) => column !== on && names.includes(column));
      fields = mapped.map(([field]) => field as ColumnField);
      const places = mapped.map(([, column]) => names.indexOf(column));
      for (const { row } of piece) {
        const cells = row as readonly string[];
        const name = textOf(cells[names.indexOf(on)]);
        const values = places.map((at) => cells[at] ?? '');
        if (name !== null) rows.set(name, values);
      }
    }
  } catch (error) {
    throw withFile(file, error);
  }
  return { on, fields, rows };
}
