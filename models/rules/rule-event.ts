import type { RuleEventName } from '../../schema/events/event.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, POINT, required, type StoredField } from '../store/stored-fields.ts';
import { ofDevice, type Recorder } from '../trips/device-minute.ts';
import {
  type ConfirmingRecorder,
  derivedKey,
  removeStagedRecords,
  replaceRecords,
  takeRecords,
} from '../trips/leased-records.ts';
import { dateAt, OPEN_END } from '../trips/trip.ts';

/**
 * Events that rules make, written under the lease of the device. Drivers see none, as of those that devices report. A
 * silence that began before its rule is stored too, and stays staged: positions that come late may part it.
 */
export const RuleEventStore = storeOf('RuleEvent', {
  collection: 'rule_events',
  tenancy: 'visit',
  logged: { kind: 'event', shown: { staged: false }, silent: ['epoch'] },
  hidden: {
    /** Key of the event: what happened, a dot, and a hash of what else tells it from others. */
    key: required(String),
    event: required(String) as StoredField<RuleEventName>,
    rule_key: required(String),
    account_key: required(String),
    vehicle_key: required(String),
    device_key: required(String),
    /** The first position above the limit, or the last one before the silence. */
    timestamp: required(Date),
    /** The last position above the limit, or the first after the silence; {@link OPEN_END} while it goes on. */
    until: required(Date),
    max_speed: nullable(Number),
    /** The first position above the limit. */
    point: nullable(POINT),
    /** True of a silence that began before its rule. */
    is_earlier: defaulting(Boolean, false),
    staged: required(Boolean),
    epoch: required(Number),
  },
  indexes: [
    [{ account_key: 1, timestamp: -1, key: 1 }],
    [{ account_key: 1, event: 1, timestamp: -1, key: 1 }],
    [{ vehicle_key: 1, timestamp: -1, key: 1 }],
    [{ vehicle_key: 1, event: 1, timestamp: -1, key: 1 }],
    [{ vehicle_key: 1, device_key: 1, event: 1, until: 1 }],
    [{ account_key: 1, until: 1 }],
    [{ rule_key: 1 }],
  ],
});

/** An event of a rule as it is read from the database. */
export type StoredRuleEvent = StoredIn<typeof RuleEventStore>;

/** An event of a rule; times in milliseconds since 1970, one that goes on is over at Infinity. */
export interface RuleEvent {
  readonly rule_key: string;
  readonly from: number;
  readonly until: number;
  /** Miles per hour; null of a silence. */
  readonly max_speed: number | null;
  readonly point: GeoPoint | null;
  /** True of a silence that began before its rule. */
  readonly is_earlier: boolean;
}

/** An event of a rule as it is stored. */
interface KnownRuleEvent extends RuleEvent {
  readonly key: string;
}

/** A span of time in milliseconds since 1970; both ends are in it. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** Events of a device that were not over before a span of time, and began by its end. */
export async function ruleEventsBetween(
  recorder: Recorder,
  event: RuleEventName,
  span: Span,
): Promise<KnownRuleEvent[]> {
  const filter = { ...within(event, span), $or: [{ staged: false }, { is_earlier: true }] };
  const found = await takeRecords<StoredRuleEvent>(RuleEventStore, recorder, filter);
  return found.map(({ key, rule_key, timestamp, until: end, max_speed, point, is_earlier }) => ({
    ...{ key, rule_key, max_speed, point, is_earlier },
    from: timestamp.getTime(),
    until: end.getTime() === OPEN_END.getTime() ? Infinity : end.getTime(),
  }));
}

/** Returns true if a device has events that were not over before a span of time, and began by its end. */
export async function hasRuleEvents(recorder: Recorder, event: RuleEventName, span: Span): Promise<boolean> {
  const { accessScope } = recorder;
  const filter = { ...ofDevice(recorder), ...within(event, span) };
  return (await RuleEventStore.findOne(accessScope, filter, 'key')) !== null;
}

/** Returns true if a device has events that go on. */
export async function hasOpenRuleEvents(recorder: Recorder): Promise<boolean> {
  const { accessScope } = recorder;
  const events: RuleEventName[] = ['device_silent', 'trip_over_speeding'];
  const open = { ...ofDevice(recorder), event: { $in: events }, until: OPEN_END };
  return (await RuleEventStore.findOne(accessScope, open, 'key')) !== null;
}

function within(event: RuleEventName, { from, until }: Span) {
  return { event, until: { $gte: dateAt(from) }, timestamp: { $lte: dateAt(until) } };
}

/**
 * Makes the events of a device the given ones, in place of those that were read. Returns true if any were new.
 * @throws ServiceError SERVICE_UNAVAILABLE if the lease is gone
 */
export async function replaceRuleEvents(
  recorder: ConfirmingRecorder,
  event: RuleEventName,
  read: readonly KnownRuleEvent[],
  events: readonly RuleEvent[],
): Promise<boolean> {
  return replaceRecords(RuleEventStore, recorder, {
    read,
    derived: events.map((one) => ({ ...one, key: keyOf(recorder, event, one) })),
    isSame: (before, now) => before.until === now.until && before.max_speed === now.max_speed,
    lasting: ({ rule_key, from, point, is_earlier }) => ({
      event,
      rule_key,
      timestamp: dateAt(from),
      point,
      is_earlier,
    }),
    changing: ({ until, max_speed }) => ({ until: dateAt(until), max_speed }),
    isHidden: ({ is_earlier }) => is_earlier,
  });
}

/** Removes events of a device that an earlier holder of its lease has not shown. */
export async function removeStagedRuleEvents(recorder: Recorder): Promise<void> {
  await removeStagedRecords(RuleEventStore, recorder, { is_earlier: { $ne: true } });
}

function keyOf(recorder: Recorder, event: RuleEventName, { rule_key, from }: RuleEvent): string {
  const { vehicle_key, device_key } = ofDevice(recorder);
  return `${event}.${derivedKey([rule_key, vehicle_key, device_key, from])}`;
}
