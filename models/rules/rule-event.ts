import { eventNamesFrom, type RuleEventName } from '../../schema/events/event.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nested, nullable, required, type StoredField } from '../store/stored-fields.ts';
import type { Recorder } from '../trips/device-minute.ts';
import {
  changeRecords,
  type ConfirmingRecorder,
  ofDevice,
  removeStagedRecords,
  takeRecords,
  derivedKey,
} from '../trips/leased-records.ts';
import { OPEN_END } from '../trips/trip.ts';

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
    point: nullable(nested({ lat: required(Number), lon: required(Number) })),
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
export interface KnownRuleEvent extends RuleEvent {
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
  const open = { ...ofDevice(recorder), event: { $in: eventNamesFrom('rule') }, until: OPEN_END };
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
  const known = new Map(read.map((one) => [one.key, one]));
  const keyed = events.map((one) => ({ ...one, key: keyOf(recorder, event, one) }));
  const added = keyed.filter(({ key }) => !known.has(key));
  const isOther = (one: KnownRuleEvent) => {
    const before = known.get(one.key);
    return before && (before.until !== one.until || before.max_speed !== one.max_speed);
  };
  const kept = new Set(keyed.map(({ key }) => key));
  const fieldsOf = ({ until, max_speed }: RuleEvent) => ({ until: dateAt(until), max_speed });
  await changeRecords(RuleEventStore, recorder, {
    added: added.map((one) => {
      const { key, rule_key, from, point, is_earlier } = one;
      return { key, event, rule_key, timestamp: dateAt(from), point, is_earlier, ...fieldsOf(one) };
    }),
    hidden: new Set(added.filter(({ is_earlier }) => is_earlier).map(({ key }) => key)),
    changed: keyed.filter(isOther).map((one) => ({ key: one.key, fields: fieldsOf(one) })),
    removed: read.filter(({ key }) => !kept.has(key)).map(({ key }) => key),
  });
  return added.length > 0;
}

/** Removes events of a device that an earlier holder of its lease has not shown. */
export async function removeStagedRuleEvents(recorder: Recorder): Promise<void> {
  await removeStagedRecords(RuleEventStore, recorder, { is_earlier: { $ne: true } });
}

function keyOf(recorder: Recorder, event: RuleEventName, { rule_key, from }: RuleEvent): string {
  const { vehicle_key, device_key } = ofDevice(recorder);
  return `${event}.${derivedKey([rule_key, vehicle_key, device_key, from])}`;
}

/** A date of an instant that may be infinite. */
function dateAt(instant: number): Date {
  return new Date(Math.max(0, Math.min(instant, OPEN_END.getTime())));
}
