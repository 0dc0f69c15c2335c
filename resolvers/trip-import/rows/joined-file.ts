import { csvRows } from './csv-rows.ts';
import { ImportFailure } from './import-failure.ts';
import type { ColumnField, ReadOptions } from './read-options.ts';
import { type Getter, textOf } from './row-reader.ts';

/** A CSV file that says more of the rows of another one, such as which vehicle drove a trip; it is held in memory. */
export class JoinedFile {
  readonly #rows = new Map<string, readonly string[]>();
  /** The fields that the file has a column for, in the order of the cells that are kept. */
  readonly #fields: readonly ColumnField[];

  private constructor(fields: readonly ColumnField[]) {
    this.#fields = fields;
  }

  /**
   * Reads a joined file, of it the columns that are mapped.
   *
   * @throws ImportFailure where it cannot be read, or has not the column by which it is joined
   */
  static async read(
    { file, on }: NonNullable<ReadOptions['join']>,
    columns: NonNullable<ReadOptions['columns']>,
  ): Promise<JoinedFile> {
    let joined: { to: JoinedFile; on: number; kept: readonly number[] } | null = null;
    for await (const { cells, line } of csvRows(file, () => {})) {
      if (!joined) {
        const kept = Object.entries(columns).filter(([, column]) => column !== on && cells.includes(column));
        joined = {
          to: new JoinedFile(kept.map(([field]) => field as ColumnField)),
          on: cells.indexOf(on),
          kept: kept.map(([, column]) => cells.indexOf(column)),
        };
        if (joined.on < 0) throw noColumn(file, line, on, cells);
        continue;
      }
      const name = textOf(cells[joined.on]);
      if (name !== null) {
        joined.to.#rows.set(
          name,
          joined.kept.map((at) => cells[at] ?? ''),
        );
      }
    }
    if (!joined) throw new ImportFailure(file, null, 'it is empty');
    return joined.to;
  }

  /** Whether a row of the file has the given name. */
  has(name: unknown): boolean {
    return this.#rows.has(textOf(name) ?? '');
  }

  /** The getters of the fields that the file has a column for, given where a row of the other file has the name. */
  getters<Row>(nameOf: Getter<Row>): Partial<Record<ColumnField, Getter<Row>>> {
    const getters: Partial<Record<ColumnField, Getter<Row>>> = {};
    for (const [at, field] of this.#fields.entries()) {
      getters[field] = (row) => this.#rows.get(textOf(nameOf(row)) ?? '')?.[at];
    }
    return getters;
  }
}

/** The refusal of a column that a file has not. */
export function noColumn(file: string, line: number, column: string, columns: readonly string[]): ImportFailure {
  return new ImportFailure(file, { line, column: 1 }, `there is no column ${column}; there are ${columns.join(', ')}`);
}
