import { NUMBER, required, schemaOf, type StoredOf } from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';

/** The events that are counted: that something was opened, and that its reader did what it asks for. */
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
