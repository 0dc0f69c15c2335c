import { Field } from 'type-graphql';

import { SpacedDateTime } from '../date-time-scalars.ts';
import { RecordType } from '../field-decorators.ts';

/** Access that a user has granted to an app. */
@RecordType('Access that a user has granted to an app. Revoking it revokes all its tokens.')
export class AppGrant {
  @Field(() => String, { description: 'Key with which the grant is revoked.' })
  readonly key!: string;

  @Field(() => String, { description: 'The user who granted it.' })
  readonly user_key!: string;

  @Field(() => String, { description: 'The app.' })
  readonly client_id!: string;

  @Field(() => String, { description: 'Name of the app.' })
  readonly app_name!: string;

  @Field(() => [String], { description: 'Granted scopes.' })
  readonly scopes!: string[];

  @Field(() => SpacedDateTime, { description: 'When it was granted, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;
}
