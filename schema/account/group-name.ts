import { Field } from 'type-graphql';

import { RecordType } from '../field-decorators.ts';

/** A group as other records name it. */
@RecordType('Key and name of a group.')
export class GroupName {
  @Field(() => String, { description: 'Unique group key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the group.' })
  readonly name!: string;
}
