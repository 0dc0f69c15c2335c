import type { Caller } from '../../auth/caller.ts';
import { ChangeModel, type StoredChange } from '../../models/changes/change.ts';
import { insertMissing } from '../../models/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import type { StoredWebhook } from '../../models/webhooks/webhook.ts';
import { deliveriesAccessScope, WebhookDeliveryModel } from '../../models/webhooks/webhook-delivery.ts';
import type { ChangeKind } from '../../schema/changes/change.ts';
import type { Event, EventName } from '../../schema/events/event.ts';

import { eventsByKey } from '../events/event-page.ts';

/** Entries of the log that are read at a time. */
const AT_ONCE = 200;

/** Events that follow from a record, in their order; those of the kind `event` are themselves. */
const FOLLOWING: Readonly<Partial<Record<ChangeKind, readonly EventName[]>>> = {
  trip: ['trip_start', 'trip_end'],
  visit: ['vehicle_geofence_arrival', 'vehicle_geofence_departure'],
};

/** Deliveries of one entry have numbers of their own within it. */
const PER_ENTRY = 10;

type Hook = Pick<StoredWebhook, 'key' | 'account_key' | 'events' | 'position'>;

/**
 * Adds deliveries for the events of the next entries of the log that a webhook wants and its viewer sees. An event that has
 * been corrected since its last delivery gets another one. It may be interrupted and repeated.
 *
 * @returns number of the last entry that was read; that of before if there is none
 */
export async function addDeliveries(hook: Hook, viewer: Caller): Promise<number> {
  const entries = await ChangeModel.find({ number: { $gt: hook.position } }, null, {
    accessScope: accountAccessScope(hook.account_key),
  })
    .sort({ number: 1 })
    .limit(AT_ONCE)
    .lean<StoredChange[]>();
  const wanted = entries.flatMap((entry) => eventsOf(entry, hook.events));
  if (wanted.length > 0) await insert(hook, await newOf(hook, viewer, wanted));
  return entries.at(-1)?.number ?? hook.position;
}

/** An event that an entry may tell of. */
interface WantedEvent {
  readonly key: string;
  readonly number: number;
  readonly sequence: number;
}

interface FoundEvent extends WantedEvent {
  readonly event: Event;
}

/** The events of an entry; positions that are added to a trip begin and end none. */
function eventsOf(entry: StoredChange, events: readonly EventName[]): WantedEvent[] {
  const { kind, key, number, is_growth, happened } = entry;
  if (is_growth || happened === 'deleted') return [];
  const names = FOLLOWING[kind] ?? [];
  const keys = kind === 'event' ? [key] : names.map((name) => `${name}.${key}`);
  return keys
    .map((own, at) => ({ key: own, number, sequence: number * PER_ENTRY + at }))
    .filter((one) => events.some((event) => one.key.startsWith(`${event}.`)));
}

/** Those events that there are, and that were not to be sent already as they are. */
async function newOf(hook: Hook, viewer: Caller, wanted: readonly WantedEvent[]): Promise<FoundEvent[]> {
  const keys = [...new Set(wanted.map(({ key }) => key))];
  const events = new Map((await eventsByKey({ caller: viewer }, keys)).map((event) => [event.key, event]));
  const accessScope = deliveriesAccessScope(hook.account_key);
  const known = await WebhookDeliveryModel.find({ webhook_key: hook.key, event_key: { $in: keys } }, null, {
    accessScope,
  })
    .sort({ number: 1 })
    .lean();
  const sent = new Map(known.map(({ event_key, timestamp }) => [event_key, timestamp.getTime()]));
  return wanted.flatMap((one) => {
    const event = events.get(one.key);
    if (!event || sent.get(one.key) === event.timestamp.getTime()) return [];
    sent.set(one.key, event.timestamp.getTime());
    return [{ ...one, event }];
  });
}

async function insert(hook: Hook, found: readonly FoundEvent[]): Promise<void> {
  if (found.length === 0) return;
  const created = new Date();
  const deliveries = found.map(({ key: event_key, number, sequence, event }) => ({
    key: newKey(),
    webhook_key: hook.key,
    account_key: hook.account_key,
    event: event.event,
    event_key,
    timestamp: event.timestamp,
    vehicle_key: event.context.vehicle.key,
    device_key: event.context.device?.key ?? null,
    status: 'pending',
    created,
    next_attempt: created,
    number,
    sequence,
  }));
  await insertMissing(() => WebhookDeliveryModel.insertMany(deliveries, { ordered: false }));
}
