import mongoose from 'mongoose';

import { collectionOptions } from '../../models/store/collection-options.ts';
import { PlainStore } from '../../models/store/plain-store.ts';
import type { Service } from '../../models/store/service.ts';

/** Name of a sequence of ids: posts, pages, media and revisions share one, categories and tags another. */
export type SequenceName = 'items' | 'terms' | 'users' | 'comments';

/** State of a sequence. */
interface StoredSequence {
  readonly _id: SequenceName;
  readonly last: number;
}

const schema = new mongoose.Schema<StoredSequence>(
  { _id: { type: String, required: true }, last: { type: Number, required: true } },
  collectionOptions('content_sequences'),
);

/** The last number of each sequence. */
export const SequenceStore = new PlainStore<StoredSequence>('ContentSequence', schema);

/** The next number of a sequence, from 1. Each number is given once, also to concurrent callers. */
export async function nextNumber(service: Service, name: SequenceName): Promise<number> {
  const sequence = await SequenceStore.findOneAndUpdate(
    service,
    { _id: name },
    { $inc: { last: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!sequence) throw new TypeError(`The sequence ${name} was not made`);
  return sequence.last;
}

/** Lets a sequence continue after a number, unless it is there already: for an import that keeps its numbers. */
export async function continueAfter(service: Service, name: SequenceName, last: number): Promise<void> {
  await SequenceStore.updateOne(service, { _id: name }, { $max: { last } }, { upsert: true });
}
