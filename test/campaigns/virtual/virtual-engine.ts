import type { Server } from 'node:net';

import { CLEAN_UP_MS, CURSOR_TIMEOUT_MS, Cursors } from '../../../embedded/commands/cursors.ts';
import { ReadFaults } from '../../../embedded/commands/read-faults.ts';
import { SESSION_TIMEOUT_MINUTES, Sessions } from '../../../embedded/commands/sessions.ts';
import { expireDocuments } from '../../../embedded/expire-documents.ts';
import { createMongoServer } from '../../../embedded/server.ts';
import {
  findSqliteEngine,
  type Sqlite,
  type SqliteEngine,
  type SqlValue,
  type Statement,
} from '../../../embedded/storage/sqlite.ts';
import { Store } from '../../../embedded/storage/store.ts';

import type { VirtualNetwork } from './virtual-network.ts';

/** A way to use a disk. */
export type Access = 'read' | 'write';

/** The disk below an engine. */
export interface VirtualDisk {
  /** The error of the next access of a kind, if it is to fail. */
  failure(access: Access): 'full' | 'broken' | null;
}

/** Errors of SQLite; the codes of those of a broken disk are SQLITE_IOERR_READ and SQLITE_IOERR_WRITE. */
const ERRORS = {
  full: { read: null, write: { message: 'database or disk is full', errcode: 13 } },
  broken: {
    read: { message: 'disk I/O error', errcode: 266 },
    write: { message: 'disk I/O error', errcode: 778 },
  },
} as const;

/** The embedded database on this thread, as `embedded/worker.ts` runs it, without the threads for heavy reads. */
export class VirtualEngine {
  readonly uri: string;
  readonly store: Store;
  /** SQLite as it is on the virtual disk. */
  readonly sqlite: SqliteEngine;
  readonly #handles = new Set<Sqlite>();
  readonly #server: Server;

  /** Starts it in the process that runs; `host` is the name that it answers to. */
  constructor(file: string, host: string, network: VirtualNetwork, disk: VirtualDisk) {
    const engine = findSqliteEngine();
    const open = (name: string, readOnly?: boolean): Sqlite => {
      const sqlite = engine.open(name, readOnly);
      this.#handles.add(sqlite);
      return onDisk(sqlite, disk, () => this.#handles.delete(sqlite));
    };
    this.sqlite = { name: engine.name, open };
    this.store = new Store(this.sqlite, file);
    const cursors = new Cursors();
    const sessions = new Sessions(this.store);
    this.#server = createMongoServer({ cursors, sessions, faults: new ReadFaults() });
    network.listen(host, (socket) => this.#server.emit('connection', socket));
    setInterval(() => {
      cursors.killUnused(Date.now() - CURSOR_TIMEOUT_MS);
      sessions.endUnused(Date.now() - SESSION_TIMEOUT_MINUTES * 60_000);
      void this.store.write((writer) => expireDocuments(writer, new Date(), 200)).catch(() => undefined);
    }, CLEAN_UP_MS);
    this.uri = `mongodb://${host}/?directConnection=true`;
  }

  /** Closes the file as the system does for a process that was killed: nothing is committed. */
  die(): void {
    for (const sqlite of this.#handles) {
      try {
        sqlite.exec('ROLLBACK');
      } catch {
        // It had no transaction.
      }
      sqlite.close();
    }
    this.#handles.clear();
  }
}

/** A connection whose statements the disk may fail, and which undoes what it fails, as SQLite does. */
function onDisk(sqlite: Sqlite, disk: VirtualDisk, onClose: () => void): Sqlite {
  const failing = (statement: Statement, kind: Access): Statement => {
    const after = <Result>(use: (...values: SqlValue[]) => Result) => {
      return (...values: SqlValue[]): Result => {
        const failure = disk.failure(kind);
        const error = failure && ERRORS[failure][kind];
        if (error) throw Object.assign(new Error(), error);
        return use(...values);
      };
    };
    return {
      run: after((...values) => statement.run(...values)),
      get: after((...values) => statement.get(...values)),
      all: after((...values) => statement.all(...values)),
      iterate: after((...values) => statement.iterate(...values)),
    };
  };
  return {
    // The machine itself does not lose power, so nothing need wait for its disk.
    exec: (sql) => sqlite.exec(sql.replace('synchronous = FULL', 'synchronous = OFF')),
    prepare: (sql) => {
      const statement = sqlite.prepare(sql);
      const [, write, read] = /^(COMMIT|INSERT|UPDATE|DELETE|REPLACE)|^(SELECT|WITH)/i.exec(sql.trimStart()) ?? [];
      return write || read ? failing(statement, write ? 'write' : 'read') : statement;
    },
    function: (name, implementation) => sqlite.function(name, implementation),
    close: () => {
      onClose();
      sqlite.close();
    },
  };
}
