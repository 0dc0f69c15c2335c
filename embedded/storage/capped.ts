import { MongoError, check, unsupported } from '../bson/mongo-error.ts';
import type { Collection, Limits } from './catalog.ts';
import type { Connection } from './connection.ts';

/** The ids of the oldest and the newest row. */
export interface Ends {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Notes the limits of a new collection. Triggers count its bytes and documents beside them: the numbers stay true in the hands
 * of programs that do not know them. They end with the collection's table.
 */
export function capCollection(connection: Connection, id: number, { size, max }: Limits): void {
  const count = (name: string, event: string, bytes: string, documents: number) => `
    CREATE TRIGGER c${id}_${name} AFTER ${event} ON c${id} BEGIN
      UPDATE capped SET bytes = bytes + ${bytes}, documents = documents + ${documents} WHERE collection = ${id};
    END;`;
  connection.exec(`
    CREATE TABLE IF NOT EXISTS capped (collection INTEGER PRIMARY KEY, size INTEGER NOT NULL, max INTEGER,
      bytes INTEGER NOT NULL DEFAULT 0, documents INTEGER NOT NULL DEFAULT 0);
    ${count('insert', 'INSERT', 'length(NEW.doc)', 1)}
    ${count('update', 'UPDATE OF doc', 'length(NEW.doc) - length(OLD.doc)', 0)}
    ${count('delete', 'DELETE', '-length(OLD.doc)', -1)}`);
  connection.run('INSERT INTO capped (collection, size, max) VALUES (?, ?, ?)', id, size, max ?? null);
}

/** Removes the limits of a collection that is dropped. */
export function uncapCollection(connection: Connection, { id }: Collection): void {
  connection.run('DELETE FROM capped WHERE collection = ?', id);
  connection.changesCapped = true;
}

/** Throws if a document cannot go into a collection because that is capped. */
export function checkInsertion(connection: Connection, collection: Collection, size: number): void {
  const { capped } = collection;
  if (!capped) return;
  checkOutsideTransaction(connection, collection);
  check(size <= capped.size, 'BSONObjectTooLarge', 'object to insert exceeds cappedMaxSize');
  connection.changesCapped = true;
}

/** Throws if documents of a collection must stay as they are because that is capped. */
export function checkChange(connection: Connection, collection: Collection): void {
  if (!collection.capped) return;
  checkOutsideTransaction(connection, collection);
  throw unsupported('Changing or removing documents of a capped collection');
}

/** The oldest row of a capped collection that is over its limits; its newest document always stays. */
export function surplusRow(connection: Connection, { id }: Collection): number | undefined {
  const sql = `SELECT (SELECT min(id) FROM c${id}) AS id FROM capped
    WHERE collection = ? AND (bytes > size OR documents > max) AND id < (SELECT max(id) FROM c${id})`;
  const row = connection.get(sql, id);
  return row && Number(row.id);
}

/** The first and the last row of a collection; undefined if it is empty. */
export function endsOf(connection: Connection, { id }: Collection): Ends | undefined {
  // Together, SQLite would look for them in all rows.
  const sql = `SELECT (SELECT min(id) FROM c${id}) AS oldest, (SELECT max(id) FROM c${id}) AS newest`;
  const { oldest = null, newest = null } = connection.get(sql) ?? {};
  return oldest === null ? undefined : { oldest: Number(oldest), newest: Number(newest) };
}

/** Returns true if the numbers of a capped collection are those of its documents. */
export function hasTrueNumbers(connection: Connection, { id }: Collection): boolean {
  const sql = `SELECT 1 FROM capped WHERE collection = ?
    AND (bytes, documents) = (SELECT coalesce(sum(length(doc)), 0), count(*) FROM c${id})`;
  return connection.get(sql, id) !== undefined;
}

function checkOutsideTransaction(connection: Connection, { db, name }: Collection): void {
  if (!connection.inClientTransaction) return;
  const message = `Collection '${db}.${name}' is a capped collection. Writes in transactions are not allowed on capped collections.`;
  throw new MongoError('OperationNotSupportedInTransaction', message);
}
