import type { QueryFilter } from 'mongoose';
import type { ClassType } from 'type-graphql';

import type { ItemType, StoredItem } from '../../models/content/content-item.ts';
import type { ContentItem } from '../../schema/content/content-item.ts';
import { Attachment } from '../../schema/content/attachment.ts';
import { ITEM_READ, PAGE_LIST, PAGE_WRITE, POST_LIST, POST_WRITE } from '../../schema/content/item-parameters.ts';
import { MEDIA_LIST, MEDIA_READ, MEDIA_WRITE } from '../../schema/content/media-parameters.ts';
import type { ParameterTable } from '../../schema/content/parameter.ts';
import { Page, Post } from '../../schema/content/post.ts';

import type { ContentContext } from './content-context.ts';
import type { ItemChanges } from './items/item-changes.ts';
import { type ItemView, pageView, postView } from './items/item-view.ts';
import { attachmentView } from './media/attachment-view.ts';
import { mediaChanges, mediaFilter } from './media/media-changes.ts';

/** What a kind of content is: the one place where posts, pages and attachments differ. */
export interface ContentKind<R extends ContentItem = ContentItem> {
  readonly type: ItemType;
  /** Of the root fields: `post`, `updatePost`. */
  readonly one: string;
  /** Of the root fields and the paths: `posts`. */
  readonly many: string;
  readonly record: ClassType<R>;
  readonly view: ItemView<R>;
  readonly list: ParameterTable;
  /** What a list is narrowed to, beside what all kinds are. */
  readonly narrow?: (args: Readonly<Record<string, unknown>>) => QueryFilter<StoredItem>;
  /** How one is asked for. */
  readonly read: ParameterTable;
  /** What may be written of it. */
  readonly write: ParameterTable;
  /** What of its own a request writes, beside what all kinds take. */
  readonly changes?: (args: Readonly<Record<string, unknown>>, context: ContentContext) => Promise<ItemChanges>;
  /** Whether changes leave revisions. */
  readonly hasRevisions: boolean;
  /** Whether it may be thrown away and brought back; otherwise it can only be deleted for good. */
  readonly hasTrash: boolean;
  /** Whether it must say something: a title, a text or an excerpt. */
  readonly mustSaySomething: boolean;
  /** The capabilities that it takes, by their noun. */
  readonly noun: 'posts' | 'pages';
}

/** Posts. */
export const POST: ContentKind<Post> = {
  type: 'post',
  one: 'post',
  many: 'posts',
  record: Post,
  view: postView,
  list: POST_LIST,
  read: ITEM_READ,
  write: POST_WRITE,
  hasRevisions: true,
  hasTrash: true,
  mustSaySomething: true,
  noun: 'posts',
};

/** Pages. */
export const PAGE: ContentKind<Page> = {
  type: 'page',
  one: 'page',
  many: 'pages',
  record: Page,
  view: pageView,
  list: PAGE_LIST,
  read: ITEM_READ,
  write: PAGE_WRITE,
  hasRevisions: true,
  hasTrash: true,
  mustSaySomething: false,
  noun: 'pages',
};

/** Media: uploaded files. */
export const ATTACHMENT: ContentKind<Attachment> = {
  type: 'attachment',
  one: 'attachment',
  many: 'media',
  record: Attachment,
  view: attachmentView,
  list: MEDIA_LIST,
  narrow: mediaFilter,
  read: MEDIA_READ,
  write: MEDIA_WRITE,
  changes: mediaChanges,
  hasRevisions: false,
  hasTrash: false,
  mustSaySomething: false,
  noun: 'posts',
};
