import mongoose from 'mongoose';

import type { StoredItem } from './content-item.ts';
import { nullable, required, schemaOf, type StoredOf, withDefault } from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';

const PATHS = {
  item: required<number>(Number),
  /** Terms that must be counted again. */
  terms: withDefault<readonly number[]>([Number], []),
  /** The revision that the change names; null if it names none. */
  revision: nullable<StoredItem>(mongoose.Schema.Types.Mixed),
  /** The process that makes the change, as a lease names its holder. */
  by: required<string>(String),
  started: required<Date>(Date),
};

/** A change of an item that may be in progress: recorded before the item is written, and removed after its effects are done. */
export type StoredPendingChange = StoredOf<typeof PATHS> & { readonly _id: mongoose.Types.ObjectId };

const schema = schemaOf<StoredPendingChange>('pending_content_changes', PATHS, { minimize: false });
schema.index({ item: 1 });

/** Changes of items in progress, or interrupted because their process was killed. */
export const PendingChangeStore = new PlainStore<StoredPendingChange>('PendingContentChange', schema);
