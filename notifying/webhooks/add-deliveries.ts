import type { FilterOf } from '../../models/store/plain-store.ts';

import type { Caller } from '../../auth/caller.ts';
import { isPosted } from '../../models/store/change-mark.ts';
import { isLate } from '../../models/changes/late.ts';
import { ChangeStore, type StoredChange } from '../../models/changes/change.ts';
import { insertMissing } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import type { StoredWebhook } from '../../models/webhooks/webhook.ts';
import {
  deliveriesAccessScope,
  type StoredDelivery,
  WebhookDeliveryStore,
} from '../../models/webhooks/webhook-delivery.ts';
import type { ChangeKind } from '../../schema/changes/change.ts';
import { type Event, type EventName, eventNamesFrom } from '../../schema/events/event.ts';
import type { DeliveryStatus } from '../../schema/webhooks/webhook-delivery.ts';

import type { EventReader } from './notification.ts';
import type { Service } from '../../models/store/service.ts';

/** Number of log entries read at a time. */
const AT_ONCE = 200;

/** Ranks of events with the same time: a retraction comes first, other events between the start and the end of a trip. */
const RANKS = { retraction: 0, trip_start: 1, other: 2, trip_end: 3 } as const;
/** Number of ranks that fit into a millisecond. */
const RANKS_PER_MS = 10;

/** Events derived from a record, in order; records of the kind `event` are events themselves. */
const FOLLOWING: Readonly<Partial<Record<ChangeKind, readonly EventName[]>>> = {
  trip: eventNamesFrom('trip').toSorted((one, other) => rankOf(one) - rankOf(other)),
  visit: eventNamesFrom('visit'),
};

/** Events that end what other events began. */
const BEGINNINGS: Readonly<Partial<Record<EventName, EventName>>> = {
  trip_end: 'trip_start',
  vehicle_geofence_departure: 'vehicle_geofence_arrival',
};

type Hook = Pick<StoredWebhook, 'key' | 'account_key' | 'events' | 'position'>;

/** Result: the entries read, and the deliveries added for them. */
interface AddedDeliveries {
  /** Number of the last entry read; unchanged if there was none. */
  readonly position: number;
  /** True if more entries may follow. */
  readonly isMore: boolean;
  /** Keys of the vehicles of the deliveries. */
  readonly vehicles: ReadonlySet<string>;
}

/**
 * Adds deliveries for the events of the next log entries that a webhook subscribes to and its viewer can see. An event that was
 * corrected or retracted since its last delivery gets another one. It may be interrupted and repeated.
 */
export async function addDeliveries(
  service: Service,
  events: EventReader,
  hook: Hook,
  viewer: Caller,
): Promise<AddedDeliveries> {
  const entries = await ChangeStore.find(accountAccessScope(service, hook.account_key), {
    number: { $gt: hook.position },
  })
    .sort({ number: 1 })
    .limit(AT_ONCE);
  const wanted = entries.flatMap((entry) => eventsOf(entry, hook.events));
  const added = wanted.length === 0 ? [] : await newOf(service, events, hook, viewer, wanted);
  if (added.length > 0) await insert(service, hook, added);
  return {
    position: entries.at(-1)?.number ?? hook.position,
    isMore: entries.length === AT_ONCE,
    vehicles: new Set(added.map(({ told }) => told.vehicle_key)),
  };
}

/** An event that may follow from an entry. */
interface WantedEvent {
  readonly key: string;
  readonly number: number;
  /** When the entry was logged. */
  readonly logged: Date;
}

/** An event as contained in a delivery. */
interface ToldEvent extends Pick<StoredDelivery, 'event' | 'timestamp' | 'vehicle_key' | 'device_key' | 'deleted'> {
  readonly event_key: string;
}

interface NewDelivery extends WantedEvent {
  readonly told: ToldEvent;
}

/** The events of an entry; positions that extend a trip, and trips that are cut again, cause none. */
function eventsOf(entry: StoredChange, events: readonly EventName[]): WantedEvent[] {
  const { kind, key, number, timestamp: logged, mark, is_growth } = entry;
  if (is_growth || !isPosted(mark)) return [];
  const names = FOLLOWING[kind] ?? [];
  const keys = kind === 'event' ? [key] : names.map((name) => `${name}.${key}`);
  return keys
    .map((own) => ({ key: own, number, logged }))
    .filter((one) => events.some((event) => one.key.startsWith(`${event}.`)));
}

/** Filter of the deliveries that count, which excludes those dropped without a request. */
const TOLD: FilterOf<StoredDelivery>[] = [{ status: { $ne: 'dropped' } }, { 'attempts.0': { $exists: true } }];

