import type { RequestContext } from '../../auth/caller.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { type Event, EventName } from '../../schema/events/event.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { toTenths } from '../../tracking/geometry/speeds.ts';
import type { TimeCondition } from '../../schema/read-window.ts';
import type { PageStart } from '../../models/lists/list-cursors.ts';
import { fromStart, type TimePlace } from '../../models/lists/time-cursor.ts';

/** Events of one kind to read. */
export interface EventQuery {
  /** The request, in which what is asked side by side is read together. */
  readonly context: RequestContext;
  /** The access scope of trips and visits. */
  readonly accessScope: AccessScope;
  /** Condition on trips and visits. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Conditions on the time of the event, by the name of its field. */
  readonly time: (field: string) => readonly Readonly<Record<string, unknown>>[];
  /** Keys of the trips or visits, or what else follows the name in those of the events; null for any. */
  readonly keys: readonly string[] | null;
  readonly limit: number;
  /** True for the oldest ones first. */
  readonly isBackward: boolean;
}

/** Projection of all fields: MongoDB's internal identifiers are of no use. */
export const WHOLE = { _id: 0 } as const;

/** The filter of documents that have the keys of their events: those of one kind, or of all. */
export function storedFilter(event: EventName | null, { filter, time, keys }: EventQuery) {
  const conditions = [
    ...time('timestamp'),
    ...(event === null ? [] : [{ event }]),
    ...(keys === null ? [] : [{ key: { $in: keys.map((key) => `${event}.${key}`) } }]),
  ];
  return { ...filter, ...(conditions.length > 0 && { $and: conditions }) };
}

/**
 * Conditions on the time of events of a kind, which are listed newest first, then by key.
 * @param event null for all kinds that are stored
 * @param start the start of the page, by the keys of events, or its end if it is read backward; null for the first page
 */
export function timeConditions(
  event: EventName | null,
  window: TimeCondition | null,
  start: PageStart<TimePlace> | null,
  isBackward: boolean,
): EventQuery['time'] {
  const from = (field: string, { place, isAfter }: PageStart<TimePlace>) => {
    // Their documents have the keys of the events.
    if (event === null) return fromStart(field, { place, isAfter }, isBackward);
    const { time, key } = place;
    const [kind = '', recordKey = ''] = key.split('.');
    if (event === kind) return fromStart(field, { place: { time, key: recordKey }, isAfter }, isBackward);
    const isWithin = event < kind === isBackward;
    return { [field]: { [(isBackward ? '$gt' : '$lt') + (isWithin ? 'e' : '')]: time } };
  };
  return (field) => [...(window ? [{ [field]: window }] : []), ...(start ? [from(field, start)] : [])];
}

/** Facts of an event. */
interface EventFacts {
  /** Key of its trip or visit, or what else follows the name in its own. */
  readonly key: string;
  readonly timestamp: Date;
  readonly vehicle_key: string;
  readonly device_key: string | null;
  readonly trip_key: string | null;
  readonly place_key: string | null;
  readonly point: GeoPoint | null;
  readonly name?: string | null;
  readonly rule_key?: string;
  readonly ended?: Date | null;
  readonly max_speed?: number | null;
}

/** Makes the record of an event. */
export function eventOf(event: EventName, facts: EventFacts): Event {
  const { timestamp, point, name = null, rule_key = null, ended = null, max_speed = null } = facts;
  const objectOf = (key: string | null) => (key === null ? null : { key });
  const context = {
    event,
    name,
    timestamp,
    vehicle: { key: facts.vehicle_key },
    device: objectOf(facts.device_key),
    trip: objectOf(facts.trip_key),
    place: objectOf(facts.place_key),
    point,
    rule: objectOf(rule_key),
    ended,
    max_speed: max_speed === null ? null : toTenths(max_speed),
  };
  return { key: `${event}.${facts.key}`, event, timestamp, context };
}

/** Splits the key of an event into what happened and the key of its trip or visit; null for another text. */
export function readEventKey(key: string): { readonly event: EventName; readonly key: string } | null {
  const [event = '', recordKey, ...others] = key.split('.');
  const name = Object.values(EventName).find((one) => one === event);
  return name === undefined || recordKey === undefined || others.length > 0 ? null : { event: name, key: recordKey };
}
