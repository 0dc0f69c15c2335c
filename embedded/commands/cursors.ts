import { randomBytes } from 'node:crypto';
import { MongoError } from '../bson/mongo-error.ts';
import { MAX_BSON_SIZE } from '../bson/codec.ts';

/** Lifetime of an unused cursor, in milliseconds. */
export const CURSOR_TIMEOUT_MS = 10 * 60 * 1000;

/** The documents that a cursor has yet to return, and the snapshot they come from. */
export interface Source {
  readonly namespace: string;
  readonly documents: Iterator<Buffer>;
  /** Maximum number of documents, where it is known: the cursor ends with the last of them. */
  readonly max?: number | undefined;
  /** Ends the snapshot. */
  end(): void;
}

/** Some documents, and the id of the cursor for the others; 0 where there are none. */
interface Batch {
  readonly batch: Buffer[];
  readonly id: bigint;
}

interface Open extends Source {
  owner: object;
  lastUsed: number;
  returned: number;
}

/** The open cursors. One belongs to the connection that last used it and ends with it, and so does its snapshot. */
export class Cursors {
  readonly #open = new Map<bigint, Open>();

  /** Number of open cursors. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes the first batch of a source and opens a cursor for the rest; `single` ends the source instead. */
  first(source: Source, owner: object, size: number, single: boolean): Batch {
    const id = randomBytes(8).readBigInt64BE() & 0x7fffffffffffffffn || 1n;
    const cursor = { ...source, owner, lastUsed: Date.now(), returned: 0 };
    this.#open.set(id, cursor);
    return this.#take(id, cursor, size, single);
  }

  /** Takes the next batch of a cursor. */
  next(id: bigint, owner: object, namespace: string, size: number): Batch {
    const cursor = this.#open.get(id);
    if (!cursor || cursor.namespace !== namespace) throw new MongoError('CursorNotFound', `cursor id ${id} not found`);
    cursor.owner = owner;
    cursor.lastUsed = Date.now();
    return this.#take(id, cursor, size, false);
  }

  #take(id: bigint, cursor: Open, size: number, single: boolean): Batch {
    try {
      const { batch, done } = takeBatch(cursor.documents, size);
      cursor.returned += batch.length;
      const isOver = done || single || cursor.returned === cursor.max;
      if (isOver) this.kill(id);
      return { batch, id: isOver ? 0n : id };
    } catch (error) {
      this.kill(id);
      throw error;
    }
  }

  /** Ends a cursor; returns whether it was open. */
  kill(id: bigint): boolean {
    const cursor = this.#open.get(id);
    // The documents end before the snapshot: a statement that is not finished would hold the old snapshot open.
    cursor?.documents.return?.();
    cursor?.end();
    return this.#open.delete(id);
  }

  /** Ends the cursors that a test selects; without a test, all of them. */
  killAll(isOver: (cursor: Readonly<Open>) => boolean = () => true): void {
    for (const [id, cursor] of this.#open) if (isOver(cursor)) this.kill(id);
  }
}

/** Takes documents up to a number, or to the size of one answer. */
function takeBatch(documents: Iterator<Buffer>, size: number): { batch: Buffer[]; done: boolean } {
  const batch: Buffer[] = [];
  let bytes = 0;
  while (batch.length < size && bytes <= MAX_BSON_SIZE - 1024 * 1024) {
    const { value, done } = documents.next();
    if (done) return { batch, done };
    batch.push(value);
    bytes += value.length;
  }
  return { batch, done: false };
}