/** New events without a delivery in their current form, and events that were delivered and no longer exist. */
async function newOf(
  service: Service,
  { eventsByKey }: EventReader,
  hook: Hook,
  viewer: Caller,
  wanted: readonly WantedEvent[],
): Promise<NewDelivery[]> {
  const keys = [...new Set(wanted.map(({ key }) => key))];
  const events = new Map((await eventsByKey({ service, caller: viewer }, keys)).map((event) => [event.key, event]));
  const accessScope = deliveriesAccessScope(service, hook.account_key);
  const related = [...keys, ...keys.flatMap((key) => beginningOf(key) ?? [])];
  const those = { webhook_key: hook.key, event_key: { $in: related }, $or: TOLD };
  const known = await WebhookDeliveryStore.find(accessScope, those).sort({ number: 1 });
  const told = new Map<string, ToldEvent & { readonly status?: DeliveryStatus }>(
    known.map((delivery) => [delivery.event_key, delivery]),
  );
  const missing = keys.filter((key) => !events.has(key) && told.get(key)?.deleted !== true && told.has(key));
  // An event that the viewer can no longer see still exists.
  const isThere = new Set((await eventsByKey({ service, caller: ownerOf(hook) }, missing)).map(({ key }) => key));
  const kindOf = ({ event, vehicle_key }: Pick<ToldEvent, 'event' | 'vehicle_key'>) => `${event} ${vehicle_key}`;
  const retracted = new Set(
    missing.filter((key) => !isThere.has(key)).map((key) => kindOf(told.get(key) as ToldEvent)),
  );
  return wanted.flatMap((one) => {
    const { key } = one;
    const before = told.get(key);
    const event = events.get(key);
    // One may take the place of another that was corrected, such as a visit with an earlier entry.
    const isTold =
      before !== undefined ||
      told.has(beginningOf(key) ?? '') ||
      (event && retracted.has(kindOf({ event: event.event, vehicle_key: event.context.vehicle.key })));
    if (event && !isTold && !isNews(service, event, one.logged)) return [];
    const now = toldNow(event, isThere.has(key) ? undefined : before);
    if (!now || (before && before.status !== 'dropped' && isSame(before, now))) return [];
    told.set(key, now);
    return [{ ...one, told: now }];
  });
}

/** The key of the event that began what an event ends; undefined if there is none. */
function beginningOf(key: string): string | undefined {
  const [event = '', record] = key.split('.');
  const beginning = BEGINNINGS[event as EventName];
  return beginning && `${beginning}.${record}`;
}

/** Returns true if an event was recent when it was logged, and not imported. */
function isNews(service: Service, { event, timestamp, context }: Event, logged: Date): boolean {
  if (context.trip !== null && (event === 'trip_start' || event === 'trip_end') && context.device === null)
    return false;
  // A silence is found when it is over, or lasts too long.
  const happened = event === 'device_silent' ? (context.ended ?? logged) : timestamp;
  return !isLate(service, happened, logged);
}

/** An event to be delivered, in its current form or as a retraction; undefined if it does not exist and was never delivered. */
function toldNow(event: Event | undefined, before: ToldEvent | undefined): ToldEvent | undefined {
  if (!event) return before && { ...before, deleted: true };
  const { key: event_key, timestamp, context } = event;
  const device_key = context.device?.key ?? null;
  return { event_key, event: event.event, timestamp, vehicle_key: context.vehicle.key, device_key, deleted: false };
}

function isSame(one: ToldEvent, other: ToldEvent): boolean {
  return (one.deleted === true) === (other.deleted === true) && one.timestamp.getTime() === other.timestamp.getTime();
}

/** A viewer of all events of the account of a webhook. */
export function ownerOf({ account_key }: Pick<Hook, 'account_key'>): Caller {
  return { kind: 'operator', account_key };
}

/** Position of an event among pending ones of the same vehicle: by time. */
function sequenceOf({ event, timestamp, deleted }: ToldEvent): number {
  return timestamp.getTime() * RANKS_PER_MS + (deleted ? RANKS.retraction : rankOf(event));
}

function rankOf(event: EventName): number {
  return event === 'trip_start' || event === 'trip_end' ? RANKS[event] : RANKS.other;
}

async function insert(service: Service, hook: Hook, added: readonly NewDelivery[]): Promise<void> {
  const created = new Date();
  const inOrder = added
    .map((one) => ({ ...one, sequence: sequenceOf(one.told) }))
    .toSorted((one, other) => one.sequence - other.sequence);
  const deliveries = inOrder.map(({ number, sequence, told }) => ({
    key: newKey(),
    webhook_key: hook.key,
    account_key: hook.account_key,
    event: told.event,
    event_key: told.event_key,
    timestamp: told.timestamp,
    vehicle_key: told.vehicle_key,
    device_key: told.device_key,
    deleted: told.deleted,
    status: 'pending' as const,
    created,
    next_attempt: created,
    number,
    sequence,
  }));
  await insertMissing(() => WebhookDeliveryStore.insertMany(unrestricted(service), deliveries, { ordered: false }));
}
