import { check } from '../bson/mongo-error.ts';
import { decode, encode } from '../bson/codec.ts';
import { equalValues } from '../bson/key.ts';
import { mapOf, type Doc, type Value } from '../bson/value.ts';
import { capCollection, uncapCollection } from './capped.ts';
import { namespaceOf, pathNamed, type Collection, type Index, type Limits } from './catalog.ts';
import type { Connection } from './connection.ts';
import { dropCounts } from './counts.ts';
import { dropEntries } from './entries.ts';
import { completeSpec, parsePattern, sameOptions } from './index-spec.ts';
import { duplicateKey, fillIndex, keepTables } from './rows.ts';
import { FIRST_SLOTS } from './schema.ts';
import { SQLITE_CONSTRAINT_UNIQUE, blob, sqliteErrorCode } from './sqlite.ts';

/** A collection by name; undefined when there is none. */
export function findCollection(connection: Connection, db: string, name: string): Collection | undefined {
  return connection.catalog().collections.get(`${db}.${name}`);
}

/** A collection by name, made if there is none. */
export function needCollection(connection: Connection, db: string, name: string): Collection {
  return findCollection(connection, db, name) ?? createCollection(connection, db, name);
}

/** Makes an empty collection with its index on `_id`, capped if there are limits. */
export function createCollection(connection: Connection, db: string, name: string, limits?: Limits): Collection {
  checkName(db, name);
  const { rowId } = connection.run('INSERT INTO collections (db, name) VALUES (?, ?)', db, name);
  const slots = Array.from({ length: FIRST_SLOTS }, (_, slot) => `s${slot}`).join(', ');
  connection.exec(`CREATE TABLE c${rowId} (id INTEGER PRIMARY KEY, ${slots}, doc BLOB NOT NULL)`);
  if (limits) capCollection(connection, rowId, limits);
  connection.touchCatalog(rowId);
  const spec = mapOf<Value>({ v: 2, key: mapOf({ _id: 1 }), name: '_id_' });
  return createIndex(connection, findOrThrow(connection, db, name), spec);
}

/** Removes a collection and everything in it. */
export function dropCollection(connection: Connection, collection: Collection): void {
  if (collection.capped) uncapCollection(connection, collection);
  for (const index of collection.indexes) dropTables(connection, index);
  for (const { id } of collection.paths) connection.exec(`DROP TABLE IF EXISTS a${id}`);
  connection.exec(`DROP TABLE c${collection.id}`);
  connection.run('DELETE FROM paths WHERE collection = ?', collection.id);
  connection.run('DELETE FROM indexes WHERE collection = ?', collection.id);
  connection.run('DELETE FROM collections WHERE id = ?', collection.id);
  connection.touchCatalog(collection.id);
}

/** Makes an index unless the same one is there; undoes everything if the documents do not allow it. */
export function addIndex(connection: Connection, collection: Collection, source: Doc): Collection {
  const spec = completeSpec(source);
  const expires = collection.capped && spec.has('expireAfterSeconds');
  check(!expires, 'CannotCreateIndex', 'Cannot create TTL index on a capped collection');
  if (hasIndex(collection, spec)) return keepTables(connection, collection);
  check(collection.indexes.length < 64, 'CannotCreateIndex', 'add index fails, too many indexes');
  return connection.atomically(() => createIndex(connection, collection, spec));
}

/** Removes an index, and the columns that only it used. */
export function removeIndex(connection: Connection, collection: Collection, index: Index): Collection {
  dropTables(connection, index);
  connection.exec(`DROP INDEX IF EXISTS i${index.id}`);
  connection.run('DELETE FROM indexes WHERE id = ?', index.id);
  const unused = index.paths.filter(
    (path) => !collection.indexes.some((other) => other !== index && other.paths.includes(path)),
  );
  for (const { id } of unused) {
    connection.exec(`DROP TABLE a${id}`);
    connection.run('DELETE FROM paths WHERE id = ?', id);
  }
  const slots = [...unused.map(({ slot }) => slot), ...(index.membership ? [index.membership.slot] : [])];
  if (slots.length > 0)
    connection.run(`UPDATE c${collection.id} SET ${slots.map((slot) => `s${slot} = NULL`).join(', ')}`);
  connection.touchCatalog(collection.id);
  return findOrThrow(connection, collection.db, collection.name);
}

