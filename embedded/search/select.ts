import { decode } from '../bson/codec.ts';
import { fieldCopier } from '../bson/copy-fields.ts';
import { keyOf } from '../bson/key.ts';
import { unsupported } from '../bson/mongo-error.ts';
import { TYPES, type Doc } from '../bson/value.ts';
import type { FilterContext } from '../query/filter-context.ts';
import { compileFilter, fieldsOf, type Matcher } from '../query/match.ts';
import { parseSort, sortKey } from '../query/sort.ts';
import { valueAt } from '../query/path.ts';
import { pathNamed, type Collection, type IndexedPath } from '../storage/catalog.ts';
import type { Connection } from '../storage/connection.ts';
import { filterToSql } from '../storage/filter-sql.ts';
import { readRow, type StoredRow } from '../storage/rows.ts';
import { blob, type Row, type SqlValue } from '../storage/sqlite.ts';
import { accessPathOf, pointIn } from './access-path.ts';

/** The documents to find in a collection. */
export interface Selection {
  readonly filter: Doc;
  readonly sort?: Doc | undefined;
  readonly skip?: number | undefined;
  readonly limit?: number | undefined;
  readonly context: FilterContext;
  /** The filter, compiled, if the caller has done so. */
  readonly matcher?: Matcher;
  /** The part of each document to return; all of it by default. */
  readonly project?: ((stored: Buffer) => Buffer) | undefined;
  /** Only rows whose ids are in this span. */
  readonly ids?: { readonly after: number; readonly upTo: number };
}

/** A selection as SQL. */
export interface SelectSql {
  /** Everything from FROM on. */
  readonly from: string;
  readonly values: readonly SqlValue[];
}

/** Counts what a selection finds, without reading documents if the columns can answer. */
export function countDocuments(reader: Connection, collection: Collection, selection: Selection): number {
  return withSelect(reader, collection, selection, ({ from, values }) =>
    Number(reader.get(`SELECT count(*) AS n FROM (SELECT 1 ${from})`, ...values)?.n),
  );
}

/** Counts what a selection finds by its value at an indexed path without arrays, reading one document of each value. */
export function countByValue(reader: Connection, collection: Collection, selection: Selection, path: IndexedPath) {
  return withSelect(reader, collection, selection, ({ from, values }) => {
    const groups = `SELECT min(c.id) AS id, count(*) AS n ${from} GROUP BY c.s${path.slot}`;
    return reader.all(groups, ...values).map(({ id, n }) => {
      reader.spend();
      const { doc } = readRow(reader, collection, Number(id)) ?? {};
      return { value: (doc && valueAt(doc, path.parts)) ?? null, count: Number(n) };
    });
  });
}

/** The ids of the rows a selection finds. */
export function selectIds(reader: Connection, collection: Collection, selection: Selection): number[] {
  return withSelect(reader, collection, selection, ({ from, values }) =>
    reader.all(`SELECT c.id ${from}`, ...values).map(({ id }) => Number(id)),
  );
}

/**
 * The rows a selection finds, all found before the first is returned. One with a value of a unique key is looked up by that, and
 * decoded once.
 */
export function* rowsFound(reader: Connection, collection: Collection, selection: Selection): Generator<StoredRow> {
  const row = rowAtPoint(reader, collection, selection);
  if (row) yield row;
  if (row !== undefined) return;
  for (const id of selectIds(reader, collection, selection)) {
    const found = readRow(reader, collection, id);
    if (found) yield found;
  }
}

/** The row of a filter with a value of a unique key, null if there is none; undefined if a filter has no such value. */
function rowAtPoint(reader: Connection, collection: Collection, selection: Selection): StoredRow | null | undefined {
  const { filter, context, matcher = compileFilter(filter, context) } = selection;
  const point = context.collator ? undefined : pointIn(collection, filter);
  if (!point) return undefined;
  const found = reader.get(`SELECT id, doc FROM c${collection.id} WHERE s${point.path.slot} = ?`, keyOf(point.value));
  if (!found) return null;
  const bytes = blob(found.doc);
  const doc = decode(bytes);
  return matcher(doc) ? { id: Number(found.id), bytes, doc } : null;
}

/** The documents of a selection in stored form, read together, which is quicker if they are few. */
export function allDocuments(reader: Connection, collection: Collection | undefined, selection: Selection): Buffer[] {
  if (!collection) return [];
  return withSelect(reader, collection, selection, ({ from, values }) =>
    reader.all(`SELECT c.doc ${from}`, ...values).map((row) => projected(row, selection)),
  );
}

/** The documents of a selection in stored form, read one by one. */
export function documentsOf(reader: Connection, collection: Collection | undefined, selection: Selection) {
  return iterate(reader, collection, selection, 'c.doc', (row) => projected(row, selection));
}

