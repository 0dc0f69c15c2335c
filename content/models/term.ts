import mongoose from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';
import { type Taxonomy, TERM_KINDS } from '../schema/kinds/term-kinds.ts';

import { VERSION_PATH, type Versioned, versionWrites } from './versions.ts';

/** A category or tag as it is stored. */
export interface StoredTerm extends Versioned {
  /** From the sequence `terms`. */
  readonly id: number;
  readonly taxonomy: Taxonomy;
  readonly name: string;
  /** The name as lists are ordered by it, see `foldText`. */
  readonly name_folded: string;
  /** Unique in its taxonomy. */
  readonly slug: string;
  readonly description: string;
  /** The category above a category, 0 for none. */
  readonly parent: number;
  /** Number of published posts that have it. */
  readonly count: number;
  /** Of one whose slug was made of its name: under which that name is unique, see {@link nameKeyOf}. */
  readonly name_key?: string;
}

/** Key of which no two terms may have the same, where nobody asked for a slug beside the name. */
export function nameKeyOf({ taxonomy, parent, name }: Pick<StoredTerm, 'taxonomy' | 'parent' | 'name'>): string {
  return `${taxonomy}:${parent}:${taxonomy === 'category' ? name : name.toLowerCase()}`;
}

const text = { type: String, default: '' } as const;
const schema = new mongoose.Schema<StoredTerm>(
  {
    id: { type: Number, required: true },
    taxonomy: { type: String, enum: TERM_KINDS.map(({ taxonomy }) => taxonomy), required: true },
    name: text,
    name_folded: text,
    slug: text,
    description: text,
    parent: { type: Number, default: 0 },
    count: { type: Number, default: 0 },
    name_key: { type: String },
    ...VERSION_PATH,
  },
  { ...collectionOptions('terms'), id: false },
);
schema.index({ id: 1 }, { unique: true });
schema.index({ taxonomy: 1, slug: 1 }, { unique: true });
schema.index({ name_key: 1 }, { unique: true, sparse: true });
schema.index({ taxonomy: 1, name_folded: 1, id: 1 });
schema.index({ taxonomy: 1, count: 1, id: 1 });
schema.index({ taxonomy: 1, parent: 1, id: 1 });

versionWrites(schema);

/** Categories and tags. */
export const TermModel = mongoose.model<StoredTerm>('Term', schema);
