import { Field, Int, ObjectType } from 'type-graphql';

import { SpacedTimestamp } from '../timestamp.ts';

/** A vehicle whose trips are recorded. Shape: decisions, "Records". */
@ObjectType({ simpleResolvers: true, description: 'A vehicle whose trips are recorded.' })
export class Vehicle {
  @Field(() => String, { description: 'Unique vehicle key.' })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'What people call it.' })
  readonly nickname!: string | null;

  @Field(() => String, { nullable: true, description: 'Vehicle identification number.' })
  readonly vin!: string | null;

  @Field(() => String, { nullable: true, description: 'Number on the plate.' })
  readonly plate_number!: string | null;

  @Field(() => Int, { nullable: true, description: 'Model year.' })
  readonly year!: number | null;

  @Field(() => String, { nullable: true, description: 'Manufacturer.' })
  readonly make!: string | null;

  @Field(() => String, { nullable: true, description: 'Model.' })
  readonly model!: string | null;

  @Field(() => [String], { description: 'Keys of the devices in the vehicle.' })
  readonly device_keys!: string[];

  @Field(() => [String], { description: "Keys of the vehicle's groups." })
  readonly group_keys!: string[];

  @SpacedTimestamp({ description: 'When the vehicle was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;
}
