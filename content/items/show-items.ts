import { may } from '../access/capabilities.ts';
import type { StoredItem } from '../models/content-item.ts';
import type { ContentItem } from '../schema/records/content-item.ts';
import type { ContentContext } from '../access/content-context.ts';
import { ALL_FIELDS, type SelectedFields } from '../access/selected-fields.ts';
import type { ViewOf } from '../access/view-of.ts';

import { loadExtras } from './item-extras.ts';
import { isRevealed, type ItemView } from './item-view.ts';
import { loadRendering } from './load-rendering.ts';
import { isReadable } from './readable.ts';

/** Arguments that decide how items are shown. */
export interface ShowArguments {
  readonly context?: unknown;
  readonly password?: unknown;
}

/** Arguments with which the answer to a change shows an item. */
export const FOR_EDITING: ShowArguments = { context: 'edit' };

/**
 * Shows those of the items that the caller may read, or for editing may edit, each as `view` makes a record of it.
 *
 * @param selected fields that may be asked for of the records
 */
export async function showItems<R extends ContentItem>(
  view: ItemView<R>,
  items: readonly StoredItem[],
  args: ShowArguments,
  context: ContentContext,
  selected: SelectedFields = ALL_FIELDS,
): Promise<ViewOf<R>[]> {
  const extras = await loadExtras(context.service, items, selected);
  const editing = args.context === 'edit';
  const shown = items.filter(
    (item) => isReadable(item, extras, context) && (!editing || may(context.caller, 'edit_post', item)),
  );
  const rendering = await loadRendering(shown, context, selected);
  return shown.map((item) => {
    const revealed = isRevealed(item, args);
    return view({ item, extras, rendering, context, editing, revealed });
  });
}

/** Shows one item, which the caller has been found to have a right to. */
export async function showItem<R extends ContentItem>(
  view: ItemView<R>,
  item: StoredItem,
  args: ShowArguments,
  context: ContentContext,
  selected: SelectedFields = ALL_FIELDS,
): Promise<ViewOf<R>> {
  const [extras, rendering] = await Promise.all([
    loadExtras(context.service, [item], selected),
    loadRendering([item], context, selected),
  ]);
  const revealed = isRevealed(item, args);
  return view({ item, extras, rendering, context, editing: args.context === 'edit', revealed });
}
