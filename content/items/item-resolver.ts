import type { QueryFilter } from 'mongoose';
import { type ClassType, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import type { ItemChanges, StoredItem } from '../models/content-item.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ContentItem } from '../schema/records/content-item.ts';
import { type ItemPage, itemPageOf, pagesOf } from '../schema/records/item-page.ts';
import { ITEM_DELETE } from '../schema/parameters/item-parameters.ts';
import { idOf, UNWANTED_ID } from '../schema/list-parameters.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { Takes } from '../schema/takes.ts';
import type { ContentContext } from '../access/content-context.ts';
import { type RawArguments, CheckArguments, Permitted } from '../access/permitted.ts';
import type { ViewOf } from '../access/view-of.ts';

import { findItem } from './find-item.ts';
import { type ItemArguments, itemChanges } from './item-changes.ts';
import { itemPermissions } from './item-permissions.ts';
import type { ItemView } from './item-view.ts';
import { type ListArguments, listItems } from './list-items.ts';
import { deleteItem, trashItem } from './remove-item.ts';
import { FOR_EDITING, showItem, showItems } from './show-items.ts';
import { changeItem, insertItem } from './write-item.ts';

/** A kind of content, and the functions in which kinds differ. */
export interface ServedKind {
  readonly kind: ContentKind;
  readonly view: ItemView<ContentItem>;
  /** Further conditions of a list, made of its arguments. */
  readonly narrow?: (args: RawArguments) => QueryFilter<StoredItem>;
  /** Changes that a request makes beside those that all kinds take. */
  readonly changes?: (args: RawArguments, context: ContentContext) => Promise<ItemChanges>;
}

/** The root fields that list, show, change and remove items of a kind: `posts`, `post`, `updatePost`, `deletePost`. */
export function itemResolver({ kind, view, narrow, changes }: ServedKind): ClassType {
  const may = itemPermissions(kind);
  const RecordPage = itemPageOf(kind.record);
  const Name = kind.record.name;

  @Resolver()
  class ItemResolver {
    @CheckArguments(may.statuses)
    @Permitted(may.list)
    @Query(() => RecordPage, { name: kind.many, description: `A page of ${kind.many}.` })
    async list(
      @Takes(kind.list) args: ListArguments & { readonly context?: string },
      @Ctx() context: ContentContext,
    ): Promise<ItemPage<ViewOf<ContentItem>>> {
      const { items, total } = await listItems(kind, args, context, narrow?.({ ...args }));
      const total_pages = pagesOf(total, args.per_page);
      if (args.page > total_pages && total > 0) {
        const message = 'The page number requested is larger than the number of pages available.';
        throw new ContentError('rest_post_invalid_page_number', message, 400);
      }
      return { items: await showItems(view, items, args, context), total, total_pages };
    }

    @Permitted(may.read)
    @Query(() => kind.record, { name: kind.one, description: `One of the ${kind.many}.` })
    async one(
      @Takes(kind.read) args: { readonly id: number; readonly context: string; readonly password?: string },
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<ContentItem>> {
      return showItem(view, await findItem(kind, args.id), args, context);
    }

    @Permitted(may.update)
    @Mutation(() => kind.record, { name: `update${Name}`, description: `Changes one of the ${kind.many}.` })
    async update(
      @Takes({ ...idOf(), ...kind.write }) args: ItemArguments & { readonly id: number },
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<ContentItem>> {
      const changesOf = async (item: StoredItem) => ({
        ...(await itemChanges(kind, args, item, context)),
        ...(await changes?.({ ...args }, context)),
      });
      return showItem(view, await changeItem(kind, args.id, changesOf, context), FOR_EDITING, context);
    }

    @Permitted(may.delete)
    @Mutation(() => kind.record, {
      name: `delete${Name}`,
      description: `Throws one of the ${kind.many} away, or deletes it for good.`,
    })
    async delete(
      @Takes(ITEM_DELETE) { id, force }: ParametersOf<typeof ITEM_DELETE>,
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<ContentItem>> {
      if (!force) return showItem(view, await trashItem(kind, id, context), FOR_EDITING, context);
      const item = await findItem(kind, id);
      const shown = await showItem(view, item, FOR_EDITING, context);
      await deleteItem(item);
      return shown;
    }
  }
  return ItemResolver;
}

/** The root field that makes items of a kind that are written, not uploaded: `createPost`. */
export function itemCreator({ kind, view }: ServedKind): ClassType {
  @Resolver()
  class ItemCreator {
    @Permitted(itemPermissions(kind).create)
    @Mutation(() => kind.record, {
      name: `create${kind.record.name}`,
      description: `Adds to the ${kind.many}.`,
    })
    async create(
      @Takes({ ...UNWANTED_ID, ...kind.write }) args: ItemArguments & { readonly id?: unknown },
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<ContentItem>> {
      if (args.id !== undefined) await findItem(kind, args.id);
      const changes = await itemChanges(kind, args, null, context);
      return showItem(view, await insertItem(kind, changes, context), FOR_EDITING, context);
    }
  }
  return ItemCreator;
}
