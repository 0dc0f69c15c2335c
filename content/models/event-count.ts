import mongoose from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';

/** The events that are counted: that something was opened, and that its reader did what it asks for. */
export const COUNTED_EVENTS = ['open', 'conversion'] as const;

/** Number of times that an event happened to an item of the website. */
export interface EventCount {
  readonly item_id: number;
  readonly event: (typeof COUNTED_EVENTS)[number];
  readonly count: number;
}

const schema = new mongoose.Schema<EventCount>(
  {
    item_id: { type: Number, required: true },
    event: { type: String, enum: COUNTED_EVENTS, required: true },
    count: { type: Number, default: 0 },
  },
  collectionOptions('event_counts'),
);
schema.index({ item_id: 1, event: 1 }, { unique: true });

/** Counts of events, one for each item and event that happened. */
export const EventCountModel = mongoose.model<EventCount>('EventCount', schema);
