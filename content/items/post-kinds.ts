import { ITEM_READ, PAGE_LIST, PAGE_WRITE, POST_LIST, POST_WRITE } from '../schema/parameters/item-parameters.ts';
import { Page, Post } from '../schema/records/post.ts';

import type { ContentKind } from './content-kind.ts';
import { pageView, postView } from './item-view.ts';

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
