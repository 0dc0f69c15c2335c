import { NUMBER, required, schemaOf, type StoredOf } from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';
import { ContentItemStore } from './content-item.ts';
import { typesWhere } from '../schema/kinds/content-kinds.ts';
import type { Service } from '../../models/store/service.ts';

/** The events that are counted: something was opened, or led to a conversion. */
export const COUNTED_EVENTS = ['open', 'conversion'] as const;

const PATHS = {
  item_id: required<number>(Number),
  event: required<(typeof COUNTED_EVENTS)[number]>(String, COUNTED_EVENTS),
  count: NUMBER,
};

/** Number of times that an event happened to an item of the website. */
export type EventCount = StoredOf<typeof PATHS>;

const schema = schemaOf<EventCount>('event_counts', PATHS);
schema.index({ item_id: 1, event: 1 }, { unique: true });

/** Counts of events, one for each item and event that happened. */
export const EventCountStore = new PlainStore<EventCount>('EventCount', schema);

/** Counts an event of a published post or page; unknown events and unpublished items are not counted. */
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
