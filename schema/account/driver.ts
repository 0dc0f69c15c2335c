import { Field, ObjectType } from 'type-graphql';

import type { User } from './user.ts';

/** A driver: the name, which is visible to everyone who can see the trip or the vehicle. */
@ObjectType({
  simpleResolvers: true,
  description: 'The driver, as shown to callers that can see the trip or the vehicle.',
})
export class Driver implements Pick<User, 'key' | 'first_name' | 'last_name'> {
  @Field(() => String, { description: 'Key of the user.' })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'First name.' })
  readonly first_name!: string | null;

  @Field(() => String, { nullable: true, description: 'Last name.' })
  readonly last_name!: string | null;
}
