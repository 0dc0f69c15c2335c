import { Field } from 'type-graphql';

import { RecordType } from '../field-decorators.ts';

/** Answer to an app that deletes what it has sent when it reads this. */
@RecordType('Receipt of positions: an app that reads it need not keep them.')
export class Receipt {
  @Field(() => String, { description: 'Always `ok`.' })
  readonly result!: string;
}
