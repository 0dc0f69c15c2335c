import { Field, ObjectType } from 'type-graphql';

import { SpacedDateTime } from '../date-time-scalars.ts';

/** Access that a user has granted to an app. */
@ObjectType({
  simpleResolvers: true,
  description: 'What a user has allowed an app; revoking it ends every token of it.',
})
export class AppGrant {
  @Field(() => String, { description: 'Names the grant when it is revoked.' })
  readonly key!: string;

  @Field(() => String, { description: 'The user who has allowed it.' })
  readonly user_key!: string;

  @Field(() => String, { description: 'The app.' })
  readonly client_id!: string;

  @Field(() => String, { description: 'Name of the app.' })
  readonly app_name!: string;

  @Field(() => [String], { description: 'What is allowed.' })
  readonly scopes!: string[];

  @Field(() => SpacedDateTime, { description: 'When it was allowed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;
}
