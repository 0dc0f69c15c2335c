import type { Arrivals } from './arrivals.ts';
import { Connection } from './connection.ts';
import type { Reads } from './access.ts';
import type { SqliteEngine } from './sqlite.ts';

const MAX_IDLE = 8;

/** The connections that read a file, each a snapshot. */
export class Snapshots implements Reads {
  readonly file: string;
  readonly allowance: number;
  readonly arrivals: Arrivals | undefined = undefined;
  protected readonly engine: SqliteEngine;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();

  constructor(engine: SqliteEngine, file: string, allowance = Number.POSITIVE_INFINITY) {
    this.engine = engine;
    this.file = file;
    this.allowance = allowance;
  }

  acquire(): Connection {
    const reader = this.#idle.pop() ?? this.open();
    reader.allowance = this.allowance;
    this.#open.add(reader);
    reader.begin('BEGIN');
    return reader;
  }

  release(reader: Connection): void {
    if (!this.#open.delete(reader)) return;
    reader.end('ROLLBACK');
    if (this.#idle.length < MAX_IDLE) this.#idle.push(reader);
    else reader.close();
  }

  read<T>(work: (reader: Connection) => T): T {
    const reader = this.acquire();
    try {
      return work(reader);
    } finally {
      this.release(reader);
    }
  }

  /** A snapshot stays as it is. */
  cursorOver(documents: Iterable<Buffer>): Iterator<Buffer> {
    return documents[Symbol.iterator]();
  }

  get openSnapshots(): number {
    return this.#open.size;
  }

  protected open(): Connection {
    return new Connection(this.engine, this.file);
  }

  /** Closes every connection. */
  close(): void {
    for (const reader of this.#open) this.release(reader);
    for (const connection of this.#idle) connection.close();
    this.#idle.length = 0;
  }
}
