import { Field, Float } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { connectionOf } from '../page.ts';
import { DateTime } from '../date-time-scalars.ts';
import { EVENT_KINDS, type EventSource } from './event-kinds.ts';
import { GeoPoint } from '../trips/geo-point.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

type Kinds = typeof EVENT_KINDS;

const TEXTS = Object.fromEntries(Object.entries(EVENT_KINDS).map(([name, { text }]) => [name, text]));

/** Kinds of events. */
export const EventName = closedList('EventName', 'What happened to a vehicle.', TEXTS as Record<keyof Kinds, string>);

/** One of {@link EventName}. */
export type EventName = keyof typeof EventName;

/** One of the kinds of events from a source. */
export type EventNameFrom<Source extends EventSource> = {
  [Name in EventName]: Source & Kinds[Name]['from'][number] extends never ? never : Name;
}[EventName];

/** One of the kinds of events that rules make. */
export type RuleEventName = EventNameFrom<'rule'>;

/** One of the kinds of events that are stored, since they are not derived from trips, visits or rules. */
export type RecordedEventName = EventNameFrom<'device' | 'change'>;

/** Returns true if a text names a kind of events from one of some sources. */
export function isEventFrom<Source extends EventSource>(
  event: string,
  ...sources: readonly Source[]
): event is EventNameFrom<Source> {
  const from: readonly EventSource[] = Object.hasOwn(EVENT_KINDS, event) ? EVENT_KINDS[event as EventName].from : [];
  return sources.some((source) => from.includes(source));
}

/** The kinds of events from a source. */
export function eventNamesFrom<Source extends EventSource>(source: Source): EventNameFrom<Source>[] {
  return Object.keys(EVENT_KINDS).filter((event) => isEventFrom(event, source));
}

/** An object that an event is about. */
@RecordType('An object that an event is about.')
export class EventObject {
  @Field(() => String, { description: 'Key of the object.' })
  readonly key!: string;
}

/** The objects that an event is about. */
@RecordType('The records that an event is about.')
export class EventContext {
  @Field(() => EventName, { description: 'What happened.' })
  readonly event!: EventName;

  @NullableField(() => String, 'Name by which the device reported it; null unless it is of the kind `other`.')
  readonly name!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  readonly timestamp!: Date;

  @Field(() => EventObject, { description: 'The vehicle.' })
  readonly vehicle!: EventObject;

  @NullableField(() => EventObject, 'The device that reported it.')
  readonly device!: EventObject | null;

  @NullableField(() => EventObject, 'The trip that started, ended or was tagged, or in which it happened.')
  readonly trip!: EventObject | null;

  @NullableField(() => EventObject, 'The place of an arrival or departure.')
  readonly place!: EventObject | null;

  @NullableField(() => EventObject, 'The rule that made the event; null if a device reported it.')
  readonly rule!: EventObject | null;

  @NullableField(() => DateTime, 'When the condition of the rule ended; null while it lasts, and for other events.')
  readonly ended!: Date | null;

  @NullableField(
    () => Float,
    'Highest speed until then, in miles per hour, to one decimal; null unless it is a speed rule.',
  )
  readonly max_speed!: number | null;

  @NullableField(() => GeoPoint, 'The position of the vehicle; null if it is older than the account keeps positions.')
  readonly point!: GeoPoint | null;
}

/** Something that happened to a vehicle. Events derived from trips and visits disappear if these are corrected. */
@RecordType('Something that happened to a vehicle.')
export class Event {
  @Field(() => String, { description: 'Key of the event, derived from what happened.' })
  readonly key!: string;

  @Field(() => EventName, { description: 'What happened.' })
  readonly event!: EventName;

  @Field(() => DateTime, { description: 'When it happened.' })
  readonly timestamp!: Date;

  @Field(() => EventContext, { description: 'The records that the event is about.' })
  readonly context!: EventContext;
}

/** A page of events. */
export const EventConnection = connectionOf(Event, 'Event');
