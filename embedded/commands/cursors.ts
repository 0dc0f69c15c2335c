import { randomBytes } from 'node:crypto';
import { MongoError } from '../bson/mongo-error.ts';
import { MAX_BSON_SIZE } from '../bson/encode.ts';

/** How long a cursor lives that nobody asks. */
export const CURSOR_TIMEOUT_MS = 10 * 60 * 1000;

/** The documents a cursor still has to give, and the snapshot they come from. */
export interface Source {
  readonly namespace: string;
  readonly documents: Iterator<Buffer>;
  /** How many documents there are at most, where that is known: the cursor ends with the last of them. */
  readonly most?: number | undefined;
  /** Ends the snapshot. */
  end(): void;
}

interface Open extends Source {
  owner: object;
  lastUsed: number;
  given: number;
}

/**
 * The open cursors. A cursor belongs to the connection that last used it and ends with it, so that a client that
 * vanishes leaves no snapshot behind.
 */
export class Cursors {
  readonly #open = new Map<bigint, Open>();

  /** How many cursors are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes the first batch of a source; keeps the rest as a cursor, or ends the source. */
  first(source: Source, owner: object, size: number, single: boolean): { batch: Buffer[]; id: bigint } {
    try {
      const { batch, done } = takeBatch(source.documents, size);
      if (done || single || batch.length === source.most) {
        finish(source);
        return { batch, id: 0n };
      }
      const id = randomBytes(8).readBigInt64BE() & 0x7fffffffffffffffn || 1n;
      this.#open.set(id, { ...source, owner, lastUsed: Date.now(), given: batch.length });
      return { batch, id };
    } catch (error) {
      finish(source);
      throw error;
    }
  }

  /** Takes the next batch of a cursor. */
  next(id: bigint, owner: object, namespace: string, size: number): { batch: Buffer[]; id: bigint } {
    const cursor = this.#open.get(id);
    if (!cursor || cursor.namespace !== namespace) throw new MongoError('CursorNotFound', `cursor id ${id} not found`);
    cursor.owner = owner;
    cursor.lastUsed = Date.now();
    try {
      const { batch, done } = takeBatch(cursor.documents, size);
      cursor.given += batch.length;
      const isOver = done || cursor.given === cursor.most;
      if (isOver) this.kill(id);
      return { batch, id: isOver ? 0n : id };
    } catch (error) {
      this.kill(id);
      throw error;
    }
  }

  /** Ends a cursor; returns whether there was one. */
  kill(id: bigint): boolean {
    const cursor = this.#open.get(id);
    if (cursor) finish(cursor);
    return this.#open.delete(id);
  }

  /** Ends the cursors of a connection that is gone. */
  killOwned(owner: object): void {
    for (const [id, cursor] of this.#open) if (cursor.owner === owner) this.kill(id);
  }

  /** Ends the cursors that nobody has asked since a time. */
  killUnused(since: number): void {
    for (const [id, cursor] of this.#open) if (cursor.lastUsed < since) this.kill(id);
  }

  /** Ends every cursor. */
  killAll(): void {
    for (const id of [...this.#open.keys()]) this.kill(id);
  }
}

/** Ends the documents before the snapshot: a statement still under way would hold the old snapshot open. */
function finish(source: Source): void {
  source.documents.return?.();
  source.end();
}

/** Takes documents up to a number, or to the size of one answer. */
function takeBatch(documents: Iterator<Buffer>, size: number): { batch: Buffer[]; done: boolean } {
  const batch: Buffer[] = [];
  let bytes = 0;
  while (batch.length < size) {
    const { value, done } = documents.next();
    if (done) return { batch, done: true };
    batch.push(value);
    bytes += value.length;
    if (bytes > MAX_BSON_SIZE - 1024 * 1024) break;
  }
  return { batch, done: false };
}
