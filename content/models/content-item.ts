import mongoose from 'mongoose';

import { type KindName, kindOf } from '../schema/kinds/content-kinds.ts';

import { VERSION_PATH, VERSIONED } from './versions.ts';
import {
  absent,
  defaultsOf,
  nullable,
  NUMBER,
  required,
  schemaOf,
  type StoredOf,
  TEXT,
  withDefault,
} from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';

/** Type of a document of the collection: an item of a kind of content, or a revision of one. */
export type ItemType = KindName | 'revision';

const ITEM_PATHS = {
  /** From the sequence `items`. */
  id: required<number>(Number),
  type: required<ItemType>(String),
  /** `publish`, `future`, `draft`, `pending`, `private`, `trash`; attachments and revisions: `inherit`. */
  status: required<string>(String),
  /** In the site's time zone. */
  date: required<string>(String),
  /** In GMT; null for a draft without an explicit date, which then moves with every change. */
  date_gmt: nullable<string>(String),
  modified: required<string>(String),
  modified_gmt: required<string>(String),
  /** As in addresses, percent-encoded if not ASCII; empty for a draft that has none yet. */
  slug: TEXT,
  guid: TEXT,
  title: TEXT,
  /** The title as lists are ordered by it, see {@link foldText}. */
  title_folded: TEXT,
  content: TEXT,
  excerpt: TEXT,
  /** Id of a website user, 0 if there is none. */
  author: NUMBER,
  /** The page above a page, the post of an attachment or revision; 0 if there is none. */
  parent: NUMBER,
  menu_order: NUMBER,
  /** Protects content and excerpt; empty if there is none. */
  password: TEXT,
  comment_status: TEXT,
  ping_status: TEXT,
  template: TEXT,
  format: TEXT,
  sticky: withDefault<boolean>(Boolean, false),
  /** Id of an attachment, 0 if there is none. */
  featured_media: NUMBER,
  /** Ids of terms. */
  categories: withDefault<readonly number[]>([Number], []),
  tags: withDefault<readonly number[]>([Number], []),
  /** Of one in the trash: the earlier status. */
  status_before_trash: nullable<string>(String),
  slug_before_trash: nullable<string>(String),
  /** Of attachments. */
  mime_type: TEXT,
  alt_text: TEXT,
  /** Of attachments: path of the file below the uploads, `2026/11/photo.jpg`; empty if there is none. */
  file: TEXT,
  /** Of attachments: width, height, sizes and metadata of the picture, as the content interface shows them. */
  media_details: withDefault<Readonly<Record<string, unknown>>>(mongoose.Schema.Types.Mixed, {}),
  /** Paths of its former permalinks, the last first, without slashes at their ends. */
  former_paths: withDefault<readonly string[]>([String], []),
  /** Keys by which its slug is unique, see {@link slugKeysOf}; absent while its slug need not be unique. */
  slug_keys: absent<readonly string[]>([String]),
  /** Id of the revision that has its title, content and excerpt; absent if it must be looked up. */
  last_revision: absent<number>(Number),
  ...VERSION_PATH,
};

/** A post, page, attachment or revision as it is stored. Dates are `YYYY-MM-DDThh:mm:ss`, which sort as text. */
export type StoredItem = StoredOf<typeof ITEM_PATHS>;

/** An empty item: a post that is a draft and has no number. */
export const BLANK_ITEM = {
  ...defaultsOf(ITEM_PATHS),
  id: 0,
  type: 'post',
  status: 'draft',
  date: '',
  modified: '',
  modified_gmt: '',
  comment_status: 'closed',
  ping_status: 'closed',
} as StoredItem;

/** Stored fields that a request sets. */
export type ItemChanges = { readonly [K in keyof StoredItem]?: StoredItem[K] };

/** Statuses of items without an address, whose slugs need not be unique. */
export const UNPUBLISHED: readonly string[] = ['draft', 'pending', 'auto-draft'];

/**
 * Keys that no two items may share: posts are unique among posts, pages and attachments among those below
 * the same parent, attachments among each other as well, see {@link ContentKindRow.address}. Rules: WordPress's `wp_unique_post_slug`. What it checks in one
 * direction alone, an attachment's slug against those of posts and of pages elsewhere, is looked up and no key.
 *
 * @returns undefined for an item without a slug, or whose slug need not be unique
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

const schema = schemaOf<StoredItem>('content_items', ITEM_PATHS, { id: false, minimize: false });
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
schema.index({ former_paths: 1 }, { sparse: true });
schema.index({ file: 1 }, { partialFilterExpression: { file: { $gt: '' } } });

/** Posts, pages, attachments and revisions. */
export const ContentItemStore = new PlainStore<StoredItem>('ContentItem', schema, VERSIONED);

/** A text as lists are ordered by it: without case and accents, as the reference's collation sees it. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
