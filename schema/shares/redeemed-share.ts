import { Field, ObjectType } from 'type-graphql';

import { IssuedToken } from '../account/issued-token.ts';

/** A token for an embedded share, with what it opens. */
@ObjectType({
  simpleResolvers: true,
  description: 'A special-purpose token for an embedded share, with what it opens.',
})
export class RedeemedShare extends IssuedToken {
  @Field(() => String, { nullable: true, description: 'Key of the vehicle; null if several of a group are shown.' })
  readonly vehicle_key!: string | null;

  @Field(() => String, { nullable: true, description: 'Key of the only trip that is shown; null if all are.' })
  readonly trip_key!: string | null;
}
