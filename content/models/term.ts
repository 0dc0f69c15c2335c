import { type Taxonomy, TERM_KINDS } from '../schema/kinds/term-kinds.ts';

import { VERSION_PATH, VERSIONED } from './versions.ts';
import { absent, NUMBER, required, schemaOf, type StoredOf, TEXT } from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';

const PATHS = {
  /** From the sequence `terms`. */
  id: required<number>(Number),
  taxonomy: required<Taxonomy>(
    String,
    TERM_KINDS.map(({ taxonomy }) => taxonomy),
  ),
  name: TEXT,
  /** The name as lists are ordered by it, see `foldText`. */
  name_folded: TEXT,
  /** Unique in its taxonomy. */
  slug: TEXT,
  description: TEXT,
  /** The category above a category, 0 if there is none. */
  parent: NUMBER,
  /** Number of published posts that have it. */
  count: NUMBER,
  /** Key by which the name is unique, see {@link nameKeyOf}; only if the slug was derived from the name. */
  name_key: absent<string>(String),
  ...VERSION_PATH,
};

/** A category or tag as it is stored. */
export type StoredTerm = StoredOf<typeof PATHS>;

/** Unique key of a term, if its slug was not requested explicitly. */
export function nameKeyOf({ taxonomy, parent, name }: Pick<StoredTerm, 'taxonomy' | 'parent' | 'name'>): string {
  return `${taxonomy}:${parent}:${taxonomy === 'category' ? name : name.toLowerCase()}`;
}

const schema = schemaOf<StoredTerm>('terms', PATHS, { id: false });
schema.index({ id: 1 }, { unique: true });
schema.index({ taxonomy: 1, slug: 1 }, { unique: true });
schema.index({ name_key: 1 }, { unique: true, sparse: true });
schema.index({ taxonomy: 1, name_folded: 1, id: 1 });
schema.index({ taxonomy: 1, count: 1, id: 1 });
schema.index({ taxonomy: 1, parent: 1, id: 1 });

/** Categories and tags. */
export const TermStore = new PlainStore<StoredTerm>('Term', schema, VERSIONED);
