import { Field, Int, ObjectType } from 'type-graphql';

/** How a device reports, as the trips of its vehicle depend on it. */
@ObjectType({
  simpleResolvers: true,
  description: 'How a device reported in the 24 hours before its last position, as its trips depend on it.',
})
export class DeviceReporting {
  @Field(() => Int, {
    nullable: true,
    description: 'Usual time between its last positions in seconds; null if unknown.',
  })
  readonly usual_interval_seconds!: number | null;

  @Field(() => Int, { description: 'A time without positions of this many seconds ends a trip now.' })
  readonly gap_seconds!: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'False if the ignition was off while the vehicle drove, true if it was only on; null if unknown.',
  })
  readonly is_ignition_connected!: boolean | null;
}
