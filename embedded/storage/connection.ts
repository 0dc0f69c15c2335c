import { namespaceOf, readAgain, readCatalog, type Catalog, type Collection } from './catalog.ts';
import { BUSY_MS, configure } from './schema.ts';
import { blob, type Row, type SqlValue, type Sqlite, type SqliteEngine, type Statement } from './sqlite.ts';

/** A function of a stored document that SQLite calls for each row that no column decides. */
export type RowFunction = (stored: Buffer) => SqlValue;

const MAX_STATEMENTS = 200;

/** Rows that a limited read may visit in SQLite before it finds one, unless it may visit fewer: about a millisecond's work. */
const MAX_ROWS = 2000;

/** Thrown if a read is more work than its thread may spend on it: it is to be done again in a thread for such reads. */
export class HeavyRead extends Error {
  override readonly name = 'HeavyRead';
}

/** One connection to the file: its prepared statements and its view of the catalog. */
export class Connection {
  readonly #sqlite: Sqlite;
  readonly #statements = new Map<string, Statement>();
  readonly #functions = new Map<number, RowFunction>();
  #nextFunction = 1;
  #failure: unknown;
  #visited = 0;
  #catalog: Catalog | undefined;
  /** True if the catalog is known to be that of the current transaction. */
  #isCurrent = false;
  /** Ids of the collections that this connection has changed since it read the catalog, one for each change. */
  #touched: number[] = [];
  /** Remaining number of documents that may be decoded only for filtering or computation. */
  allowance = Number.POSITIVE_INFINITY;
  /** Maximum number of rows that a limited read may visit before it finds one. */
  maxRows = MAX_ROWS;
  /** True in a transaction of a client, over several commands. */
  inClientTransaction = false;
  /** True if the current transaction has changed what is in capped collections. */
  changesCapped = false;
  /** Numbers of visited keys and documents since they were last set to zero, for explain. */
  readonly examined = { keys: 0, documents: 0 };

