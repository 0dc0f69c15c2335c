import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import {
  type Event,
  type EventName,
  eventNamesFrom,
  isEventFrom,
  type RecordedEventName,
  type RuleEventName,
} from '../../schema/events/event.ts';
import type { Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';
import type { TimeCondition } from '../../schema/read-window.ts';
import { checkPageSize } from '../../models/lists/creation-page.ts';
import { ListCursors } from '../../models/lists/list-cursors.ts';
import { inTimeOrder, timeOrder, type TimePlace, timePlaces } from '../../models/lists/time-cursor.ts';
import { visibleVehicles } from '../../tracking/visibility/visible-vehicles.ts';
import { eventOf, type EventQuery, readEventKey, storedFilter, timeConditions, WHOLE } from './event-query.ts';
import { tripEvents } from './trip-events.ts';
import { visitEvents } from './visit-events.ts';
import { type StoredVehicleEvent, VehicleEventStore } from '../../models/vehicles/vehicle-event.ts';
import { documentsOfVehicle } from '../../tracking/views/documents-of-vehicles.ts';
import { tripAt } from './trip-at.ts';
import { RuleEventStore, type StoredRuleEvent } from '../../models/rules/rule-event.ts';
import { OPEN_END } from '../../models/trips/trip.ts';

/** Events to list. */
export interface EventPageQuery {
  /** Only these; null for all kinds. */
  readonly event: EventName | null | undefined;
  readonly vehicle_key: string | null | undefined;
  readonly window: TimeCondition | null;
  /** Number of events; negative for those before the cursor. */
  readonly first: number;
  readonly after: string | null | undefined;
}

/**
 * A page of events, newest first, then by key. Most follow from the trips and visits that there are when they are read.
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor, NOT_FOUND for a vehicle that is not visible
 */
export async function eventPage(context: RequestContext, query: EventPageQuery): Promise<Page<Event>> {
  const size = checkPageSize(query.first);
  const isBackward = query.first < 0;
  const places = timePlaces(async (key) => (await eventsByKey(context, [key])).map(placeOf)[0] ?? null);
  const cursors = await ListCursors.of(context.service, ['Event', accessScopeOf(context)], places);
  const start = await cursors.start(query.after);
  const visible = await visibleVehicles(context, query.vehicle_key);
  const read = await Promise.all(
    sourcesOf(query.event ?? null).flatMap((source) => {
      const time = timeConditions(source.kind, query.window, start, isBackward);
      return visible.map((part) => source.read({ context, ...part, time, keys: null, limit: size + 1, isBackward }));
    }),
  );
  return cursors.page({ found: inTimeOrder(read.flat(), placeOf, isBackward), size, start, placeOf, isBackward });
}

function placeOf({ timestamp, key }: Event): TimePlace {
  return { time: timestamp, key };
}

/** Those events with some keys that a caller sees, in no order. */
export async function eventsByKey(context: RequestContext, keys: readonly string[]): Promise<Event[]> {
  const read = keys.map(readEventKey).filter((named) => named !== null);
  const visible = read.length === 0 ? [] : await visibleVehicles(context, null);
  const found = [...new Set(read.map(({ event }) => event))].flatMap((event) => {
    const ofKind = [...new Set(read.filter((named) => named.event === event).map(({ key }) => key))];
    const those = { time: () => [], keys: ofKind, limit: ofKind.length, isBackward: false };
    return sourcesOf(event).flatMap((source) => visible.map((part) => source.read({ context, ...part, ...those })));
  });
  return (await Promise.all(found)).flat();
}

/**
 * One event.
 * @throws ServiceError NOT_FOUND
 */
export async function findEvent(context: RequestContext, key: string): Promise<Event> {
  const [event] = await eventsByKey(context, [key]);
  if (!event) throw notFound('event');
  return event;
}

/** A source of events: those of a kind, or of several that are listed by the keys of their documents, as null. */
interface EventSource {
  readonly kind: EventName | null;
  read(query: EventQuery): Promise<Event[]>;
}

/** The sources of a kind of events, each of which is read by itself; of all kinds for null. */
function sourcesOf(event: EventName | null): EventSource[] {
  const derived: readonly EventSource[] = [
    ...eventNamesFrom('trip').map((kind) => ({ kind, read: (query: EventQuery) => tripEvents(kind, query) })),
    ...eventNamesFrom('visit').map((kind) => ({ kind, read: (query: EventQuery) => visitEvents(kind, query) })),
  ];
  const stored: EventSource[] = [];
  if (event === null || isEventFrom(event, 'device', 'change')) {
    stored.push({ kind: null, read: (query) => recordedEvents(event, query) });
  }
  if (event === null || isEventFrom(event, 'rule')) {
    stored.push({ kind: null, read: (query) => ruleEvents(event, query) });
  }
  return [...stored, ...derived.filter(({ kind }) => event === null || event === kind)];
}

/** Events that devices reported or people caused; of one kind, or of all. */
async function recordedEvents(event: RecordedEventName | null, query: EventQuery): Promise<Event[]> {
  const { context, accessScope, limit, isBackward } = query;
  const sort = timeOrder('timestamp', isBackward);
  const those = { filter: storedFilter(event, query), projection: WHOLE, sort, limit };
  const found = await documentsOfVehicle(context, { model: VehicleEventStore, accessScope, ...those });
  return Promise.all((found as StoredVehicleEvent[]).map((one) => recordedEvent(one, query)));
}

async function recordedEvent(stored: StoredVehicleEvent, { context, accessScope }: EventQuery): Promise<Event> {
  const { event, key, point, vehicle_key, device_key, timestamp } = stored;
  const happening = { accessScope, vehicle_key, device_key, timestamp };
  const trip_key = stored.trip_key ?? (point === null ? null : await tripAt(context, happening));
  return eventOf(event, { ...stored, key: key.slice(event.length + 1), trip_key, place_key: null });
}

/** Events that rules make; of one kind, or of all. */
async function ruleEvents(event: RuleEventName | null, query: EventQuery): Promise<Event[]> {
  const { context, accessScope, limit, isBackward } = query;
  const filter = { ...storedFilter(event, query), staged: false };
  const those = { filter, projection: WHOLE, sort: timeOrder('timestamp', isBackward), limit };
  const found = await documentsOfVehicle(context, { model: RuleEventStore, accessScope, ...those });
  return Promise.all(
    (found as StoredRuleEvent[]).map(async (one) => {
      const { vehicle_key, device_key, timestamp } = one;
      const happening = { accessScope, vehicle_key, device_key, timestamp };
      const trip_key = one.point === null ? null : await tripAt(context, happening);
      const ended = one.until.getTime() === OPEN_END.getTime() ? null : one.until;
      const key = one.key.slice(one.event.length + 1);
      return eventOf(one.event, { ...one, key, trip_key, place_key: null, ended });
    }),
  );
}
