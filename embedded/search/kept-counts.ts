import { EMPTY_ARRAY_KEY, NULL_KEY, valueOfKey } from '../bson/key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { countsTableOf, type Collection, type IndexedPath } from '../storage/catalog.ts';
import type { Connection } from '../storage/connection.ts';
import { filterToSql } from '../storage/filter-sql.ts';
import { blob } from '../storage/sqlite.ts';

/** The number of documents with a value at a path. */
export interface CountedValue {
  readonly value: Value;
  readonly count: number;
}

/** Conditions on documents by field; those on the path whose values are counted concern a value, of an array an element. */
export type Conditions = ReadonlyArray<readonly [path: string, operand: Value]>;

/**
 * Counts the documents that fulfil conditions by their value at a path, from the numbers that a counting index keeps. A
 * document counts for each of its different elements. Undefined if no index answers that.
 */
export function keptCounts(
  reader: Connection,
  collection: Collection,
  conditions: Conditions,
  path: string,
): CountedValue[] | undefined {
  if (conditions.some(([name]) => name.startsWith('$'))) return undefined;
  for (const index of collection.indexes) {
    const table = countsTableOf(index);
    const place = index.paths.findIndex((own) => own.path === path);
    const array = index.paths.find(({ multikey }) => multikey);
    if (table === undefined || !index.countTables.includes(table) || place < 0) continue;
    if (array && (array.path !== path || hasScalars(reader, collection, conditions, array))) continue;
    const columns = index.paths.map((own, at) => ({ ...own, multikey: false, column: `c.k${at}` }));
    const condition = filterToSql(filterOf(conditions), { ...collection, indexes: [], paths: columns }, new Map());
    if (!condition.exact) continue;
    const visits = reader.allowance < Number.POSITIVE_INFINITY ? 'visited(c.n) AND ' : '';
    const sql = `SELECT c.k${place} AS k, sum(c.n) AS n FROM ${table} c WHERE ${visits}c.k${place} <> ? AND ${condition.sql} GROUP BY c.k${place}`;
    const rows = reader.all(sql, EMPTY_ARRAY_KEY, ...condition.values);
    const counts = rows.flatMap(({ k, n }) => {
      const value = valueOfKey(blob(k));
      return value === undefined ? [] : [{ value, count: Number(n) }];
    });
    if (counts.length === rows.length) return counts;
  }
  return undefined;
}

/** Returns true if a document has another value than an array, null or nothing at a path with arrays. */
function hasScalars(reader: Connection, collection: Collection, conditions: Conditions, array: IndexedPath): boolean {
  const others = filterOf(conditions.filter(([path]) => path !== array.path));
  const { sql, values } = filterToSql(others, collection, new Map());
  const found = `SELECT 1 FROM c${collection.id} c WHERE ${sql} AND c.s${array.slot} > ? LIMIT 1`;
  return reader.get(found, ...values, NULL_KEY) !== undefined;
}

function filterOf(conditions: Conditions): Doc {
  return new Map([['$and', conditions.map((condition) => new Map([condition]))]]);
}