  /** Opens a file; one that is `instant` neither writes nor waits for others. */
  constructor(engine: SqliteEngine, file: string, instant = false) {
    this.#sqlite = engine.open(file, instant);
    configure(this.#sqlite, instant ? 0 : BUSY_MS);
    this.#sqlite.function('on_doc', (doc, id) => this.#call(Number(id), blob(doc)));
    this.#sqlite.function('visited', (_row) => this.#visit());
    for (const kind of ['keys', 'documents'] as const)
      this.#sqlite.function(`examined_${kind}`, (_row) => {
        this.examined[kind] += 1;
        return 1;
      });
  }

  /** Runs SQL without preparing it. */
  exec(sql: string): void {
    this.#sqlite.exec(sql);
  }

  /** Begins a transaction: to read a snapshot, or as the only writer. */
  begin(kind: 'BEGIN' | 'BEGIN IMMEDIATE'): void {
    this.#isCurrent = false;
    this.changesCapped = false;
    this.#prepare(kind).run();
  }

  /** Ends the transaction. */
  end(how: 'COMMIT' | 'ROLLBACK'): void {
    this.#isCurrent = false;
    this.#prepare(how).run();
  }

  /** Runs work within the transaction; if it throws, all of its changes are undone. */
  atomically<T>(work: () => T): T {
    this.exec('SAVEPOINT atomically');
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.#undoWork();
      throw error;
    }
    this.exec('RELEASE atomically');
    return result;
  }

  /** Runs a prepared statement that changes something; returns the row id and how many rows changed. */
  run(sql: string, ...values: SqlValue[]): { changes: number; rowId: number } {
    const { changes, lastInsertRowid } = this.#guarded(() => this.#prepare(sql).run(...values));
    return { changes: Number(changes), rowId: Number(lastInsertRowid) };
  }

  /** The first row of a query. */
  get(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#guarded(() => this.#prepare(sql).get(...values)) as Row | undefined;
  }

  /** Every row of a query. */
  all(sql: string, ...values: SqlValue[]): Row[] {
    return this.#guarded(() => this.#prepare(sql).all(...values)) as Row[];
  }

  /** The rows of a query one by one; the statement is not shared until the last row or the end of the loop. */
  *iterate(sql: string, ...values: SqlValue[]): Generator<Row, void, void> {
    const statement = this.#prepare(sql);
    this.#statements.delete(sql);
    const rows = this.#guarded(() => statement.iterate(...values));
    try {
      for (;;) {
        const { value, done } = this.#guarded(() => rows.next());
        if (done) break;
        yield value as Row;
      }
    } finally {
      rows.return?.();
    }
    this.#statements.set(sql, statement);
  }

  /** Makes a function of a document callable as `on_doc(doc, <number>)`. */
  register(implementation: RowFunction): number {
    const id = this.#nextFunction++;
    this.#functions.set(id, implementation);
    return id;
  }

  /** Counts a document that is decoded; throws {@link HeavyRead} past the allowance. */
  spend(): void {
    this.allowance -= 1;
    if (this.allowance < 0) throw new HeavyRead('The read needs more documents than its thread may decode');
  }

  /** Removes functions that no statement uses any more. */
  unregister(ids: readonly number[]): void {
    for (const id of ids) this.#functions.delete(id);
  }

  /** The catalog as the current transaction sees it, changes of other processes included. */
  catalog(): Catalog {
    if (this.#catalog && this.#isCurrent) return this.#catalog;
    const version = Number(this.get('SELECT version FROM catalog')?.version);
    if (this.#catalog?.version !== version) {
      this.#catalog = this.#readCatalog(version);
      this.#touched = [];
      this.#statements.clear();
    }
    this.#isCurrent = true;
    return this.#catalog;
  }

  /** Reads the catalog, or only the changes of this connection if there were no others: a new file gets hundreds of indexes. */
  #readCatalog(version: number): Catalog {
    const isOwn = this.#catalog?.version === version - this.#touched.length;
    return this.#catalog && isOwn
      ? readAgain(this.#sqlite, this.#catalog, new Set(this.#touched), version)
      : readCatalog(this.#sqlite, version);
  }

  /** A collection as the current transaction sees it, after its indexes or paths have changed. */
  current(collection: Collection): Collection {
    return this.catalog().collections.get(namespaceOf(collection)) ?? collection;
  }

  /** Marks a collection as changed in the catalog, for this connection and every other of any process. */
  touchCatalog(collection: number): void {
    this.run('UPDATE catalog SET version = version + 1');
    this.#touched.push(collection);
    this.#isCurrent = false;
  }

  /** Undoes the transaction, which may have changed the catalog. */
  rollBack(): void {
    this.#catalog = undefined;
    try {
      this.end('ROLLBACK');
    } catch {
      // SQLite has already undone the transaction by itself, as it does when the disk is full.
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }

  #call(id: number, doc: Buffer): SqlValue {
    try {
      this.spend();
      return this.#functions.get(id)?.(doc) ?? null;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** Counts a row that is visited; throws {@link HeavyRead} past the number before one is found. */
  #visit(): SqlValue {
    this.#visited += 1;
    if (this.#visited <= this.maxRows || this.allowance === Number.POSITIVE_INFINITY) return 1;
    this.#failure = new HeavyRead(`The read visits more than ${this.maxRows} rows`);
    throw this.#failure;
  }

  #undoWork(): void {
    this.#catalog = undefined;
    try {
      this.exec('ROLLBACK TO atomically');
      this.exec('RELEASE atomically');
    } catch {
      // SQLite has already undone the whole transaction by itself, as it does when the disk is full.
    }
  }

  /** Runs a statement; an error of a document function is thrown as it was, not as SQLite reports it. */
  #guarded<T>(work: () => T): T {
    this.#failure = undefined;
    this.#visited = 0;
    try {
      return work();
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare(sql);
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest = ''] = this.#statements.keys();
      this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}
