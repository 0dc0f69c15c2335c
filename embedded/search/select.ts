import { RANKS } from '../bson/key.ts';
import type { Doc } from '../bson/value.ts';
import { unsupported } from '../bson/mongo-error.ts';
import type { Collection } from '../storage/catalog.ts';
import { pathNamed } from '../storage/catalog.ts';
import type { Connection } from '../storage/connection.ts';
import type { SqlValue } from '../storage/sqlite.ts';
import { filterToSql } from '../storage/filter-sql.ts';
import type { FilterContext } from '../query/filter-context.ts';
import { compileFilter } from '../query/match.ts';
import type { Matcher } from '../query/match.ts';
import { parseSort, sortKey } from '../query/sort.ts';

/** What to find in a collection. */
export interface Selection {
  readonly filter: Doc;
  readonly sort?: Doc | undefined;
  readonly skip?: number | undefined;
  readonly limit?: number | undefined;
  readonly context: FilterContext;
  /** The filter, compiled, where the caller has done so. */
  readonly matcher?: Matcher;
}

/** A selection as SQL. */
export interface SelectSql {
  /** Everything from FROM on. */
  readonly from: string;
  readonly values: readonly SqlValue[];
  /** The functions registered for it on the connection, to be unregistered afterwards. */
  readonly functions: readonly number[];
}

/**
 * Prepares a selection: the columns where they can answer, a call per row where they cannot; SQLite plans and sorts.
 *
 * @param counts whether to count, for explain, the keys of an index that are looked at, and behind the conditions that
 *   the index answers by itself the documents; without an index the first counts the documents
 */
export function selectSql(
  connection: Connection,
  collection: Collection,
  selection: Selection,
  counts = false,
): SelectSql {
  const { filter, sort, skip, limit, context } = selection;
  const condition = context.collator
    ? { sql: '1', values: [], exact: filter.size === 0 }
    : filterToSql(filter, collection, context.variables);
  const functions: number[] = [];
  const terms = [
    ...(counts ? ['examined_key(c.id)'] : []),
    ...(condition.sql === '1' ? [] : [condition.sql]),
    ...(counts ? ['examined_document(c.id)'] : []),
  ];
  const values: SqlValue[] = [...condition.values];
  if (!condition.exact) {
    const matcher = selection.matcher ?? compileFilter(filter, context);
    const id = connection.register((doc) => (matcher(doc) ? 1 : 0));
    functions.push(id);
    terms.push('on_doc(c.doc, ?)');
    values.push(id);
  }
  const where = terms.length > 0 ? ` WHERE ${terms.join(' AND ')}` : '';
  const order = sort ? orderSql(connection, collection, selection, functions, values) : '';
  const window = skip || limit ? ' LIMIT ? OFFSET ?' : '';
  if (window) values.push(limit || -1, skip ?? 0);
  return { from: `FROM c${collection.id} c${where}${order}${window}`, values, functions };
}

function orderSql(
  connection: Connection,
  collection: Collection,
  { sort, context }: Selection,
  functions: number[],
  values: SqlValue[],
): string {
  const terms = parseSort(sort ?? new Map()).map(({ path, parts, direction }) => {
    const suffix = direction < 0 ? ' DESC' : '';
    if (path === '$natural') return `c.id${suffix}`;
    const indexed = context.collator ? undefined : pathNamed(collection, path);
    if (indexed && !indexed.multikey) return `c.s${indexed.slot}${suffix}`;
    if (indexed)
      return `coalesce(c.s${indexed.slot}, (SELECT ${direction < 0 ? 'max' : 'min'}(k) FROM a${indexed.id} a WHERE a.id = c.id))${suffix}`;
    const id = connection.register((doc) => {
      const key = sortKey(doc, parts, direction);
      if (context.collator && key[0] === RANKS.string) throw unsupported('Sorting strings under a collation');
      return key;
    });
    functions.push(id);
    values.push(id);
    return `on_doc(c.doc, ?)${suffix}`;
  });
  return terms.length > 0 ? ` ORDER BY ${terms.join(', ')}` : '';
}
