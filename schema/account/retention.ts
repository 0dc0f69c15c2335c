import { Field, Int, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';

/** Treatments of trips whose positions are deleted because of their age. */
export const ExpiredTrips = closedList('ExpiredTrips', 'What becomes of trips whose positions are too old.', {
  keep_facts: 'They stay without positions: with their times, distance, speeds, readings, driver and tags.',
  remove: 'They are removed.',
});

/** One of {@link ExpiredTrips}. */
export type ExpiredTrips = keyof typeof ExpiredTrips;

/** A retention that deletes more than the one in force, and replaces it when its grace is over. */
@ObjectType({
  simpleResolvers: true,
  description: 'A retention that deletes more, before it is in force. It can be taken back until then.',
})
export class PendingRetention {
  @Field(() => Int, { description: 'Days, 1 to 3650.' })
  readonly positions_days!: number;

  @Field(() => ExpiredTrips, { description: 'What becomes of the trips.' })
  readonly trips!: ExpiredTrips;

  @Field(() => DateTime, { description: 'Time from which it is in force.' })
  readonly effective!: Date;
}

/** The time for which an account keeps positions. */
@ObjectType({
  simpleResolvers: true,
  description: 'For how long positions are kept. Each hour the trips and visits are deleted that were over before.',
})
export class Retention {
  @Field(() => Int, { nullable: true, description: 'Days, 1 to 3650; null without a limit.' })
  readonly positions_days!: number | null;

  @Field(() => ExpiredTrips, { description: 'What becomes of the trips.' })
  readonly trips!: ExpiredTrips;

  @Field(() => PendingRetention, { nullable: true, description: 'What replaces it; null for nothing.' })
  readonly pending!: PendingRetention | null;
}