/** The documents of a selection in stored form with the ids of their rows, read one by one. */
export function rowsOf(reader: Connection, collection: Collection, selection: Selection) {
  return iterate(reader, collection, selection, 'c.id, c.doc', (row) => {
    return { id: Number(row.id), bytes: projected(row, selection) };
  });
}

function* iterate<T>(
  reader: Connection,
  collection: Collection | undefined,
  selection: Selection,
  columns: string,
  make: (row: Row) => T,
): Generator<T, void, void> {
  if (!collection) return;
  const sql = selectSql(reader, collection, selection, false);
  try {
    for (const row of reader.iterate(`SELECT ${columns} ${sql.from}`, ...sql.values)) yield make(row);
  } finally {
    reader.unregister(sql.functions);
  }
}

function projected(row: Row, { project }: Selection): Buffer {
  return project ? project(blob(row.doc)) : blob(row.doc);
}

/**
 * Runs SQL for a selection. For explain, `counts` counts the visited keys of an index, and behind its conditions the
 * documents; without an index the first counts the documents.
 */
export function withSelect<T>(
  connection: Connection,
  collection: Collection,
  selection: Selection,
  run: (sql: SelectSql) => T,
  counts = false,
): T {
  const sql = selectSql(connection, collection, selection, counts);
  try {
    return run(sql);
  } finally {
    connection.unregister(sql.functions);
  }
}

/** Prepares a selection, from FROM on: columns answer if they can, else functions, to be unregistered afterwards. */
function selectSql(
  connection: Connection,
  collection: Collection,
  selection: Selection,
  counts: boolean,
): SelectSql & { readonly functions: readonly number[] } {
  const { filter, skip, limit, context, ids } = selection;
  const access = accessPathOf(connection, collection, selection);
  const condition = context.collator
    ? { sql: '1', values: [], exact: filter.size === 0 }
    : filterToSql(filter, access.collection, context.variables, access.values.length);
  const functions: number[] = [];
  const terms = [
    ...access.terms,
    // Costs less than half a microsecond a row, and is not asked if there is no limit to rows.
    ...(connection.allowance < Number.POSITIVE_INFINITY && !counts ? [`visited(${access.id})`] : []),
    ...(counts ? ['examined_keys(c.id)'] : []),
    ...(condition.sql === '1' ? [] : [condition.sql]),
    ...(counts ? ['examined_documents(c.id)'] : []),
  ];
  const values: SqlValue[] = [...access.values, ...condition.values];
  const call: Call = (fields, work) => {
    const copy = fields && fieldCopier(new Map([...fields].map((name) => [name, 'keep'])), true);
    const id = connection.register((stored) => work(decode(copy ? copy(stored) : stored)));
    functions.push(id);
    values.push(id);
    return 'on_doc(c.doc, ?)';
  };
  if (!condition.exact) {
    const matcher = selection.matcher ?? compileFilter(filter, context);
    terms.push(call(fieldsOf(filter), (doc) => (matcher(doc) ? 1 : 0)));
  }
  if (ids) {
    terms.push('c.id > ?', 'c.id <= ?');
    values.push(ids.after, ids.upTo);
  }
  const where = terms.length > 0 ? ` WHERE ${terms.join(' AND ')}` : '';
  const order = orderTerms(access.collection, selection, call);
  const orderBy = order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '';
  const window = skip || limit ? ' LIMIT ? OFFSET ?' : '';
  if (window) values.push(limit || -1, skip ?? 0);
  return { from: `FROM ${access.from}${where}${orderBy}${window}`, values, functions };
}

/** Makes SQL that calls a function of each document with some fields, or with all if they are null, which costs twice as much. */
type Call = (fields: ReadonlySet<string> | null, work: (doc: Doc) => SqlValue) => string;

function orderTerms(collection: Collection, { sort, context }: Selection, call: Call) {
  return parseSort(sort ?? new Map()).map(({ path, parts, direction }) => {
    const suffix = direction < 0 ? ' DESC' : '';
    if (path === '$natural') return `c.id${suffix}`;
    const indexed = context.collator ? undefined : pathNamed(collection, path);
    if (indexed && !indexed.multikey) return `${indexed.column}${suffix}`;
    if (indexed)
      return `coalesce(${indexed.column}, (SELECT ${direction < 0 ? 'max' : 'min'}(k) FROM a${indexed.id} a WHERE a.id = c.id))${suffix}`;
    const keyOfDoc = (doc: Doc) => {
      const key = sortKey(doc, parts, direction);
      if (context.collator && key[0] === TYPES.string.rank) throw unsupported('Sorting strings under a collation');
      return key;
    };
    return `${call(new Set(parts.slice(0, 1)), keyOfDoc)}${suffix}`;
  });
}
