import { randomUUID } from 'node:crypto';

import mongoose from 'mongoose';

import { collectionOptions } from '../../models/store/collection-options.ts';
import { PlainStore, type WriteRules } from '../../models/store/plain-store.ts';
import type { Service } from '../../models/store/service.ts';

/** Somebody who is changing content. */
export interface ContentWriter {
  /** The process and the change, as a lease names its holder. */
  readonly by: string;
  readonly started: Date;
}

/**
 * The state of all content, by which totals and answers that are kept in memory are known to be those of now, on every server:
 *
 * - Every write of content moves the stamp after it is made, and so before anybody is told of it. A change, which may be
 *   several writes, is noted in `writers` before the first of them, and taken off by the command that moves the stamp after
 *   the last one (`changingContent`).
 * - A reader reads this document before anything else. If nobody is writing, it may use what was kept under this stamp;
 *   else it reads content, and if nobody was writing, keeps the result under the stamp that it has read before. What is
 *   kept under a stamp so holds every write that was acknowledged before, and is never used after the next one was.
 * - A process that is killed between its writes and the stamp leaves its note. Nothing is kept or used until another process
 *   finds that it has ended, moves the stamp and takes the note off (`removeEndedWriters`).
 * - A process that only stalled, and whose note was taken off since nobody could tell, still moves the stamp with every write
 *   before it tells of it. Were it killed in between, its write would be seen when what was kept expires, a minute later.
 */
interface StoredStamp {
  readonly _id: 'items';
  readonly stamp: string;
  /** Absent until something is changed for the first time. */
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

/** The one stamp; its name is from when it was that of items alone. */
const ONE = { _id: 'items' } as const;

/** Reads the stamp and those who are writing; null before the first write. */
export async function readStamp(service: Service): Promise<Pick<StoredStamp, 'stamp' | 'writers'> | null> {
  return StampStore.findOne(service, ONE);
}

/** The rules for writes of content: each moves the stamp, once it is done. */
export const STAMPED: WriteRules = { written: (service) => restamp(service) };

/** Outdates everything that is kept of content, in this process or another. */
export async function restamp(service: Service): Promise<void> {
  await StampStore.updateOne(service, ONE, { $set: { stamp: randomUUID() } }, { upsert: true });
}

/** Notes that somebody is writing. */
export async function addWriter(service: Service, writer: ContentWriter): Promise<void> {
  await StampStore.updateOne(
    service,
    ONE,
    { $set: { stamp: randomUUID() }, $push: { writers: writer } },
    { upsert: true },
  );
}

/** Takes the notes of some writers off, and outdates everything that is kept. */
export async function removeWriters(service: Service, names: readonly string[]): Promise<void> {
  await StampStore.updateOne(service, ONE, {
    $set: { stamp: randomUUID() },
    $pull: { writers: { by: { $in: [...names] } } },
  });
}
