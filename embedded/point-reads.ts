import { decode } from './bson/codec.ts';
import { MongoError } from './bson/mongo-error.ts';
import { isDoc, type Doc, type OptionalValue } from './bson/value.ts';
import { Arguments } from './commands/arguments.ts';
import type { ReadCommand } from './commands/command.ts';
import { Cursors } from './commands/cursors.ts';
import { runRead } from './commands/table.ts';
import { Connection, HeavyRead } from './storage/connection.ts';
import { Snapshots } from './storage/snapshots.ts';
import { findSqliteEngine, type SqliteEngine } from './storage/sqlite.ts';

/** Documents that a read may return, and rows that it may visit: a page of a list. */
const MAX_DOCUMENTS = 64;

/** Documents that a read may decode only for filtering or computation. */
const ALLOWANCE = 16;

/** Reads in one turn of the event loop: more go to the server, so that whoever reads on and on waits, and others have their turn. */
const MAX_A_TURN = 50;

/** Time for which no read is tried after one that failed, and none like one that was too much, in milliseconds. */
const REST_MS = 1000;

/** A read that takes longer, in milliseconds, has waited for the disk: none is tried for many times as long. */
const SLOW_MS = 60;
const REST_FACTOR = 100;

/** Kinds of reads that are remembered as too much. */
const MAX_HEAVY = 1000;

/**
 * Reads of few documents in the calling thread, from the file of a database that this or another process serves. They see
 * every write that was acknowledged before. What is more than that, or fails, must be asked of the server.
 */
export class PointReads {
  readonly #file: string;
  readonly #engine: SqliteEngine;
  readonly #cursors = new Cursors();
  #snapshots: Snapshots | undefined;
  #inTurn = 0;
  #restsUntil = 0;
  /** Kinds of reads that were too much, and until when none of them is tried. */
  readonly #heavy = new Map<string, number>();

  /** Reads a file once it is needed. */
  constructor(file: string, engine = findSqliteEngine()) {
    this.#file = file;
    this.#engine = engine;
  }

  /**
   * Answers `find` or `aggregate`, a command in BSON, by the reply in BSON that the server would send; undefined if the server must
   * be asked, which also tells what is wrong with a command.
   */
  read(message: Uint8Array): Buffer | undefined {
    const from = performance.now();
    if (from < this.#restsUntil || !this.#isInTurn()) return undefined;
    const wasOpen = this.#snapshots !== undefined;
    try {
      return this.#answer(decode(Buffer.from(message.buffer, message.byteOffset, message.byteLength)), from);
    } catch (error) {
      if (!(error instanceof MongoError)) this.#rest(from + REST_MS);
      return undefined;
    } finally {
      const duration = performance.now() - from;
      if (wasOpen && duration > SLOW_MS) this.#restsUntil = Math.max(this.#restsUntil, from + duration * REST_FACTOR);
    }
  }

  #isInTurn(): boolean {
    if (this.#inTurn === 0)
      setImmediate(() => {
        this.#inTurn = 0;
      });
    this.#inTurn += 1;
    return this.#inTurn <= MAX_A_TURN;
  }

  /** Closes the file: from now on the server must be asked. */
  close(): void {
    this.#rest(Number.POSITIVE_INFINITY);
  }

  #answer(command: Doc, now: number): Buffer | undefined {
    const kind = kindOf(command);
    if (now < (this.#heavy.get(kind) ?? 0)) return undefined;
    try {
      const reply = runRead(this.#readCommand(command));
      if (this.#cursors.size === 0 && reply instanceof Buffer) return reply;
      this.#cursors.killAll();
    } catch (error) {
      if (!(error instanceof HeavyRead)) throw error;
    }
    if (this.#heavy.size >= MAX_HEAVY) this.#heavy.clear();
    this.#heavy.set(kind, now + REST_MS);
    return undefined;
  }

  /** The command, with a batch of which a cursor would be left if there are too many documents. */
  #readCommand(command: Doc): ReadCommand {
    const [name = ''] = command.keys();
    if (name === 'find') command.set('batchSize', MAX_DOCUMENTS + 1);
    else command.set('cursor', new Map([['batchSize', MAX_DOCUMENTS + 1]]));
    const args = new Arguments(command);
    this.#snapshots ??= new InstantSnapshots(this.#engine, this.#file, ALLOWANCE);
    return { name, args, db: args.string('$db'), store: this.#snapshots, cursors: this.#cursors, owner: 0 };
  }

  /** Closes the file until a time, as far as it lets itself be closed. */
  #rest(until: number): void {
    this.#restsUntil = until;
    try {
      this.#snapshots?.close();
    } catch {
      // It cannot be read now.
    }
    this.#snapshots = undefined;
  }
}

/** Connections that neither write nor wait for another process. */
class InstantSnapshots extends Snapshots {
  protected override open(): Connection {
    const reader = new Connection(this.engine, this.file, true);
    reader.maxRows = MAX_DOCUMENTS;
    return reader;
  }
}

/** Kind of a command, the same for all that differ only in values: collection, names of fields, lengths of lists. */
function kindOf(command: Doc): string {
  const [[name = '', collection = null] = []] = command;
  const parts = ['filter', 'pipeline', 'sort'].map((part) => namesIn(command.get(part)));
  return [name, String(collection), ...parts, String(command.get('limit'))].join(' ');
}

function namesIn(value: OptionalValue): string {
  if (isDoc(value)) return `{${[...value].map(([name, inner]) => name + namesIn(inner)).join()}}`;
  if (Array.isArray(value)) return value.some(isDoc) ? value.map(namesIn).join('') : `[${value.length}]`;
  return '';
}
