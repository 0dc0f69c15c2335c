import { randomUUID } from 'node:crypto';

import mongoose, { type QueryFilter, type Schema } from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';

/** Stamp that changes with every change of an item, by which stale totals are recognised. */
interface Stamp {
  readonly _id: 'items';
  readonly stamp: string;
}

const schema = new mongoose.Schema<Stamp>(
  { _id: { type: String, required: true }, stamp: { type: String, required: true } },
  collectionOptions('content_stamps'),
);

/** The stamp of the last change of an item. */
export const StampModel = mongoose.model<Stamp>('ContentStamp', schema);

/** Most totals that are remembered; the oldest goes first. */
const MAX_TOTALS = 500;

const totals = new Map<string, { readonly stamp: string; readonly total: number }>();

/**
 * Counts the documents that a filter finds. The total is cached until something changes, in this process or another: a
 * count costs as much as there are items.
 *
 * @param filter names the total
 */
export async function totalOf(filter: QueryFilter<never>, count: () => Promise<number>): Promise<number> {
  const name = JSON.stringify(filter, (_key, value) => (value instanceof RegExp ? String(value) : value));
  const stamp = (await StampModel.findOne({ _id: 'items' }).lean())?.stamp ?? '';
  const known = totals.get(name);
  if (known?.stamp === stamp) return known.total;
  const total = await count();
  totals.delete(name);
  totals.set(name, { stamp, total });
  const [oldest] = totals.keys();
  if (totals.size > MAX_TOTALS && oldest !== undefined) totals.delete(oldest);
  return total;
}

/** Gives every write of a schema a new stamp, once it is done. */
export function stampWrites<T>(schema: Schema<T>): void {
  schema.post('save', restampItems);
  schema.post('insertMany', restampItems);
  schema.post('bulkWrite', restampItems);
  schema.post(['updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany', 'findOneAndUpdate'], restampItems);
}

/** Has every total be counted anew. */
export async function restampItems(): Promise<void> {
  await StampModel.updateOne({ _id: 'items' }, { $set: { stamp: randomUUID() } }, { upsert: true });
}
