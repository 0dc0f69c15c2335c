import { FileError } from '../faults/import-failure.ts';
import type { ColumnField, ReadOptions } from './read-options.ts';
import { isThere, USUAL_NAMES, USUAL_PAIRS, usualColumn } from './usual-columns.ts';
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
  /** True if the time is in two columns that the options do not name. */
  readonly isTimeJoined: boolean;
}

/** Rows of another file that add fields to the rows of this one, by the value of the column `on`. */
export interface JoinedRows {
  readonly on: string;
  readonly fields: readonly ColumnField[];
  /** Cells in the order of `fields`. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** A time of day without a date. */
const CLOCK = /^\d{1,2}(?::\d{2}|\d{2}(?:\d{2})?(?:\.\d+)?$)/;

/**
 * Finds the fields in the columns of a CSV file, or in the members of JSON objects: those that the options map to a
 * column (for objects to a path such as `position.coordinates.0`), those of the joined file, and those with a usual
 * name.
 *
 * @throws FileError if the header lacks a column, or a column for the time or the position
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
  for (const [field, names] of usual) {
    const at = header ? usualColumn(names, header.names) : null;
    if (at === null) getters[field] = anyOf(names);
    else if (at >= 0) getters[field] = cell(at);
  }
  const pairs = new Map(USUAL_PAIRS.filter((pair) => columns[pair[0]] === undefined && isThere(pair[1], header)));
  for (const [field, pair] of pairs) {
    const [first, second] = pair.map((name) => (header ? cell(usualColumn([name], header.names)) : anyOf([name])));
    if (first && second) getters[field] = pairGetter(field, [first, second], getters[field], pair[0].startsWith('utc'));
  }
  for (const [field, name] of mapped) {
    const isElsewhere = header && !header.names.includes(name) && fromJoined[field];
    getters[field] = isElsewhere || column(name);
  }
  if (!header) Object.assign(getters, fromJoined);
  if (header) checkFields(getters, header);
  const isTimeJoined = header !== null && pairs.has('time');
  return { getters, isJoined: (row) => !rowOf || rowOf(row) !== undefined, isTimeJoined };
}

/** Makes the getter of two columns; a time that has a date itself needs no other column. */
function pairGetter(
  field: ColumnField,
  pair: readonly [Getter, Getter],
  single: Getter | undefined,
  isUtc: boolean,
): Getter {
  const both = joinedGetter(pair);
  if (field !== 'time') return both;
  const isClock = (value: unknown) => CLOCK.test(textOf(value) ?? '');
  return (row) => {
    const alone = single?.(row);
    if ((alone !== undefined && !isClock(alone)) || !isClock(pair[1](row))) return alone;
    const joined = both(row);
    return joined !== null && isUtc ? `${joined} Z` : joined;
  };
}

/** @throws FileError if a file of positions has no column for the time or the place */
function checkFields(getters: Getters, { names, line }: NonNullable<RowPiece['header']>): void {
  const needed = getters.coordinates ? (['time'] as const) : (['time', 'lat', 'lon'] as const);
  const missing = needed.filter((field) => !getters[field]);
  if (missing.length === 0) return;
  const advice = missing.map((field) => `${field}=COLUMN`).join(' ');
  const reason = `no column has a usual name for ${missing.join(', ')}; the columns are ${names.join(', ')}`;
  throw new FileError(`${reason}; assign them with --map ${advice}`, { line, column: 1 });
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
  if (at >= 0) return cell(at);
  const parts = name.split('+');
  if (parts.length === 1) throw missingColumn(name, header);
  return joinedGetter(parts.map((part) => cellGetter(part, header)));
}

/** Makes the getter of several columns, which reads their texts with spaces between them; null if one of them is empty. */
function joinedGetter(getters: readonly Getter[]): (row: object) => string | null {
  return (row) => {
    const texts = getters.map((getter) => textOf(getter(row)));
    return texts.includes(null) ? null : texts.join(' ');
  };
}

function cell(at: number): Getter {
  return (row) => (row as readonly string[])[at];
}

/** Makes the getter of a path; a member whose name is the whole path takes precedence. */
function pathGetter(path: string): Getter {
  if (path.includes('+')) {
    const joined = joinedGetter(path.split('+').map(pathGetter));
    return (row) => memberOf(row, path) ?? joined(row);
  }
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
