import type { Kind } from './record-fields.ts';
import {
  endsSnapshots,
  isSameState,
  type RecordChange,
  type ReplicaState,
  type ReplicaStore,
  type StoredRecord,
} from './replica-store.ts';

/** An open SQLite database, as `DatabaseSync` of `node:sqlite` (Node.js 22.13 and later) or of `@photostructure/sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: (string | null)[]): unknown;
    get(...values: (string | null)[]): unknown;
    all(...values: (string | null)[]): unknown[];
  };
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS waybridge_records (
    generation TEXT, kind TEXT, key TEXT, vehicle TEXT, record TEXT, PRIMARY KEY (generation, kind, key)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS waybridge_vehicles ON waybridge_records (generation, kind, vehicle) WHERE vehicle IS NOT NULL;
  CREATE TABLE IF NOT EXISTS waybridge_state (id TEXT PRIMARY KEY, state TEXT)`;
const COPY = `FROM waybridge_records WHERE generation = (SELECT json_extract(state, '$.generation') FROM waybridge_state)`;
const VISIBLE = `${COPY} AND kind = ?`;
const SELECTED = `SELECT key, vehicle, record ${VISIBLE}`;
/** Query by the index: SQLite would choose the primary key, and read all records of the kind. */
const OF_VEHICLE = `${SELECTED.replace('waybridge_records', '$& INDEXED BY waybridge_vehicles')} AND vehicle = ?`;

/** Keeps a copy in tables of a SQLite database whose names begin with `waybridge_`. */
export function sqliteStore(database: SqliteDatabase): ReplicaStore {
  database.exec(TABLES);
  return new SqliteStore(database);
}

class SqliteStore implements ReplicaStore {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async state(): Promise<ReplicaState | null> {
    return this.#state();
  }

  async get<K extends Kind>(kind: K, key: string): Promise<StoredRecord<K> | undefined> {
    const row = this.#prepared(`${SELECTED} AND key = ?`).get(kind, key);
    return row === undefined ? undefined : storedOf(kind, row);
  }

  async list<K extends Kind>(kind: K, vehicleKey?: string): Promise<readonly StoredRecord<K>[]> {
    const [sql, values] = vehicleKey === undefined ? [SELECTED, [kind]] : [OF_VEHICLE, [kind, vehicleKey]];
    return this.#prepared(sql)
      .all(...values)
      .map((row) => storedOf(kind, row));
  }

  async add(generation: string, records: readonly StoredRecord[]): Promise<void> {
    this.#transaction(() => {
      for (const stored of records) this.#put(generation, stored);
      return true;
    });
  }

  async count(): Promise<number> {
    return (this.#prepared(`SELECT count(*) AS count ${COPY}`).get() as { readonly count: number }).count;
  }

  async commit(before: ReplicaState | null, state: ReplicaState, changes: readonly RecordChange[]): Promise<boolean> {
    const { generation } = state;
    return this.#transaction(() => {
      if (!isSameState(this.#state(), before)) return false;
      this.#prepared("INSERT OR REPLACE INTO waybridge_state VALUES ('state', ?)").run(JSON.stringify(state));
      for (const { kind, key, stored } of changes) {
        if (stored) this.#put(generation, stored);
        else this.#prepared(`DELETE ${VISIBLE} AND key = ?`).run(kind, key);
      }
      // By the index: all records would be read for those whose generation is another.
      const sides = endsSnapshots(before, state) ? ['<', '>'] : [];
      for (const side of sides)
        this.#prepared(`DELETE FROM waybridge_records WHERE generation ${side} ?`).run(generation);
      return true;
    });
  }

  #state(): ReplicaState | null {
    const row = this.#prepared('SELECT state FROM waybridge_state').get() as { readonly state: string } | undefined;
    return row ? (JSON.parse(row.state) as ReplicaState) : null;
  }

  #put(generation: string, { kind, key, vehicle, record }: StoredRecord): void {
    const sql = 'INSERT OR REPLACE INTO waybridge_records VALUES (?, ?, ?, ?, ?)';
    this.#prepared(sql).run(generation, kind, key, vehicle, JSON.stringify(record));
  }

  #transaction(work: () => boolean): boolean {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const isDone = work();
      this.#database.exec(isDone ? 'COMMIT' : 'ROLLBACK');
      return isDone;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #prepared(sql: string): ReturnType<SqliteDatabase['prepare']> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function storedOf<K extends Kind>(kind: K, row: unknown): StoredRecord<K> {
  const { key, vehicle, record } = row as Readonly<Record<'key' | 'vehicle' | 'record', string>>;
  return { kind, key, vehicle, record: JSON.parse(record) };
}
