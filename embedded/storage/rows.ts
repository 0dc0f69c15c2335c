import { MongoError, check } from '../bson/mongo-error.ts';
import { decode, encodeStored } from '../bson/codec.ts';
import { mapOf, type Doc, type Value } from '../bson/value.ts';
import { equalityToSql } from './filter-sql.ts';
import { valueAt } from '../query/path.ts';
import { indexKeys } from '../query/sort.ts';
import { checkChange, checkInsertion, surplusRow } from './capped.ts';
import { namespaceOf, type Collection, type Index, type IndexedPath } from './catalog.ts';
import type { Connection } from './connection.ts';
import { keepCounts } from './counts.ts';
import { keepEntries } from './entries.ts';
import { SQLITE_CONSTRAINT_UNIQUE, blob, sqliteErrorCode, type SqlValue } from './sqlite.ts';

/** Contents of the key columns and the side tables for one document. */
export interface Keys {
  /** Column values by slot; null for a path with an array. */
  readonly slots: Map<number, Buffer | 1 | null>;
  /** The keys of the paths that have an array. */
  readonly arrays: Map<IndexedPath, Buffer[]>;
}

/** Keys of elements of arrays, with the ids of their rows, that are yet to be written, by the ids of their paths. */
export type LateKeys = Map<number, [key: Buffer, id: number][]>;

/**
 * Stores a new document, for which the oldest of a capped collection make room; throws E11000 if a unique index has its key.
 *
 * @param late takes the keys of arrays, for {@link insertKeys} before anything is read; without it they are written now
 */
export function insertRow(
  connection: Connection,
  collection: Collection,
  doc: Doc,
  bytes = encodeStored(doc),
  late?: LateKeys,
): void {
  checkInsertion(connection, collection, bytes.length);
  const { known, slots, arrays } = keysFor(connection, collection, doc);
  checkArrays(connection, known, doc, { slots, arrays }, -1);
  const columns = [...slots.keys()].map((slot) => `s${slot}`);
  const sql = `INSERT INTO c${known.id} (${[...columns, 'doc'].join(', ')}) VALUES (${[...columns, ''].map(() => '?').join(', ')})`;
  const { rowId } = guarded(known, doc, () => connection.run(sql, ...slots.values(), bytes));
  const now: LateKeys = new Map();
  for (const [path, keys] of arrays) {
    // The next document may remove this one, or is compared with its unique keys.
    const isNow = known.capped || known.indexes.some(({ unique, paths }) => unique && paths.includes(path));
    addKeys(isNow ? now : (late ?? now), path, keys, rowId);
  }
  insertKeys(connection, now);
  if (known.capped) removeSurplus(connection, known);
}

function addKeys(rowsOf: LateKeys, { id: path }: IndexedPath, keys: readonly Buffer[], id: number): void {
  const rows = rowsOf.get(path) ?? [];
  for (const key of keys) rows.push([key, id]);
  rowsOf.set(path, rows);
}

/** Number of keys that one statement writes; what remains is written one by one. */
const ROWS = 50;

/** Writes keys of arrays in the order of their tables, so that each page is changed once. */
export function insertKeys(connection: Connection, late: LateKeys): void {
  for (const [path, rows] of late) {
    rows.sort(([one, at], [other, after]) => Buffer.compare(one, other) || at - after);
    for (let start = 0; start < rows.length; ) {
      const count = rows.length - start < ROWS ? 1 : ROWS;
      const places = Array.from({ length: count }, () => '(?, ?)').join(', ');
      const values = rows.slice(start, start + count).flat();
      connection.run(`INSERT OR IGNORE INTO a${path} (k, id) VALUES ${places}`, ...values);
      start += count;
    }
  }
}

function removeSurplus(connection: Connection, collection: Collection): void {
  for (let id = surplusRow(connection, collection); id !== undefined; id = surplusRow(connection, collection))
    removeRow(connection, collection, id);
}

/** A stored document with its row id. */
export interface StoredRow {
  readonly id: number;
  readonly bytes: Buffer;
  readonly doc: Doc;
}

/** Reads one row. */
export function readRow(connection: Connection, collection: Collection, id: number): StoredRow | undefined {
  const row = connection.get(`SELECT doc FROM c${collection.id} WHERE id = ?`, id);
  if (!row) return undefined;
  const bytes = blob(row.doc);
  return { id, bytes, doc: decode(bytes) };
}

