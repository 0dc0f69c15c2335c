import { Connection } from './connection.ts';
import type { SqliteEngine } from './sqlite.ts';

const MAX_IDLE = 8;

/** The connections that read a file, each a snapshot. */
export class Snapshots {
  readonly file: string;
  /** Documents that a read may decode before it is a {@link HeavyRead}. */
  readonly allowance: number;
  readonly #engine: SqliteEngine;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();

  constructor(engine: SqliteEngine, file: string, allowance = Number.POSITIVE_INFINITY) {
    this.#engine = engine;
    this.file = file;
    this.allowance = allowance;
  }

  /** Opens the newest snapshot. The connection belongs to the caller, who must release it. */
  acquire(): Connection {
    const reader = this.#idle.pop() ?? new Connection(this.#engine, this.file);
    reader.allowance = this.allowance;
    this.#open.add(reader);
    reader.begin('BEGIN');
    return reader;
  }

  /** Ends a snapshot. */
  release(reader: Connection): void {
    if (!this.#open.delete(reader)) return;
    reader.end('ROLLBACK');
    if (this.#idle.length < MAX_IDLE) this.#idle.push(reader);
    else reader.close();
  }

  /** Runs work that reads the newest snapshot. */
  read<T>(work: (reader: Connection) => T): T {
    const reader = this.acquire();
    try {
      return work(reader);
    } finally {
      this.release(reader);
    }
  }

  /** Number of open snapshots. */
  get openSnapshots(): number {
    return this.#open.size;
  }

  /** Closes every connection. */
  close(): void {
    for (const reader of this.#open) this.release(reader);
    for (const connection of this.#idle) connection.close();
    this.#idle.length = 0;
  }
}
