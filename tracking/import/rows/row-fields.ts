import { FileError } from './import-failure.ts';
import type { ColumnField, ReadOptions } from './read-options.ts';
import { textOf } from './values.ts';

/** A row of CSV as a list of cells, or a JSON object, with its line in the file. */
export interface FileRow {
  readonly row: object;
  readonly line: number;
}

/** Rows that are read together, below the names of their columns; null for JSON, whose objects name their members. */
export interface RowPiece {
  readonly header: { readonly names: readonly string[]; readonly line: number } | null;
  readonly rows: readonly FileRow[];
}

/** Reads the value of a field out of a row; undefined if the row has none. */
type Getter = (row: object) => unknown;
type Getters = Partial<Record<ColumnField, Getter>>;

/** The places of the fields in the rows of a file. */
export interface RowFields {
  readonly getters: Readonly<Getters>;
  /** Returns false for a row without a counterpart in the joined file. */
  readonly isJoined: (row: object) => boolean;
}

/** Rows of another file that add fields to the rows of this one, by the value of the column `on`. */
export interface JoinedRows {
  readonly on: string;
  readonly fields: readonly ColumnField[];
  /** Cells in the order of `fields`. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** Names by which a field is found if the options name no column, in lower case. */
const USUAL_NAMES: readonly (readonly [ColumnField, readonly string[]])[] = [
  ['time', ['time', 'timestamp', 'datetime', 'date_time']],
  ['lat', ['lat', 'latitude']],
  ['lon', ['lon', 'lng', 'long', 'longitude']],
  ['heading', ['heading', 'course', 'bearing']],
  ['events', ['events']],
];

/**
 * Finds the fields in the columns of a CSV file, or in the members of JSON objects: those that the options map to a
 * column (for objects to a path such as `position.coordinates.0`), those of the joined file, and those with a usual
 * name.
 *
 * @throws FileError if the header lacks a column
 */
export function fieldsOf(
  header: RowPiece['header'],
  { columns = {}, speedUnit }: Pick<ReadOptions, 'columns' | 'speedUnit'>,
  joined: JoinedRows | null,
): RowFields {
  const usual = speedUnit ? [...USUAL_NAMES, ['speed', ['speed']] as const] : USUAL_NAMES;
  const mapped = Object.entries(columns) as [ColumnField, string][];
  const column = (name: string) => (header ? cellGetter(name, header) : pathGetter(name));
  const rowOf = joined && joinedRow(joined, column(joined.on));
  const fromJoined: Getters = {};
  for (const [at, field] of (joined?.fields ?? []).entries()) fromJoined[field] = (row) => rowOf?.(row)?.[at];

  const getters: Getters = header ? { ...fromJoined } : {};
  const lower = header?.names.map((name) => name.toLowerCase());
  for (const [field, names] of usual) {
    const at = lower?.findIndex((name) => names.includes(name)) ?? null;
    if (at === null) getters[field] = anyOf(names);
    else if (at >= 0) getters[field] = cell(at);
  }
  for (const [field, name] of mapped) {
    const isElsewhere = header && !header.names.includes(name) && fromJoined[field];
    getters[field] = isElsewhere || column(name);
  }
  if (!header) Object.assign(getters, fromJoined);
  return { getters, isJoined: (row) => !rowOf || rowOf(row) !== undefined };
}

/** Makes the error for a column that is missing from the header. */
export function missingColumn(column: string, { names, line }: NonNullable<RowPiece['header']>): FileError {
  return new FileError(`there is no column ${column}; the columns are ${names.join(', ')}`, { line, column: 1 });
}

function joinedRow({ rows }: JoinedRows, nameOf: Getter): (row: object) => readonly string[] | undefined {
  return (row) => rows.get(textOf(nameOf(row)) ?? '');
}

function cellGetter(name: string, header: NonNullable<RowPiece['header']>): Getter {
  const at = header.names.indexOf(name);
  if (at < 0) throw missingColumn(name, header);
  return cell(at);
}

function cell(at: number): Getter {
  return (row) => (row as readonly string[])[at];
}

/** Makes the getter of a path; a member whose name is the whole path takes precedence. */
function pathGetter(path: string): Getter {
  if (!path.includes('.')) return (row) => memberOf(row, path);
  const steps = path.split('.');
  return (row) => memberOf(row, path) ?? steps.reduce<unknown>(memberOf, row);
}

function anyOf(names: readonly string[]): Getter {
  return (row) => {
    const there = names.find((name) => memberOf(row, name) !== undefined);
    return there === undefined ? undefined : memberOf(row, there);
  };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