/** Replaces a stored document; returns true if anything changed. */
export function updateRow(connection: Connection, collection: Collection, row: StoredRow, after: Doc): boolean {
  checkChange(connection, collection);
  const { id } = row;
  const bytes = encodeStored(after);
  if (bytes.equals(row.bytes)) return false;
  const { known, ...now } = keysFor(connection, touchedBy(collection, row.doc, after), after);
  const old = keysOf(known, row.doc);
  checkArrays(connection, known, after, now, id);
  const changed = [...now.slots].filter(([slot, key]) => !sameKey(key, old.slots.get(slot) ?? null));
  const sql = `UPDATE c${known.id} SET ${[...changed.map(([slot]) => `s${slot} = ?`), 'doc = ?'].join(', ')} WHERE id = ?`;
  guarded(known, after, () => connection.run(sql, ...changed.map(([, key]) => key), bytes, id));
  deleteArrays(connection, without(old.arrays, now.arrays), id);
  insertArrays(connection, without(now.arrays, old.arrays), id);
  return true;
}

/**
 * A collection with only those paths and indexes whose keys an update may have changed: of fields that hold another value
 * than before. Making the keys of all takes longer than all else of an update, and most change no indexed field.
 */
function touchedBy(collection: Collection, before: Doc, after: Doc): Collection {
  const isTouched = ({ parts: [name = ''] }: IndexedPath) => before.get(name) !== after.get(name);
  const indexes = collection.indexes.filter(({ membership, paths }) => membership || paths.some(isTouched));
  const alongside = new Set(indexes.flatMap(({ paths }) => paths));
  return { ...collection, indexes, paths: collection.paths.filter((path) => alongside.has(path) || isTouched(path)) };
}

/** Removes a stored document. */
export function deleteRow(connection: Connection, collection: Collection, id: number): void {
  checkChange(connection, collection);
  removeRow(connection, collection, id);
}

function removeRow(connection: Connection, collection: Collection, id: number): void {
  for (const path of collection.paths) if (path.multikey) connection.run(`DELETE FROM a${path.id} WHERE id = ?`, id);
  connection.run(`DELETE FROM c${collection.id} WHERE id = ?`, id);
}

/** Fills the columns of paths and indexes that were just made, from the documents that were there before them. */
export function fillIndex(connection: Connection, collection: Collection): void {
  let known = collection;
  for (const row of connection.all(`SELECT id FROM c${collection.id}`)) {
    const id = Number(row.id);
    const { doc } = readRow(connection, collection, id) ?? {};
    if (!doc) continue;
    const keys = keysFor(connection, known, doc);
    known = keys.known;
    const columns = [...keys.slots.keys()].map((slot) => `s${slot} = ?`).join(', ');
    connection.run(`UPDATE c${known.id} SET ${columns} WHERE id = ?`, ...keys.slots.values(), id);
    insertArrays(connection, keys.arrays, id);
    checkArrays(connection, known, doc, keys, id);
  }
}

