import { ContentItemStore } from '../models/content-item.ts';
import { typesWhere } from '../schema/kinds/content-kinds.ts';
import { COUNTED_EVENTS, type EventCount, EventCountStore } from '../models/event-count.ts';
import type { Service } from '../../models/store/service.ts';

/** Counts an event of a published post or page; what is neither of the known events nor published is not counted. */
export async function countEvent(service: Service, event: string, itemId: number): Promise<void> {
  const known = COUNTED_EVENTS.find((name) => name === event);
  if (known === undefined || !Number.isSafeInteger(itemId)) return;
  const filter = { id: itemId, type: { $in: typesWhere(({ isUploaded }) => !isUploaded) }, status: 'publish' };
  if ((await ContentItemStore.exists(service, filter)) === null) return;
  await EventCountStore.updateOne(service, { item_id: itemId, event: known }, { $inc: { count: 1 } }, { upsert: true });
}

/** All counts, by item and event. */
export async function eventCounts(service: Service): Promise<EventCount[]> {
  return EventCountStore.find(service, {}, { _id: 0 }).sort({ item_id: 1, event: 1 });
}
