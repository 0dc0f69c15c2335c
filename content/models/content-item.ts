import mongoose from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';
import { type KindName, kindOf } from '../schema/kinds/content-kinds.ts';

import { stampWrites } from './item-totals.ts';
import { VERSION_PATH, type Versioned, versionWrites } from './versions.ts';

/** Type of a document of the collection: an item of a kind of content, or a revision of one. */
export type ItemType = KindName | 'revision';

/** A post, page, attachment or revision as it is stored. Dates are `YYYY-MM-DDThh:mm:ss`, which sort as text. */
export interface StoredItem extends Versioned {
  /** From the sequence `items`. */
  readonly id: number;
  readonly type: ItemType;
  /** `publish`, `future`, `draft`, `pending`, `private`, `trash`; attachments and revisions: `inherit`. */
  readonly status: string;
  /** In the site's time zone. */
  readonly date: string;
  /** In GMT; null while nobody has set the date of a draft, which then moves with every change. */
  readonly date_gmt: string | null;
  readonly modified: string;
  readonly modified_gmt: string;
  /** As in addresses, percent-encoded where it is not ASCII; empty for a draft that has none yet. */
  readonly slug: string;
  readonly guid: string;
  readonly title: string;
  /** The title as lists are ordered by it, see {@link foldText}. */
  readonly title_folded: string;
  readonly content: string;
  readonly excerpt: string;
  /** Id of a website user, 0 for nobody. */
  readonly author: number;
  /** The page above a page, the post of an attachment or revision; 0 for none. */
  readonly parent: number;
  readonly menu_order: number;
  /** Protects content and excerpt; empty for none. */
  readonly password: string;
  readonly comment_status: string;
  readonly ping_status: string;
  readonly template: string;
  readonly format: string;
  readonly sticky: boolean;
  /** Id of an attachment, 0 for none. */
  readonly featured_media: number;
  /** Ids of terms. */
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  /** Of one in the trash: what it was before. */
  readonly status_before_trash: string | null;
  readonly slug_before_trash: string | null;
  /** Of attachments. */
  readonly mime_type: string;
  readonly alt_text: string;
  /** Of attachments: path of the file below the uploads, `2026/11/photo.jpg`; empty for none. */
  readonly file: string;
  /** Of attachments: width, height, sizes and what the picture says of itself, as the content interface shows it. */
  readonly media_details: Readonly<Record<string, unknown>>;
  /** Under which its slug is unique, see {@link slugKeysOf}; absent while it shares its slug freely. */
  readonly slug_keys?: readonly string[];
  /** Id of the revision that has its title, content and excerpt; absent where that must be looked up. */
  readonly last_revision?: number;
}

/** Fields of storage that a request sets. */
export type ItemChanges = { readonly [K in keyof StoredItem]?: StoredItem[K] };

/** Statuses of items that have no address yet, and so share slugs freely. */
export const UNPUBLISHED: readonly string[] = ['draft', 'pending', 'auto-draft'];

/**
 * Keys of which no two items may have one in common: posts are unique among posts, pages and attachments among those below
 * the same parent, attachments among each other as well, see {@link ContentKindRow.address}. Rules: WordPress's `wp_unique_post_slug`. What it checks in one
 * direction alone, an attachment's slug against those of posts and of pages elsewhere, is looked up and no key.
 *
 * @returns undefined for an item that shares its slug freely, or has none
 */
export function slugKeysOf({
  type,
  status,
  parent,
  slug,
}: Pick<StoredItem, 'type' | 'status' | 'parent' | 'slug'>): readonly string[] | undefined {
  const kind = kindOf(type);
  if (slug === '' || !kind || UNPUBLISHED.includes(status)) return undefined;
  const inKind = `${type}:${slug}`;
  if (kind.address === 'dated') return [inKind];
  const below = `child of ${parent}:${slug}`;
  return kind.address === 'nested' ? [below] : [below, inKind];
}

const text = { type: String, default: '' } as const;
const number = { type: Number, default: 0 } as const;
const schema = new mongoose.Schema<StoredItem>(
  {
    id: { type: Number, required: true },
    type: { type: String, required: true },
    status: { type: String, required: true },
    date: { type: String, required: true },
    date_gmt: { type: String, default: null },
    modified: { type: String, required: true },
    modified_gmt: { type: String, required: true },
    slug: text,
    guid: text,
    title: text,
    title_folded: text,
    content: text,
    excerpt: text,
    author: number,
    parent: number,
    menu_order: number,
    password: text,
    comment_status: text,
    ping_status: text,
    template: text,
    format: text,
    sticky: { type: Boolean, default: false },
    featured_media: number,
    categories: { type: [Number], default: [] },
    tags: { type: [Number], default: [] },
    status_before_trash: { type: String, default: null },
    slug_before_trash: { type: String, default: null },
    mime_type: text,
    alt_text: text,
    file: text,
    media_details: { type: mongoose.Schema.Types.Mixed, default: {} },
    // Without a default: an empty list would be a key of its own.
    slug_keys: { type: [String], default: undefined },
    last_revision: { type: Number },
    ...VERSION_PATH,
  },
  { ...collectionOptions('content_items'), id: false, minimize: false },
);
schema.index({ id: 1 }, { unique: true });
schema.index({ type: 1, status: 1, date: -1, id: -1 });
schema.index({ type: 1, slug: 1 });
schema.index({ slug_keys: 1 }, { unique: true, sparse: true });
schema.index({ type: 1, parent: 1, id: 1 });
schema.index({ type: 1, author: 1, date: -1, id: -1 });
schema.index({ type: 1, categories: 1, date: -1, id: -1 });
schema.index({ type: 1, tags: 1, date: -1, id: -1 });
schema.index({ type: 1, sticky: 1, date: -1, id: -1 });
schema.index({ type: 1, menu_order: 1, id: 1 });
schema.index({ type: 1, title_folded: 1, id: 1 });
schema.index({ type: 1, modified: -1, id: -1 });
schema.index({ type: 1, mime_type: 1, date: -1 });
schema.index({ file: 1 }, { partialFilterExpression: { file: { $gt: '' } } });

stampWrites(schema);
versionWrites(schema);

/** Posts, pages, attachments and revisions. */
export const ContentItemModel = mongoose.model<StoredItem>('ContentItem', schema);

/** A text as lists are ordered by it: without case and accents, as the reference's collation sees it. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
