import { setImmediate as nextTurn } from 'node:timers/promises';
import { equalValues } from '../bson/key.ts';
import { check } from '../bson/mongo-error.ts';
import { mapOf } from '../bson/value.ts';
import { rowsOf, type Selection } from '../search/select.ts';
import type { Reads } from '../storage/access.ts';
import type { Arrivals } from '../storage/arrivals.ts';
import { endsOf } from '../storage/capped.ts';
import { namespaceOf, type Collection } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { cursorReply } from '../wire/cursor-reply.ts';
import { hintedCollection, type ReadCommand, type Reply } from './command.ts';
import type { Source, Tail } from './cursors.ts';

/** Maximum number of rows that a tailable cursor visits in one step. */
const MAX_ROWS = 1000;

const INSERTION_ORDER = mapOf({ $natural: 1 });

/** Answers find with `tailable`: the documents of a capped collection, and a cursor for future ones. */
export function openTail(command: ReadCommand, namespace: string, selection: Selection, size: number): Reply {
  const { args, store, cursors, owner } = command;
  const { arrivals } = store;
  const inTransaction = 'Tailable cursors are not allowed in transactions';
  check(arrivals, 'OperationNotSupportedInTransaction', inTransaction);
  const isOrdered = !selection.sort || equalValues(selection.sort, INSERTION_ORDER);
  check(isOrdered, 'BadValue', 'cannot use tailable option with a sort other than {$natural: 1}');
  check(!args.flag('singleBatch'), 'BadValue', "cannot use tailable option with the 'singleBatch' option");
  const collection = store.read((reader) => {
    const found = hintedCollection(command, reader);
    const message = `error processing query: ns=${namespace} tailable cursor requested on non capped collection`;
    check(!found || found.capped, 'BadValue', message);
    return found && endsOf(reader, found) ? found : undefined;
  });
  if (!collection) return cursorReply('firstBatch', [], 0n, namespace);
  const tail = new CappedTail(store, collection, selection, args.flag('awaitData') ? arrivals : undefined);
  const source: Source = {
    namespace,
    documents: tail,
    max: selection.limit || undefined,
    tail,
    end: () => tail.end(),
  };
  const { batch, id } = cursors.first(source, owner, size, false);
  return cursorReply('firstBatch', batch, id, namespace);
}

/** The documents of a capped collection from the first on, in the order of their insertion. */
class CappedTail implements Iterator<Buffer, undefined>, Tail {
  readonly #store: Reads;
  readonly #collection: Collection;
  readonly #selection: Selection;
  readonly #arrivals: Arrivals | undefined;
  readonly #ending = new AbortController();
  #rows: Generator<Buffer, void, void> | undefined;
  /** The id of the last row that was visited. */
  #place: number | undefined;
  #toSkip: number;
  /** False if the last batch has visited every row there was. */
  #isBehind = true;

  /** Without `arrivals`, the cursor does not wait. */
  constructor(store: Reads, collection: Collection, selection: Selection, arrivals: Arrivals | undefined) {
    this.#store = store;
    this.#collection = collection;
    this.#selection = { ...selection, sort: INSERTION_ORDER, skip: undefined, limit: undefined };
    this.#arrivals = arrivals;
    this.#toSkip = selection.skip ?? 0;
  }

  next(): IteratorResult<Buffer, undefined> {
    this.#rows ??= this.#read();
    const { value, done } = this.#rows.next();
    if (!done) return { value, done: false };
    this.#rows = undefined;
    return { value: undefined, done: true };
  }

  /** Ends a batch, and with it the snapshot that it is read from. */
  return(): IteratorResult<Buffer, undefined> {
    this.#rows?.return();
    this.#rows = undefined;
    return { value: undefined, done: true };
  }

  async awaitMore(until: number): Promise<boolean> {
    const ms = until - performance.now();
    const isBehind = this.#isBehind;
    this.#isBehind = true;
    if (isBehind) await nextTurn();
    else if (!this.#arrivals || ms <= 0) return false;
    else await this.#arrivals.wait(ms, this.#ending.signal);
    check(!this.#ending.signal.aborted, 'CursorKilled', 'The cursor was killed while it waited for documents');
    return true;
  }

  end(): void {
    this.#ending.abort();
  }

  *#read(): Generator<Buffer, void, void> {
    const reader = this.#store.acquire();
    try {
      reader.allowance = Number.POSITIVE_INFINITY;
      const { after, upTo } = this.#span(reader);
      if (after === upTo) return;
      for (const { id, bytes } of rowsOf(reader, this.#collection, { ...this.#selection, ids: { after, upTo } })) {
        this.#place = id;
        if (this.#toSkip > 0) this.#toSkip -= 1;
        else yield bytes;
      }
      this.#place = upTo;
    } finally {
      this.#store.release(reader);
    }
  }

  /** The rows to visit next; throws if the one at which the cursor stands has been removed. */
  #span(reader: Connection): { after: number; upTo: number } {
    const { db, name, id } = this.#collection;
    const namespace = namespaceOf(this.#collection);
    const current = findCollection(reader, db, name);
    check(current?.id === id, 'QueryPlanKilled', `collection dropped: ${namespace}`);
    const ends = endsOf(reader, current);
    const after = this.#place ?? (ends ? ends.oldest - 1 : 0);
    const isLost = !ends || (this.#place !== undefined && this.#place < ends.oldest);
    const message = `CollectionScan died due to failure to restore tailable cursor position. Last seen record id: ${after}`;
    check(!isLost, 'CappedPositionLost', message);
    const upTo = Math.min(ends.newest, after + MAX_ROWS);
    this.#isBehind = upTo < ends.newest;
    return { after, upTo };
  }
}
