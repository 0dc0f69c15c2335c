import { Field, Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** Treatments of trips whose positions expire. */
export const ExpiredTrips = closedList('ExpiredTrips', 'What happens to expired trips.', {
  keep_facts: 'Keep the trips without positions: times, distance, speeds, readings, driver and tags remain.',
  remove: 'Delete the trips.',
});

/** One of {@link ExpiredTrips}. */
export type ExpiredTrips = keyof typeof ExpiredTrips;

/** A retention that deletes more than the current one, and replaces it when its grace period is over. */
@RecordType('A shorter retention that is not in force yet. It can be reverted until then.')
export class PendingRetention {
  @Field(() => Int, { description: 'Days, 1 to 3650.' })
  readonly positions_days!: number;

  @Field(() => ExpiredTrips, { description: 'What happens to expired trips.' })
  readonly trips!: ExpiredTrips;

  @Field(() => DateTime, { description: 'When it takes effect.' })
  readonly effective!: Date;
}

/** The time for which an account keeps positions. */
@RecordType('How long positions are kept. Trips and visits that ended earlier are deleted every hour.')
export class Retention {
  @NullableField(() => Int, 'Days, 1 to 3650; null for no limit.')
  readonly positions_days!: number | null;

  @Field(() => ExpiredTrips, { description: 'What happens to expired trips.' })
  readonly trips!: ExpiredTrips;

  @NullableField(() => PendingRetention, 'The pending change; null if there is none.')
  readonly pending!: PendingRetention | null;
}
