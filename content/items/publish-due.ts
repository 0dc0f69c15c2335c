import { ContentItemModel, type StoredItem } from '../models/content-item.ts';
import { changingContent } from '../caching/changing-content.ts';
import { typesWhere } from '../schema/kinds/content-kinds.ts';
import { siteNow } from '../access/site-time.ts';

import { makeNotedChange } from './pending-changes.ts';
import { recountTerms } from './recount-terms.ts';

/** Publishes what was scheduled for a time that has come. Repeating it changes nothing. */
export async function publishDueItems(): Promise<void> {
  const types = typesWhere(({ isUploaded }) => !isUploaded);
  const due = { type: { $in: types }, status: 'future', date_gmt: { $lte: siteNow(null).gmt } } as const;
  const items = await ContentItemModel.find(due)
    .select({ _id: 0, id: 1, categories: 1, tags: 1 })
    .lean<Pick<StoredItem, 'id' | 'categories' | 'tags'>[]>();
  for (const { id, categories, tags } of items) {
    const terms = [...categories, ...tags];
    const publish = async () => {
      await ContentItemModel.updateOne({ ...due, id }, { $set: { status: 'publish' } });
      await recountTerms(terms);
    };
    await changingContent(() => makeNotedChange({ item: id, terms }, publish));
  }
}
