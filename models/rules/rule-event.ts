import { eventNamesFrom, type RuleEventName } from '../../schema/events/event.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, POINT, required, type StoredField } from '../store/stored-fields.ts';
import { DerivedSpans, instantOf, type Span } from '../trips/derived-spans.ts';
import { ofDevice, type Recorder } from '../trips/device-minute.ts';
import { derivedKey } from '../trips/leased-records.ts';
import { dateAt, OPEN_END } from '../trips/trip.ts';

/**
 * Events that rules make, written under the lease of the device. Drivers see none, as of those that devices report. A
 * silence that began before its rule is stored too, and stays staged: late positions may split it.
 */
export const RuleEventStore = storeOf('RuleEvent', {
  collection: 'rule_events',
  tenancy: 'visit',
  shardKey: { vehicle_key: 1, key: 1 },
  logged: { kind: 'event', shown: { staged: false }, silent: ['epoch'] },
  hidden: {
    /** Key of the event: what happened, a dot, and a hash of its other distinguishing facts. */
    key: required(String),
    event: required(String) as StoredField<RuleEventName>,
    rule_key: required(String),
    account_key: required(String),
    vehicle_key: required(String),
    device_key: required(String),
    /** The first position above the limit, or the last one before the silence. */
    timestamp: required(Date),
    /** The last position above the limit, or the first after the silence; {@link OPEN_END} while it continues. */
    until: required(Date),
    max_speed: nullable(Number),
    /** The first position above the limit. */
    point: nullable(POINT),
    /** True for a silence that began before its rule. */
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

/** An event of a rule: a run of positions above a limit, or a silence. */
export interface RuleEvent extends Span {
  readonly event: RuleEventName;
  readonly rule_key: string;
  /** Miles per hour; null for a silence. */
  readonly max_speed: number | null;
  readonly point: GeoPoint | null;
  /** True for a silence that began before its rule. */
  readonly is_earlier: boolean;
}

/** Events of the rules that apply to a device. */
export const ruleEvents = new DerivedSpans<StoredRuleEvent, RuleEvent>({
  store: RuleEventStore,
  begin: 'timestamp',
  keyOf: ({ event, rule_key, from }, { vehicle_key, device_key }) =>
    `${event}.${derivedKey([rule_key, vehicle_key, device_key, from])}`,
  made: ({ event, rule_key, from, point, is_earlier }) => {
    return { event, rule_key, timestamp: dateAt(from), point, is_earlier };
  },
  changing: ({ until, max_speed }) => ({ until: dateAt(until), max_speed }),
  factsOf: ({ event, rule_key, timestamp, until, max_speed, point, is_earlier }) => {
    return { event, rule_key, max_speed, point, is_earlier, from: timestamp.getTime(), until: instantOf(until) };
  },
  isHidden: ({ is_earlier }) => is_earlier,
  hidden: { is_earlier: true },
});

/** Returns true if a device has open events. */
export async function hasOpenRuleEvents(recorder: Recorder): Promise<boolean> {
  const open = { ...ofDevice(recorder), event: { $in: eventNamesFrom('rule') }, until: OPEN_END };
  return (await RuleEventStore.findOne(recorder.accessScope, open, 'key')) !== null;
}
