import { Field } from 'type-graphql';

import { RecordType } from './field-decorators.ts';

/** The answer to a deletion. Fleet API: "Paths". */
@RecordType('Result of a deletion.')
export class Deletion {
  @Field(() => String, { description: 'Key of the deleted record.' })
  readonly key!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  readonly deleted!: true;
}
