import mongoose from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';

import type { StoredItem } from './content-item.ts';

/** A change of an item that may be under way: noted before the item is written, and removed after what follows from it. */
export interface StoredPendingChange {
  readonly item: number;
  /** Terms that must be counted again. */
  readonly terms: readonly number[];
  /** The revision that the change names; null where it names none. */
  readonly revision: StoredItem | null;
  /** The process that makes the change, as a lease names its holder. */
  readonly by: string;
  readonly started: Date;
}

const schema = new mongoose.Schema<StoredPendingChange>(
  {
    item: { type: Number, required: true },
    terms: { type: [Number], default: [] },
    revision: { type: mongoose.Schema.Types.Mixed, default: null },
    by: { type: String, required: true },
    started: { type: Date, required: true },
  },
  { ...collectionOptions('pending_content_changes'), minimize: false },
);
schema.index({ item: 1 });

/** Changes of items that are under way, or were when their process was killed. */
export const PendingChangeModel = mongoose.model<StoredPendingChange>('PendingContentChange', schema);
