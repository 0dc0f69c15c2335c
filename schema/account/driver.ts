import { Field } from 'type-graphql';

import type { User } from './user.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A driver: the name, which is visible to everyone who can see the trip or the vehicle. */
@RecordType('The driver, as shown to callers that can see the trip or the vehicle.')
export class Driver implements Pick<User, 'key' | 'first_name' | 'last_name'> {
  @Field(() => String, { description: 'Key of the user.' })
  readonly key!: string;

  @NullableField(() => String, 'First name.')
  readonly first_name!: string | null;

  @NullableField(() => String, 'Last name.')
  readonly last_name!: string | null;
}
