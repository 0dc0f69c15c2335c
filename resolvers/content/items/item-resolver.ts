import { type ClassType, Ctx, Query, Resolver } from 'type-graphql';

import type { StoredItem } from '../../../models/content/content-item.ts';
import { ContentError } from '../../../schema/content/content-error.ts';
import type { ContentItem } from '../../../schema/content/content-item.ts';
import { type ItemPage, itemPageOf, pagesOf } from '../../../schema/content/item-page.ts';
import { ITEM_READ } from '../../../schema/content/item-parameters.ts';
import type { ParametersOf } from '../../../schema/content/parameter.ts';
import { Takes } from '../../../schema/content/takes.ts';
import type { ContentContext } from '../content-context.ts';
import type { ContentKind } from '../kinds.ts';
import { Permitted } from '../permitted.ts';
import type { ViewOf } from '../view-of.ts';

import { findItem } from './find-item.ts';
import { loadExtras } from './item-extras.ts';
import { itemPermissions } from './item-permissions.ts';
import { isRevealed } from './item-view.ts';
import { type ListArguments, listItems } from './list-items.ts';
import { isReadable } from './readable.ts';

/** The root fields that lists and shows items of a kind: `posts` and `post`. */
export function itemResolver<R extends ContentItem>(kind: ContentKind<R>): ClassType {
  const may = itemPermissions(kind);
  const RecordPage = itemPageOf(kind.record);

  @Resolver()
  class ItemResolver {
    @Permitted(may.list)
    @Query(() => RecordPage, { name: kind.many, description: `A page of ${kind.many}.` })
    async list(
      @Takes(kind.list) args: ListArguments & { readonly context?: string },
      @Ctx() context: ContentContext,
    ): Promise<ItemPage<ViewOf<R>>> {
      const { items, total } = await listItems(kind, args, context);
      const total_pages = pagesOf(total, args.per_page);
      if (args.page > total_pages && total > 0) {
        const message = 'The page number requested is larger than the number of pages available.';
        throw new ContentError('rest_post_invalid_page_number', message, 400);
      }
      return { items: await show(items, args, context), total, total_pages };
    }

    @Permitted(may.read)
    @Query(() => kind.record, { name: kind.one, description: `One of the ${kind.many}.` })
    async one(
      @Takes(ITEM_READ) args: ParametersOf<typeof ITEM_READ>,
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<R> | undefined> {
      const [item] = await show([await findItem(kind, args.id)], args, context);
      return item;
    }
  }
  return ItemResolver;

  /** Shows those of the items that the caller may read, each as a record of the kind. */
  async function show(
    items: readonly StoredItem[],
    asked: { readonly context?: unknown; readonly password?: unknown },
    context: ContentContext,
  ): Promise<ViewOf<R>[]> {
    const [extras, settings] = await Promise.all([loadExtras(items), context.settings()]);
    return items
      .filter((item) => isReadable(item, extras, context))
      .map((item) => kind.view({ item, extras, settings, context, revealed: isRevealed(item, asked) }));
  }
}
