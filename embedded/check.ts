import { existsSync } from 'node:fs';
import { decode } from './bson/codec.ts';
import { check, messageOf } from './bson/mongo-error.ts';
import { hasTrueNumbers } from './storage/capped.ts';
import { arrayPathOf, countsTableOf, namespaceOf, type Collection } from './storage/catalog.ts';
import { Connection } from './storage/connection.ts';
import { countsSql } from './storage/counts.ts';
import { entriesSql } from './storage/entries.ts';
import { keysOf } from './storage/rows.ts';
import { clientError } from './storage/file-errors.ts';
import { checkFormat } from './storage/schema.ts';
import { blob, findSqliteEngine, type Row } from './storage/sqlite.ts';

/** Maximum number of findings of one check; a file that has more is not read to its end. */
const MAX_FINDINGS = 1000;

/** Called during a check with the share of the collections that have been read, from 0 to 1, and the collection. */
export type CheckProgress = (share: number, collection: string) => void;

/**
 * Checks a database, which may be in use: by SQLite, each document, and the keys of indexes; returns the damage that it finds.
 *
 * @throws MongoError if the file is not there, or cannot be checked: that says nothing about its data
 */
export function checkEmbeddedDatabase(file: string, progress: CheckProgress): string[] {
  check(existsSync(file), 'InvalidOptions', `There is no database at ${file}`);
  const findings: string[] = [];
  unlessDamaged(findings, 'SQLite', () => {
    const engine = findSqliteEngine();
    const sqlite = engine.open(file);
    try {
      checkFormat(sqlite, file);
    } finally {
      sqlite.close();
    }
    const connection = new Connection(engine, file);
    try {
      connection.begin('BEGIN');
      unlessDamaged(findings, 'SQLite', () => checkPages(connection, findings));
      checkCollections(connection, findings, progress);
      connection.end('ROLLBACK');
    } finally {
      connection.close();
    }
  });
  return findings;
}

/** Does work on a part of the file; damage that prevents it is a finding. */
function unlessDamaged(findings: string[], part: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const failure = clientError(error);
    if (failure.codeName !== 'DataCorruptionDetected') throw failure;
    findings.push(`${part}: ${failure.message}`);
  }
}

/** Lists damaged pages and indexes as SQLite does, each with its collection. */
function checkPages(connection: Connection, findings: string[]): void {
  const namespaces = new Map(
    [...connection.catalog().collections.values()].map((one) => [`c${one.id}`, namespaceOf(one)]),
  );
  const tables = connection
    .all('SELECT rootpage, name, tbl_name FROM sqlite_schema')
    .flatMap(({ rootpage, name, tbl_name }) => {
      const namespace = namespaces.get(String(tbl_name));
      return [`Tree ${rootpage}`, `index ${name}`].map((part) => [part, namespace] as const);
    });
  const places = new Map(tables);
  for (const { integrity_check: text } of connection.iterate(`PRAGMA integrity_check(${MAX_FINDINGS})`)) {
    const lines = String(text)
      .split('\n')
      .filter((line) => line !== 'ok' && !line.startsWith('***'));
    for (const line of lines) {
      const place = places.get(/^Tree \d+|index \w+$/.exec(line)?.[0] ?? '');
      findings.push(`SQLite: ${line}${place === undefined ? '' : ` (in ${place})`}`);
    }
  }
}

function checkCollections(connection: Connection, findings: string[], progress: CheckProgress): void {
  const collections = [...connection.catalog().collections.values()];
  let done = 0;
  for (const collection of collections) {
    if (findings.length >= MAX_FINDINGS) return;
    unlessDamaged(findings, `${namespaceOf(collection)}, of which some documents cannot be read`, () =>
      checkCollection(connection, collection, findings, (share) =>
        progress((done + share) / collections.length, collection.name),
      ),
    );
    done += 1;
  }
}

function checkCollection(
  connection: Connection,
  collection: Collection,
  findings: string[],
  progress: (share: number) => void,
): void {
  const total = Number(connection.get(`SELECT count(*) AS n FROM c${collection.id}`)?.n);
  let done = 0;
  for (const row of connection.iterate(`SELECT * FROM c${collection.id}`)) {
    if (findings.length >= MAX_FINDINGS) return;
    const fault = documentFault(connection, collection, row);
    if (fault !== undefined) findings.push(`${namespaceOf(collection)}, document ${String(row.id)}: ${fault}`);
    done += 1;
    progress(done / total);
  }
  if (collection.capped && !hasTrueNumbers(connection, collection))
    findings.push(`${namespaceOf(collection)}: the numbers of its bytes and documents are wrong`);
  // An older version of this program does not remove obsolete entries, which are not read.
  for (const index of collection.indexes) {
    const hasEntries = index.hasEntries && arrayPathOf(index);
    if (hasEntries && !hasRows(connection, `e${index.id}`, entriesSql(collection, index)))
      findings.push(`${namespaceOf(collection)}, index ${index.name}: its entries are not those of the documents`);
    const counts = countsTableOf(index);
    const hasCounts = counts !== undefined && index.countTables.includes(counts);
    if (hasCounts && !hasRows(connection, counts, countsSql(collection, index)))
      findings.push(`${namespaceOf(collection)}, index ${index.name}: its numbers are not those of the documents`);
  }
}

/** The fault of a document: it cannot be read, or an index has other keys for it; undefined if it is sound. */
function documentFault(connection: Connection, collection: Collection, row: Row): string | undefined {
  try {
    const { slots, arrays } = keysOf(collection, decode(blob(row.doc)));
    for (const [slot, key] of slots) {
      if (!isSame(row[`s${slot}`] ?? null, key)) return `the key in column s${slot} does not match the document`;
    }
    for (const path of collection.paths.filter(({ multikey }) => multikey)) {
      const stored = connection.all(`SELECT k FROM a${path.id} WHERE id = ? ORDER BY k`, row.id ?? null);
      const wanted = [...(arrays.get(path) ?? [])].sort(Buffer.compare);
      const isWhole =
        stored.length === wanted.length && stored.every(({ k }, at) => isSame(k ?? null, wanted[at] ?? null));
      if (!isWhole) return `the keys of its list ${path.path} do not match the document`;
    }
    return undefined;
  } catch (error) {
    return `it cannot be read (${messageOf(error)})`;
  }
}

/** Returns true if a table has exactly the rows of a query. */
function hasRows(connection: Connection, table: string, wanted: string): boolean {
  const stored = `SELECT * FROM ${table}`;
  const differs = (one: string, other: string) => connection.get(`SELECT * FROM (${one} EXCEPT ${other}) LIMIT 1`);
  return !differs(wanted, stored) && !differs(stored, wanted);
}

function isSame(stored: Row[string], key: Buffer | 1 | null): boolean {
  if (stored instanceof Uint8Array) return key instanceof Buffer && key.equals(stored);
  return stored === null ? key === null : key !== null && Number(stored) === key;
}
