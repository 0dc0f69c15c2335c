import { Field, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { connectionOf } from '../page.ts';
import { DateTime } from '../date-time-scalars.ts';
import { GeoPoint } from '../trips/geo-point.ts';

/** Kinds of events. */
export const EventName = closedList('EventName', 'What happened to a vehicle.', {
  trip_end: 'A trip has ended.',
  trip_start: 'A trip has started.',
  vehicle_geofence_arrival: 'A vehicle has arrived in a place.',
  vehicle_geofence_departure: 'A vehicle has left a place.',
});

/** One of {@link EventName}. */
export type EventName = keyof typeof EventName;

/** An object that an event is about. */
@ObjectType({ simpleResolvers: true, description: 'An object that an event is about.' })
export class EventObject {
  @Field(() => String, { description: 'Key of the object.' })
  readonly key!: string;
}

/** The objects that an event is about. */
@ObjectType({ simpleResolvers: true, description: 'What an event is about.' })
export class EventContext {
  @Field(() => EventName, { description: 'What happened.' })
  readonly event!: EventName;

  @Field(() => DateTime, { description: 'When it happened.' })
  readonly timestamp!: Date;

  @Field(() => EventObject, { description: 'The vehicle.' })
  readonly vehicle!: EventObject;

  @Field(() => EventObject, { nullable: true, description: 'The device whose positions tell of it.' })
  readonly device!: EventObject | null;

  @Field(() => EventObject, { nullable: true, description: 'The trip that started or ended.' })
  readonly trip!: EventObject | null;

  @Field(() => EventObject, { nullable: true, description: 'The place of an arrival or departure.' })
  readonly place!: EventObject | null;

  @Field(() => GeoPoint, {
    nullable: true,
    description: 'The position of the vehicle; null if it is older than the account keeps positions.',
  })
  readonly point!: GeoPoint | null;
}

/** Something that happened to a vehicle: it follows from its trips and visits, and goes when they are corrected. */
@ObjectType({ simpleResolvers: true, description: 'Something that happened to a vehicle.' })
export class Event {
  @Field(() => String, { description: 'Key of the event: it follows from what happened and the trip or visit.' })
  readonly key!: string;

  @Field(() => EventName, { description: 'What happened.' })
  readonly event!: EventName;

  @Field(() => DateTime, { description: 'When it happened.' })
  readonly timestamp!: Date;

  @Field(() => EventContext, { description: 'What it is about.' })
  readonly context!: EventContext;
}

/** A page of events. */
export const EventConnection = connectionOf(Event, 'Event');
