import type { Catalog, Collection } from '../storage/catalog.ts';
import { HeavyRead, MAX_ROWS, type Connection } from '../storage/connection.ts';
import type { SqlValue } from '../storage/sqlite.ts';

/** A selection as SQL. */
export interface SelectSql {
  /** Everything from FROM on. */
  readonly from: string;
  readonly values: readonly SqlValue[];
  /** The part of it that finds the rows, without their order and number. */
  readonly rows: string;
  readonly rowValues: readonly SqlValue[];
  /** Rows that are found and passed over before the first that is returned. */
  readonly skip: number;
  /** True where columns decide: no document is decoded to find and to order the rows. */
  readonly isDecided: boolean;
}

interface Plan {
  /** True where SQLite sorts all rows before it returns the first. */
  readonly sorts: boolean;
  /** True where it looks through the table for rows. */
  readonly scans: boolean;
}

const MAX_PLANS = 500;

/** Plans by catalog and SQL: to ask for one costs as much as a small query. */
const plans = new WeakMap<Catalog, Map<string, Plan>>();

/**
 * Throws {@link HeavyRead} where a reader with an allowance would have SQLite visit many rows before it returns the first.
 * Where documents are decoded, they count by themselves.
 */
export function checkWeight(reader: Connection, collection: Collection, sql: SelectSql): void {
  if (reader.allowance === Number.POSITIVE_INFINITY) return;
  if (sql.skip > MAX_ROWS) throw tooMany();
  const { sorts, scans } = planOf(reader, sql);
  if (scans && Number(reader.get(`SELECT max(id) AS n FROM c${collection.id}`)?.n) > MAX_ROWS) throw tooMany();
  if (sorts) checkCount(reader, { ...sql, from: sql.rows, values: sql.rowValues });
}

/** Throws {@link HeavyRead} where a reader with an allowance would have SQLite count many rows. */
export function checkCount(reader: Connection, { from, values, skip, isDecided }: SelectSql): void {
  if (reader.allowance === Number.POSITIVE_INFINITY || !isDecided) return;
  if (skip > MAX_ROWS) throw tooMany();
  const counted = `SELECT count(*) AS n FROM (SELECT 1 FROM (SELECT 1 ${from}) LIMIT ${MAX_ROWS})`;
  if (Number(reader.get(counted, ...values)?.n) === MAX_ROWS) throw tooMany();
}

function planOf(reader: Connection, { from, values }: SelectSql): Plan {
  const catalog = reader.catalog();
  const known = plans.get(catalog) ?? new Map<string, Plan>();
  const found = known.get(from);
  if (found) return found;
  const details = reader.all(`EXPLAIN QUERY PLAN SELECT c.id ${from}`, ...values).map(({ detail }) => String(detail));
  const sorts = details.some((detail) => detail.includes('FOR ORDER BY'));
  const plan = { sorts, scans: from.includes(' WHERE ') && details.some((detail) => /^SCAN c\b/.test(detail)) };
  if (known.size >= MAX_PLANS) known.clear();
  plans.set(catalog, known.set(from, plan));
  return plan;
}

function tooMany(): HeavyRead {
  return new HeavyRead(`The read visits ${MAX_ROWS} rows or more`);
}
