import type { ContentRecord } from '../content-field.ts';
import type { ParameterTable } from '../parameter.ts';
import {
  ITEM_READ,
  PAGE_LIST,
  PAGE_WRITE,
  POST_LIST,
  POST_WRITE,
  MEDIA_LIST,
  MEDIA_READ,
  MEDIA_WRITE,
} from '../parameters/item-parameters.ts';
import { Attachment } from '../records/attachment.ts';
import type { ContentItem } from '../records/content-item.ts';
import { Page, Post } from '../records/post.ts';
import { CATEGORY, TAG, type TermKind } from './term-kinds.ts';

/** Row of a kind of content: all differences between posts, pages and attachments. */
export interface ContentKindRow {
  /** Stored with each item, and shown as its `type`. */
  readonly type: string;
  /** Singular in the names of root fields: `post`. */
  readonly one: string;
  /** Plural in the names of root fields, in paths and in exports: `posts`. */
  readonly many: string;
  readonly record: ContentRecord<ContentItem>;
  /** Parameters of a list. */
  readonly list: ParameterTable;
  /** Parameters of a request for one item. */
  readonly read: ParameterTable;
  /** Parameters of a change. */
  readonly write: ParameterTable;
  /** Noun in the names of its capabilities: `edit_others_posts`. */
  readonly noun: 'posts' | 'pages';
  /**
   * Form of its addresses: by date, below the parent item of the same kind, or below the item that it is attached to. Slugs
   * are unique accordingly: in the kind; below one parent; and for attached items, in the whole site.
   */
  readonly address: 'dated' | 'nested' | 'attached';
  /** True for uploaded files. Uploads have neither trash nor revisions, and are not scheduled. */
  readonly isUploaded: boolean;
  /** True if an item needs a title, a content or an excerpt. */
  readonly needsText: boolean;
  /** True if new items are open for comments and pings as the settings say; they are closed otherwise. */
  readonly isDiscussed: boolean;
  readonly canBeSticky: boolean;
  /** Default format of an item; empty for kinds without formats. */
  readonly defaultFormat: string;
  /** Taxonomies of its terms. */
  readonly terms: readonly TermKind[];
  /** Words in `/wp/v2/types`: singular, plural, and those labels that do not follow from them. */
  readonly words: readonly [singular: string, plural: string, labels?: Readonly<Record<string, string>>];
  /** Features in `/wp/v2/types`, separated by commas. */
  readonly supports: string;
}

/** The kinds of content by their types, in the order of `/wp/v2/types`. A new kind needs only a row here. */
const KINDS = {
  post: {
    type: 'post',
    one: 'post',
    many: 'posts',
    record: Post,
    list: POST_LIST,
    read: ITEM_READ,
    write: POST_WRITE,
    noun: 'posts',
    address: 'dated',
    isUploaded: false,
    needsText: true,
    isDiscussed: true,
    canBeSticky: true,
    defaultFormat: 'standard',
    terms: [CATEGORY, TAG],
    words: ['Post', 'Posts'],
    supports: 'title,editor,author,thumbnail,excerpt,trackbacks,custom-fields,comments,revisions,post-formats',
  },
  page: {
    type: 'page',
    one: 'page',
    many: 'pages',
    record: Page,
    list: PAGE_LIST,
    read: ITEM_READ,
    write: PAGE_WRITE,
    noun: 'pages',
    address: 'nested',
    isUploaded: false,
    needsText: false,
    isDiscussed: false,
    canBeSticky: false,
    defaultFormat: '',
    terms: [],
    words: ['Page', 'Pages', { parent_item_colon: 'Parent Page:' }],
    supports: 'title,editor,author,thumbnail,page-attributes,custom-fields,comments,revisions',
  },
  attachment: {
    type: 'attachment',
    one: 'attachment',
    many: 'media',
    record: Attachment,
    list: MEDIA_LIST,
    read: MEDIA_READ,
    write: MEDIA_WRITE,
    noun: 'posts',
    address: 'attached',
    isUploaded: true,
    needsText: false,
    isDiscussed: true,
    canBeSticky: false,
    defaultFormat: '',
    terms: [],
    words: [
      'Post',
      'Posts',
      {
        name: 'Media',
        singular_name: 'Media',
        edit_item: 'Edit Media',
        view_item: 'View Attachment Page',
        all_items: 'Media',
        archives: 'Media',
        attributes: 'Attachment Attributes',
        menu_name: 'Media',
        name_admin_bar: 'Media',
      },
    ],
    supports: 'title,author,comments',
  },
} as const satisfies Readonly<Record<string, ContentKindRow>>;

/** Name of a kind of content. */
export type KindName = keyof typeof KINDS;

/** A kind of content. */
export type ContentKind = ContentKindRow & { readonly type: KindName };

/** All kinds of content, in the order of `/wp/v2/types`. */
export const CONTENT_KINDS: readonly ContentKind[] = Object.values(KINDS);

/** The kinds of the website's own pages and uploads. */
export const { post: POST, page: PAGE, attachment: ATTACHMENT } = KINDS;

/** Returns the kind of a type; undefined for other types, such as `revision`. */
export function kindOf(type: string): ContentKind | undefined {
  return CONTENT_KINDS.find((kind) => kind.type === type);
}

/** Types of the kinds that meet a condition, as filters of queries take them. */
export function typesWhere(condition: (kind: ContentKind) => boolean): KindName[] {
  return CONTENT_KINDS.filter(condition).map(({ type }) => type);
}

/** Types whose items have terms of a taxonomy. */
export function typesWithTerms({ taxonomy }: Pick<TermKind, 'taxonomy'>): KindName[] {
  return typesWhere(({ terms }) => terms.some((term) => term.taxonomy === taxonomy));
}
