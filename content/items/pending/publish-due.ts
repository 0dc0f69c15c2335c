import { ContentItemStore } from '../../models/content-item.ts';
import { changingContent } from '../../caching/changing-content.ts';
import { typesWhere } from '../../schema/kinds/content-kinds.ts';
import { siteNow } from '../../access/site-time.ts';

import { makeNotedChange } from './pending-changes.ts';
import { recountTerms } from './recount-terms.ts';
import type { Service } from '../../../models/store/service.ts';

/** Publishes what was scheduled for a time that has come. Repeating it changes nothing. */
export async function publishDueItems(service: Service): Promise<void> {
  const types = typesWhere(({ isUploaded }) => !isUploaded);
  const due = { type: { $in: types }, status: 'future', date_gmt: { $lte: siteNow(null).gmt } } as const;
  const items = await ContentItemStore.find(service, due).select({ _id: 0, id: 1, categories: 1, tags: 1 });
  for (const { id, categories, tags } of items) {
    const terms = [...categories, ...tags];
    const publish = async () => {
      await ContentItemStore.updateOne(service, { ...due, id }, { $set: { status: 'publish' } });
      await recountTerms(service, terms);
    };
    await changingContent(service, () => makeNotedChange(service, { item: id, terms }, publish));
  }
}
