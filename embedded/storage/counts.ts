import { arrayPathOf, countsTableOf, type Collection, type Index } from './catalog.ts';
import type { Connection } from './connection.ts';
import { keysSql } from './entries.ts';

/**
 * Makes the tables that counting indexes of a collection lack, and removes those that no longer serve. A counting index has no
 * keys of documents, but a table with the number of documents that have each combination of values at its paths. Triggers keep
 * it: it changes with the documents, in their transaction, also in the hands of programs that do not know it.
 */
export function keepCounts(connection: Connection, collection: Collection): Collection {
  const changed = collection.indexes.filter((index) => index.countTables.join() !== (countsTableOf(index) ?? ''));
  if (changed.length === 0) return collection;
  for (const index of changed) {
    dropCounts(connection, index);
    createCounts(connection, collection, index);
  }
  connection.touchCatalog(collection.id);
  return connection.current(collection);
}

/** Removes the tables of an index, if it has any. */
export function dropCounts(connection: Connection, { countTables }: Index): void {
  for (const table of countTables) {
    for (const event of ['insert', 'delete', 'update']) connection.exec(`DROP TRIGGER IF EXISTS ${table}_${event}`);
    connection.exec(`DROP TABLE ${table}`);
  }
}

/** SQL for the numbers that the documents of an index have, as its table must have them. */
export function countsSql({ id }: Collection, index: Index): string {
  const array = arrayPathOf(index);
  const from = array ? `a${array.id} a JOIN c${id} c ON c.id = a.id` : `c${id} c`;
  const keys = keysSql(index, 'c', 'a.k');
  return `SELECT ${keys}, count(*) FROM ${from} GROUP BY ${keys}`;
}

function createCounts(connection: Connection, collection: Collection, index: Index): void {
  const table = countsTableOf(index);
  if (table === undefined) return;
  const [array, documents] = [arrayPathOf(index), `c${collection.id}`];
  const columns = index.paths.map((_, place) => `k${place}`).join(', ');
  // What has no key in a column has none in the table either: keys are not null in it, and `OR IGNORE` applies to that too.
  const add = (keys: string) => `
    INSERT OR IGNORE INTO ${table} SELECT *, 0 FROM (${keys});
    UPDATE ${table} SET n = n + 1 WHERE (${columns}) IN (${keys});`;
  const subtract = (keys: string) => `
    UPDATE ${table} SET n = n - 1 WHERE (${columns}) IN (${keys});
    DELETE FROM ${table} WHERE n = 0 AND (${columns}) IN (${keys});`;
  const changes = (element: 'NEW' | 'OLD') =>
    array
      ? `SELECT ${keysSql(index, 'c', `${element}.k`)} FROM ${documents} c WHERE c.id = ${element}.id`
      : `SELECT ${keysSql(index, element, '')}`;
  const moves = (row: 'NEW' | 'OLD') =>
    array ? `SELECT ${keysSql(index, row, 'a.k')} FROM a${array.id} a WHERE a.id = ${row}.id` : changes(row);
  const members = array ? `a${array.id}` : documents;
  const slots = index.paths.filter((path) => path !== array).map(({ slot }) => `s${slot}`);
  const onUpdate = `
    CREATE TRIGGER ${table}_update AFTER UPDATE OF ${slots.join(', ')} ON ${documents}
      WHEN ${slots.map((slot) => `OLD.${slot} IS NOT NEW.${slot}`).join(' OR ')} BEGIN
      ${subtract(moves('OLD'))} ${add(moves('NEW'))}
    END`;
  connection.exec(`
    CREATE TABLE ${table} (${columns}, n INTEGER NOT NULL, PRIMARY KEY (${columns})) WITHOUT ROWID;
    INSERT INTO ${table} ${countsSql(collection, index)};
    CREATE TRIGGER ${table}_insert AFTER INSERT ON ${members} BEGIN ${add(changes('NEW'))} END;
    CREATE TRIGGER ${table}_delete AFTER DELETE ON ${members} BEGIN ${subtract(changes('OLD'))} END;
    ${slots.length > 0 ? onUpdate : ''}`);
}
