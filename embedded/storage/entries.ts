import { arrayPathOf, type Collection, type Index } from './catalog.ts';
import type { Connection } from './connection.ts';

/**
 * Makes the tables of entries that indexes of a collection lack, and removes those that no longer serve. SQLite indexes
 * columns, not elements of arrays: an index of several paths, one of them with arrays, has a table `e<id>` with its keys,
 * one row for each element, in the order of the index. So a query by an element gets its rows in order, from the first.
 * Triggers keep the table: it stays true in the hands of programs that do not know it.
 */
export function keepEntries(connection: Connection, collection: Collection): Collection {
  const changed = collection.indexes.filter((index) => index.hasEntries !== needsEntries(index));
  if (changed.length === 0) return collection;
  for (const index of changed) {
    if (index.hasEntries) dropEntries(connection, index);
    else createEntries(connection, collection, index);
  }
  connection.touchCatalog(collection.id);
  return connection.current(collection);
}

/** Removes the table of an index, if it has one. */
export function dropEntries(connection: Connection, { id }: Index): void {
  for (const event of ['insert', 'delete', 'update']) connection.exec(`DROP TRIGGER IF EXISTS e${id}_${event}`);
  connection.exec(`DROP TABLE IF EXISTS e${id}`);
}

/** SQL for the entries that the documents of an index have, as they are and as its table must have them. */
export function entriesSql({ id }: Collection, index: Index): string {
  const array = arrayPathOf(index);
  return `SELECT ${keysSql(index, 'c', 'a.k')}, a.id FROM a${array?.id} a JOIN c${id} c ON c.id = a.id`;
}

/** SQL for the keys of a document in an index: of the path with arrays an element, of the others the column of a row. */
export function keysSql(index: Index, row: string, element: string): string {
  const array = arrayPathOf(index);
  return index.paths.map((path) => (path === array ? element : `${row}.s${path.slot}`)).join(', ');
}

function needsEntries(index: Index): boolean {
  return index.paths.length > 1 && !index.membership && !index.isCounting && arrayPathOf(index) !== undefined;
}

function createEntries(connection: Connection, collection: Collection, index: Index): void {
  const { paths, pattern } = index;
  const [array, entries, documents] = [arrayPathOf(index), `e${index.id}`, `c${collection.id}`];
  const elements = `a${array?.id}`;
  const others = paths.filter((path) => path !== array).map(({ slot }) => `s${slot}`);
  const columns = paths.map((_, place) => `k${place}`);
  const order = pattern.map(({ direction }, place) => `k${place}${direction < 0 ? ' DESC' : ''}`).join(', ');
  const entry = `(${columns.join(', ')}, id)`;
  connection.exec(`
    CREATE TABLE ${entries} (${columns.join(', ')}, id INTEGER, PRIMARY KEY (${order}, id)) WITHOUT ROWID;
    INSERT INTO ${entries} ${entriesSql(collection, index)};
    CREATE TRIGGER ${entries}_insert AFTER INSERT ON ${elements} BEGIN
      INSERT OR IGNORE INTO ${entries}
        SELECT ${keysSql(index, 'c', 'NEW.k')}, NEW.id FROM ${documents} c WHERE c.id = NEW.id;
    END;
    CREATE TRIGGER ${entries}_delete AFTER DELETE ON ${elements} BEGIN
      DELETE FROM ${entries}
        WHERE ${entry} = (SELECT ${keysSql(index, 'c', 'OLD.k')}, OLD.id FROM ${documents} c WHERE c.id = OLD.id);
    END;
    CREATE TRIGGER ${entries}_update AFTER UPDATE OF ${others.join(', ')} ON ${documents}
      WHEN ${others.map((slot) => `OLD.${slot} IS NOT NEW.${slot}`).join(' OR ')} BEGIN
      DELETE FROM ${entries}
        WHERE ${entry} IN (SELECT ${keysSql(index, 'OLD', 'a.k')}, a.id FROM ${elements} a WHERE a.id = OLD.id);
      INSERT OR IGNORE INTO ${entries}
        SELECT ${keysSql(index, 'NEW', 'a.k')}, a.id FROM ${elements} a WHERE a.id = NEW.id;
    END`);
}
