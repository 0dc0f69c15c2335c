import { Field, Float, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { connectionOf } from '../page.ts';
import { DateTime } from '../date-time-scalars.ts';
import { GeoPoint } from '../trips/geo-point.ts';

/** Events that devices report at their positions. */
const REPORTED = {
  device_reconnect: 'A device was connected to power again.',
  device_unplug: 'A device was unplugged or lost power.',
  trip_hard_brake: 'A vehicle braked hard.',
  trip_over_speeding: 'A vehicle exceeded a speed limit.',
  trip_rapid_accel: 'A vehicle accelerated rapidly.',
  trip_severe_hard_brake: 'A vehicle braked very hard.',
  vehicle_fuel_low: 'The fuel of a vehicle is low.',
  vehicle_low_battery: 'The battery of a vehicle is low.',
  vehicle_trouble_code: 'A vehicle has a fault.',
};

/** Events that are stored, since they follow from no trip and no visit. */
const RECORDED = {
  ...REPORTED,
  device_vehicle_change: 'A device was assigned to a vehicle or unassigned.',
  trip_tagged: 'A tag was added to a trip.',
};

/** Events that rules make. */
const OF_RULES = {
  device_silent: 'A device has not sent a position for longer than a rule allows.',
  trip_over_speeding: REPORTED.trip_over_speeding,
};

/** One of the kinds of events that rules make. */
export type RuleEventName = keyof typeof OF_RULES;

/** One of the kinds of events that are stored. */
export type RecordedEventName = keyof typeof RECORDED;

/** Kinds of events. Fleet API: "Events and notifications". */
export const EventName = closedList('EventName', 'What happened to a vehicle.', {
  ...RECORDED,
  ...OF_RULES,
  trip_end: 'A trip ended.',
  trip_start: 'A trip started.',
  vehicle_geofence_arrival: 'A vehicle arrived at a place.',
  vehicle_geofence_departure: 'A vehicle left a place.',
});

/** Returns true if an event of a position is one that vehicles have. */
export function isReported(event: string): event is keyof typeof REPORTED {
  return Object.hasOwn(REPORTED, event);
}

/** Returns true if events of a kind are stored. */
export function isRecorded(event: EventName): event is RecordedEventName {
  return Object.hasOwn(RECORDED, event);
}

/** Returns true if rules make events of a kind. */
export function isOfRules(event: EventName): event is RuleEventName {
  return Object.hasOwn(OF_RULES, event);
}

/** One of {@link EventName}. */
export type EventName = keyof typeof EventName;

/** An object that an event is about. */
@ObjectType({ simpleResolvers: true, description: 'An object that an event is about.' })
export class EventObject {
  @Field(() => String, { description: 'Key of the object.' })
  readonly key!: string;
}

/** The objects that an event is about. */
@ObjectType({ simpleResolvers: true, description: 'The records that an event is about.' })
export class EventContext {
  @Field(() => EventName, { description: 'What happened.' })
  readonly event!: EventName;

  @Field(() => DateTime, { description: 'When it happened.' })
  readonly timestamp!: Date;

  @Field(() => EventObject, { description: 'The vehicle.' })
  readonly vehicle!: EventObject;

  @Field(() => EventObject, { nullable: true, description: 'The device that reported it.' })
  readonly device!: EventObject | null;

  @Field(() => EventObject, {
    nullable: true,
    description: 'The trip that started, ended or was tagged, or in which it happened.',
  })
  readonly trip!: EventObject | null;

  @Field(() => EventObject, { nullable: true, description: 'The place of an arrival or departure.' })
  readonly place!: EventObject | null;

  @Field(() => EventObject, {
    nullable: true,
    description: 'The rule that made the event; null if a device reported it.',
  })
  readonly rule!: EventObject | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the condition of the rule ended; null while it lasts, and for other events.',
  })
  readonly ended!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Highest speed until then, in miles per hour, to one decimal; null unless it is a speed rule.',
  })
  readonly max_speed!: number | null;

  @Field(() => GeoPoint, {
    nullable: true,
    description: 'The position of the vehicle; null if it is older than the account keeps positions.',
  })
  readonly point!: GeoPoint | null;
}

/** Something that happened to a vehicle. What follows from its trips and visits goes when they are corrected. */
@ObjectType({ simpleResolvers: true, description: 'Something that happened to a vehicle.' })
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
