import type { FilterOf } from '../../models/store/plain-store.ts';

import type { ItemChanges, StoredItem } from '../models/content-item.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ContentItem } from '../schema/records/content-item.ts';
import { ITEM_DELETE } from '../schema/parameters/item-parameters.ts';
import { idOf, UNWANTED_ID } from '../schema/list-parameters.ts';
import type { RootFields, RawArguments } from '../access/root-field.ts';

import { demandMatch } from './entity-tag.ts';
import { findItem, readItem } from './find-item.ts';
import { type ItemArguments, itemChanges } from './item-changes.ts';
import { itemPermissions } from './item-permissions.ts';
import { type ItemView, FOR_EDITING, type ShowArguments, showItem, showItems } from './item-view.ts';
import { type ListArguments, listItems } from './list-items.ts';
import { deleteItem, trashItem } from './remove-item.ts';
import { changeItem, insertItem } from './write-item.ts';
import type { Service } from '../../models/store/service.ts';
import { collectionFields, pagesOf, taking } from '../access/collection-fields.ts';

/** A kind of content, and the functions that differ between kinds. */
export interface ServedKind {
  readonly kind: ContentKind;
  readonly view: ItemView<ContentItem>;
  /** Further conditions of a list, from its arguments. */
  readonly narrow?: (args: RawArguments) => FilterOf<StoredItem>;
  /** Changes of a request in addition to those that all kinds accept. */
  readonly changes?: (service: Service, args: RawArguments) => Promise<ItemChanges>;
}

/** The root fields of a kind: `posts`, `post`, `createPost`, `updatePost`, `deletePost`. Uploads have no `createPost`. */
export function itemResolver({ kind, view, narrow, changes }: ServedKind): RootFields {
  const may = itemPermissions(kind);
  const create = taking(
    { ...UNWANTED_ID, ...kind.write },
    async (args: ItemArguments & { readonly id?: unknown }, context) => {
      if (args.id !== undefined) await findItem(context.service, kind, args.id);
      const written = await itemChanges(kind, args, null, context);
      return showItem(view, await insertItem(kind, written, context), FOR_EDITING, context);
    },
  );
  return collectionFields(kind, may, {
    list: taking(
      kind.list,
      async (args: ListArguments, context, selected) => {
        const { items, total } = await listItems(kind, args, context, { narrowed: narrow?.({ ...args }), selected });
        if (args.page > pagesOf(total, args.per_page) && total > 0) {
          const message = 'The page number requested is larger than the number of pages available.';
          throw new ContentError('rest_post_invalid_page_number', message, 400);
        }
        return { items: await showItems(view, items, args, context, selected), total };
      },
      { checkArguments: may.statuses },
    ),
    read: taking(kind.read, async (args: ShowArguments & { readonly id: number }, context, selected) =>
      showItem(view, await readItem(kind, args.id, context), args, context, selected),
    ),
    create: kind.isUploaded ? undefined : create,
    update: taking({ ...idOf(), ...kind.write }, async (args: ItemArguments & { readonly id: number }, context) => {
      const changesOf = async (item: StoredItem) => ({
        ...(await itemChanges(kind, args, item, context)),
        ...(await changes?.(context.service, { ...args })),
      });
      return showItem(view, await changeItem(kind, args.id, changesOf, context), FOR_EDITING, context);
    }),
    delete: taking(ITEM_DELETE, async ({ id, force }, context) => {
      if (!force) return showItem(view, await trashItem(kind, id, context), FOR_EDITING, context);
      const item = await findItem(context.service, kind, id);
      demandMatch(item, context);
      const shown = await showItem(view, item, FOR_EDITING, context);
      await deleteItem(context.service, item);
      return shown;
    }),
  });
}
