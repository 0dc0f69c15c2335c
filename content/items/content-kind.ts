import type { QueryFilter } from 'mongoose';
import type { ClassType } from 'type-graphql';

import type { ItemChanges, ItemType, StoredItem } from '../models/content-item.ts';
import type { ContentItem } from '../schema/records/content-item.ts';
import type { ParameterTable } from '../schema/parameter.ts';
import type { ContentContext } from '../access/content-context.ts';

import type { ItemView } from './item-view.ts';

/** A kind of content: all in which posts, pages and attachments differ. */
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
