import type { Arrivals } from './arrivals.ts';
import type { Connection } from './connection.ts';

/** Documents as commands read them: of the newest snapshot, or of a transaction with its changes. */
export interface Reads {
  /** Documents that a read may decode before it is a {@link HeavyRead}. */
  readonly allowance: number;
  /** Number of open snapshots. */
  readonly openSnapshots: number;
  /** Wakes waiting readers; undefined if there can be none: in a transaction, or a thread for heavy reads. */
  readonly arrivals: Arrivals | undefined;
  /** Opens the newest state. The connection belongs to the caller, who must release it. */
  acquire(): Connection;
  /** Returns a connection. */
  release(reader: Connection): void;
  /** Runs work that reads the newest state. */
  read<T>(work: (reader: Connection) => T): T;
  /** Makes the source of a cursor, which the following commands do not change. */
  cursorOver(documents: Iterable<Buffer>): Iterator<Buffer>;
}

/** Documents as commands read and write them. */
export interface Writes extends Reads {
  /**
   * Runs work that changes something. Work that throws a MongoError must have undone what it did; any other error undoes the
   * whole transaction and fails all who wait for it.
   */
  write<T>(work: (writer: Connection) => T): Promise<T>;
}