function createIndex(connection: Connection, collection: Collection, spec: Doc): Collection {
  const pattern = parsePattern(spec.get('key') ?? null);
  const taken = new Set([
    ...collection.paths.map(({ slot }) => slot),
    ...collection.indexes.flatMap(({ membership }) => membership?.slot ?? []),
  ]);
  const added = pattern.filter(({ path }) => !pathNamed(collection, path));
  for (const { path } of added) {
    const slot = freeSlot(connection, collection, taken);
    const insert = 'INSERT INTO paths (collection, path, slot) VALUES (?, ?, ?)';
    const { rowId } = connection.run(insert, collection.id, path, slot);
    connection.exec(`CREATE TABLE a${rowId} (k BLOB NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (k, id)) WITHOUT ROWID`);
    connection.exec(`CREATE INDEX b${rowId} ON a${rowId} (id, k)`);
  }
  const partial = spec.has('sparse') || spec.has('partialFilterExpression');
  const unique = spec.get('unique') === true || spec.get('name') === '_id_';
  const slot = partial ? freeSlot(connection, collection, taken) : null;
  const insert = 'INSERT INTO indexes (collection, name, spec, is_unique, slot) VALUES (?, ?, ?, ?, ?)';
  const name = String(spec.get('name'));
  const { rowId } = connection.run(insert, collection.id, name, encode(spec), unique ? 1 : 0, slot);
  connection.touchCatalog(collection.id);
  const changed = findOrThrow(connection, collection.db, collection.name);
  if (added.length > 0 || partial) fillIndex(connection, changed);
  const filled = findOrThrow(connection, collection.db, collection.name);
  const index = filled.indexes.find(({ id }) => id === rowId);
  if (index && !index.isCounting) createSqlIndex(connection, filled, index);
  return keepTables(connection, filled);
}

function dropTables(connection: Connection, index: Index): void {
  dropEntries(connection, index);
  dropCounts(connection, index);
}

function createSqlIndex(connection: Connection, collection: Collection, index: Index): void {
  const columns = index.pattern
    .map(({ direction }, place) => `s${index.paths[place]?.slot}${direction < 0 ? ' DESC' : ''}`)
    .join(', ');
  const where = index.membership ? ` WHERE s${index.membership.slot} = 1` : '';
  try {
    const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
    connection.exec(`CREATE ${kind} i${index.id} ON c${collection.id} (${columns})${where}`);
  } catch (error) {
    if (sqliteErrorCode(error) !== SQLITE_CONSTRAINT_UNIQUE) throw error;
    const slots = index.paths.map(({ slot }) => `s${slot}`).join(', ');
    const sql = `SELECT doc FROM c${collection.id}${where} GROUP BY ${slots} HAVING count(*) > 1 LIMIT 1`;
    const row = connection.get(sql);
    throw duplicateKey(collection, index, row ? decode(blob(row.doc)) : new Map());
  }
}

function freeSlot(connection: Connection, collection: Collection, taken: Set<number>): number {
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  taken.add(slot);
  const sql = 'SELECT 1 FROM pragma_table_info(?) WHERE name = ?';
  const exists = connection.get(sql, `c${collection.id}`, `s${slot}`);
  if (!exists) connection.exec(`ALTER TABLE c${collection.id} ADD COLUMN s${slot}`);
  return slot;
}

function hasIndex(collection: Collection, spec: Doc): boolean {
  const key = spec.get('key') ?? null;
  const named = collection.indexes.find(({ name }) => name === spec.get('name'));
  const same = collection.indexes.find(
    (index) =>
      equalValues(index.spec.get('key') ?? null, key) &&
      equalValues(index.filter ?? null, spec.get('partialFilterExpression') ?? null),
  );
  if (same?.name === '_id_') return true;
  const message = `An existing index has the same name as the requested index but other keys: ${named?.name}`;
  check(!named || equalValues(named.spec.get('key') ?? null, key), 'IndexKeySpecsConflict', message);
  const found = named ?? same;
  if (!found) return false;
  const { name } = found;
  const isSame = sameOptions(found.spec, spec);
  check(isSame, 'IndexOptionsConflict', `An equivalent index already exists with other options: ${name}`);
  check(name === spec.get('name'), 'IndexOptionsConflict', `Index already exists with a different name: ${name}`);
  return true;
}

function checkName(db: string, name: string): void {
  const isCollection = !/^(?:$|\.|system\.)|[$\0]/.test(name);
  check(isCollection, 'InvalidNamespace', `Invalid collection name: ${db}.${name}`);
  const isDatabase = db !== '' && !/[/\\. "$\0]/.test(db) && Buffer.byteLength(db) <= 63;
  check(isDatabase, 'InvalidNamespace', `Invalid database name: ${db}`);
}

function findOrThrow(connection: Connection, db: string, name: string): Collection {
  const found = findCollection(connection, db, name);
  if (!found) throw new Error(`Collection ${namespaceOf({ db, name })} is gone`);
  return found;
}
