import { ArgsType, Field, Int } from 'type-graphql';

/**
 * The arguments of a list of trips, from the last to the first: `guard` turns them round. Trip maps that are saved somewhere send
 * date-times in variables of the type String: so the arguments have no scalar of their kind.
 */
@ArgsType()
export class TripListArgs {
  @Field(() => String, { nullable: true, description: '`end_cursor` of the previous page.' })
  readonly after?: string | null;

  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
  readonly first!: number | null;

  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'True to list the latest trips first.' })
  readonly newest_first!: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only trips that started before this date-time (ISO 8601, GMT unless stated).',
  })
  readonly started_before?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only trips that started at this date-time or later (ISO 8601, GMT unless stated).',
  })
  readonly started_after?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only this trip. All other arguments except `vehicle_key` are ignored.',
  })
  readonly trip_key?: string | null;

  @Field(() => [String], { nullable: true, description: 'Only trips with one of these tags.' })
  readonly tag_keys?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Only trips that this user drove.' })
  readonly user_key?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only trips of this vehicle. A trip map always gets those of its own vehicle.',
  })
  readonly vehicle_key?: string | null;
}
