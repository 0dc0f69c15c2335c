import { randomUUID } from 'node:crypto';

import mongoose from 'mongoose';

import { collectionOptions } from '../../models/store/collection-options.ts';
import { PlainStore, serviceWithin, type WriteRules } from '../../models/store/plain-store.ts';
import type { Service } from '../../models/store/service.ts';

/** A process that is changing content. */
export interface ContentWriter {
  /** The process and the change, as a lease names its holder. */
  readonly by: string;
  readonly started: Date;
}

/**
 * The state of all content, by which totals and answers in memory are known to be current, on every server:
 *
 * - Every write of content changes the stamp after it is made, before it is acknowledged. A change, which may be
 *   several writes, is recorded in `writers` before the first of them, and removed by the command that changes the stamp after
 *   the last one (`changingContent`).
 * - A reader reads this document before anything else. If no process is writing, it may use values cached under this stamp;
 *   else it reads content, and if no process was writing, caches the result under the stamp that it has read before. What is
 *   kept under a stamp so holds every write that was acknowledged before, and is never used after the next one was.
 * - A process that is killed between its writes and the stamp leaves its entry. Nothing is cached or used until another process
 *   finds that it has ended, moves the stamp and takes the note off (`removeEndedWriters`).
 * - A process that only stalled, and whose entry was removed because it seemed dead, still changes the stamp with every write
 *   before it acknowledges the write. If it is killed in between, its write is seen when cached values expire, a minute later.
 */
interface StoredStamp {
  readonly _id: 'items';
  readonly stamp: string;
  /** Absent before the first change. */
  readonly writers?: readonly ContentWriter[];
}

const schema = new mongoose.Schema<StoredStamp>(
  {
    _id: { type: String, required: true },
    stamp: { type: String, required: true },
    writers: { type: [new mongoose.Schema({ by: String, started: Date }, { _id: false })], default: undefined },
  },
  collectionOptions('content_stamps'),
);

/** The stamp of the last change of content. */
export const StampStore = new PlainStore<StoredStamp>('ContentStamp', schema);

/** The only stamp; its name dates from when it covered items alone. */
const ONE = { _id: 'items' } as const;

/** Reads the stamp and the current writers; null before the first write. */
export async function readStamp(service: Service): Promise<Pick<StoredStamp, 'stamp' | 'writers'> | null> {
  return StampStore.findOne(service, ONE);
}

/** The rules for writes of content: each changes the stamp once it is done. */
export const STAMPED: WriteRules = { written: (within) => restamp(serviceWithin(within)) };

/** Invalidates everything that is cached of content, in all processes. */
export async function restamp(service: Service): Promise<void> {
  await StampStore.updateOne(service, ONE, { $set: { stamp: randomUUID() } }, { upsert: true });
}

/** Adds a writer. */
export async function addWriter(service: Service, writer: ContentWriter): Promise<void> {
  await StampStore.updateOne(
    service,
    ONE,
    { $set: { stamp: randomUUID() }, $push: { writers: writer } },
    { upsert: true },
  );
}

/** Removes some writers, and invalidates everything that is cached. */
export async function removeWriters(service: Service, names: readonly string[]): Promise<void> {
  await StampStore.updateOne(service, ONE, {
    $set: { stamp: randomUUID() },
    $pull: { writers: { by: { $in: [...names] } } },
  });
}
