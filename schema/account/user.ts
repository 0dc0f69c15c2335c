import { Field, ObjectType } from 'type-graphql';

import { SpacedTimestamp } from '../timestamp.ts';

/** A person who signs in for an account. */
@ObjectType({ simpleResolvers: true, description: 'A person who signs in for an account.' })
export class User {
  @Field(() => String, { description: 'Unique user key.' })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'Address to sign in with; null where nobody can sign in yet.' })
  readonly email!: string | null;

  @Field(() => [String], { description: 'Groups to which the user is restricted; none means unrestricted.' })
  readonly group_keys!: string[];

  @Field(() => Boolean, { description: 'Whether the user has been shut out.' })
  readonly disabled!: boolean;

  @SpacedTimestamp({ description: 'When the user was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;
}