/** The error of a duplicate key, with what Mongoose reads from it. */
export function duplicateKey(collection: Collection, index: Index, doc: Doc): MongoError {
  const value = new Map<string, Value>(index.pattern.map(({ path }) => [path, valueAt(doc, path.split('.')) ?? null]));
  const shown = [...value]
    .map(([path, part]) => `${path}: ${typeof part === 'string' ? JSON.stringify(part) : String(part)}`)
    .join(', ');
  const pattern = new Map<string, Value>(index.pattern.map(({ path, direction }) => [path, direction]));
  return new MongoError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespaceOf(collection)} index: ${index.name} dup key: { ${shown} }`,
    mapOf({ keyPattern: pattern, keyValue: value }),
  );
}

/** The keys of a document, and the collection as it is once the paths are noted on which this is the first array. */
function keysFor(connection: Connection, collection: Collection, doc: Doc): Keys & { known: Collection } {
  const keys = keysOf(collection, doc);
  const fresh = [...keys.arrays.keys()].filter((path) => !path.multikey);
  if (fresh.length === 0) return { ...keys, known: collection };
  for (const index of collection.indexes) checkParallel(index, keys.arrays);
  for (const path of fresh) connection.run('UPDATE paths SET multikey = 1 WHERE id = ?', path.id);
  connection.touchCatalog(collection.id);
  const known = keepTables(connection, connection.current(collection));
  return { ...keysOf(known, doc), known };
}

/** Makes the tables that indexes of a collection lack besides their columns, and removes those that no longer serve. */
export function keepTables(connection: Connection, collection: Collection): Collection {
  return keepCounts(connection, keepEntries(connection, collection));
}

function checkParallel(index: Index, arrays: Keys['arrays']): IndexedPath | undefined {
  const [array, other] = index.paths.filter((path) => arrays.has(path));
  check(!other, 'CannotIndexParallelArrays', `cannot index parallel arrays of index ${index.name}`);
  return array;
}

/** The keys that the columns and the side tables hold for a document. */
export function keysOf(collection: Collection, doc: Doc): Keys {
  const slots = new Map<number, Buffer | 1 | null>();
  const arrays = new Map<IndexedPath, Buffer[]>();
  for (const path of collection.paths) {
    const { keys, multikey } = indexKeys(doc, path.parts);
    slots.set(path.slot, multikey ? null : (keys[0] ?? null));
    if (multikey) arrays.set(path, keys);
  }
  for (const { membership } of collection.indexes)
    if (membership) slots.set(membership.slot, membership.matches(doc) ? 1 : null);
  return { slots, arrays };
}

/** SQLite's unique indexes guard documents without arrays; once there are arrays each unique index is looked up. */
function checkArrays(connection: Connection, collection: Collection, doc: Doc, keys: Keys, self: number): void {
  const { arrays, slots } = keys;
  for (const index of collection.indexes) {
    const array = checkParallel(index, arrays);
    if (!index.unique || !index.paths.some((path) => path.multikey)) continue;
    if (index.membership && slots.get(index.membership.slot) !== 1) continue;
    for (const key of (array && arrays.get(array)) ?? [undefined]) {
      const conditions = index.paths.map((path) =>
        equalityToSql(path, path === array && key ? key : bufferOf(slots.get(path.slot))),
      );
      const member = index.membership ? ` AND c.s${index.membership.slot} = 1` : '';
      const sql = `SELECT 1 FROM c${collection.id} c WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}${member} AND c.id <> ? LIMIT 1`;
      const values: SqlValue[] = [...conditions.flatMap((condition) => condition.values), self];
      if (connection.get(sql, ...values)) throw duplicateKey(collection, index, doc);
    }
  }
}

function bufferOf(key: Buffer | 1 | null | undefined): Buffer {
  return key instanceof Buffer ? key : Buffer.alloc(0);
}

function sameKey(a: Buffer | 1 | null, b: Buffer | 1 | null): boolean {
  return a instanceof Buffer && b instanceof Buffer ? a.equals(b) : a === b;
}

function insertArrays(connection: Connection, arrays: Keys['arrays'], id: number): void {
  const rowsOf: LateKeys = new Map();
  for (const [path, keys] of arrays) addKeys(rowsOf, path, keys, id);
  insertKeys(connection, rowsOf);
}

function deleteArrays(connection: Connection, arrays: Keys['arrays'], id: number): void {
  for (const [path, keys] of arrays)
    for (const key of keys) connection.run(`DELETE FROM a${path.id} WHERE k = ? AND id = ?`, key, id);
}

/** The keys in arrays that are missing in others. An update writes only these, since most leave long arrays unchanged. */
function without(arrays: Keys['arrays'], others: Keys['arrays']): Keys['arrays'] {
  return new Map([...arrays].map(([path, keys]) => [path, keysWithout(keys, others.get(path) ?? [])]));
}

function keysWithout(keys: Buffer[], others: Buffer[]): Buffer[] {
  if (keys.length === others.length && keys.every((key, place) => sameKey(key, others[place] ?? null))) return [];
  const shared = new Set(others.map((key) => key.toString('latin1')));
  return keys.filter((key) => !shared.has(key.toString('latin1')));
}

/** Runs a statement; turns SQLite's error for a duplicate key into MongoDB's. */
function guarded<T>(collection: Collection, doc: Doc, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (sqliteErrorCode(error) !== SQLITE_CONSTRAINT_UNIQUE || !(error instanceof Error)) throw error;
    throw duplicateKey(collection, violated(collection, error.message), doc);
  }
}

function violated(collection: Collection, message: string): Index {
  const slots = [...message.matchAll(/\bs(\d+)\b/g)].map(([, slot]) => Number(slot)).join();
  const index = collection.indexes.find(
    ({ unique, paths }) => unique && paths.map(({ slot }) => slot).join() === slots,
  );
  if (!index) throw new Error(`No unique index answers to: ${message}`);
  return index;
}
