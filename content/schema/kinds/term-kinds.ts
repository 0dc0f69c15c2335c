import type { ContentRecord } from '../content-field.ts';
import type { ParameterDefinition, ParameterTable } from '../parameter.ts';
import { Category, Tag } from '../records/term.ts';
import { CATEGORY_LIST, CATEGORY_WRITE, TAG_LIST, TAG_WRITE } from '../parameters/term-parameters.ts';

/** Name of a taxonomy. */
export type Taxonomy = 'category' | 'post_tag';

/** A taxonomy: all differences between categories and tags. */
export interface TermKind {
  readonly taxonomy: Taxonomy;
  /** Of the root fields: `category`, `updateCategory`. */
  readonly one: string;
  /** Of the root fields and the paths. */
  readonly many: string;
  readonly record: ContentRecord;
  /** True if its terms form a tree. */
  readonly isTree: boolean;
  /** The field of a post that holds the ids of its terms. */
  readonly field: 'categories' | 'tags';
  /** The capability to add terms. */
  readonly toCreate: 'manage_categories' | 'edit_posts';
  /** First part of the addresses of its terms on the website. */
  readonly base: string;
  /** Parameters of a list. */
  readonly list: ParameterTable;
  /** Fields that can be written. */
  readonly write: ParameterTable & { readonly name: ParameterDefinition };
}

/** Categories. */
export const CATEGORY: TermKind = {
  taxonomy: 'category',
  one: 'category',
  many: 'categories',
  record: Category,
  isTree: true,
  field: 'categories',
  toCreate: 'manage_categories',
  base: 'category',
  list: CATEGORY_LIST,
  write: CATEGORY_WRITE,
};

/** Tags. Users who may write posts may create tags. */
export const TAG: TermKind = {
  taxonomy: 'post_tag',
  one: 'tag',
  many: 'tags',
  record: Tag,
  isTree: false,
  field: 'tags',
  toCreate: 'edit_posts',
  base: 'tag',
  list: TAG_LIST,
  write: TAG_WRITE,
};

/** All taxonomies, in the order of `/wp/v2/taxonomies`. */
export const TERM_KINDS: readonly TermKind[] = [CATEGORY, TAG];
