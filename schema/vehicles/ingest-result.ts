import { Field, Int } from 'type-graphql';

import { NullableField, RecordType } from '../field-decorators.ts';

/** Outcome of a request that sends positions. */
@RecordType('Result of sending positions.')
export class IngestResult {
  @Field(() => Int, { description: 'Number of new positions, which are now stored.' })
  readonly accepted!: number;

  @Field(() => Int, { description: 'Number of positions whose times were already stored, or repeated in the request.' })
  readonly duplicates!: number;

  @NullableField(
    () => String,
    'Why a message of Traccar or a phone was not stored, or that positions are older than the ' +
      'account keeps them: it is answered with success, since sending it again would be in vain.',
  )
  readonly refused!: string | null;
}
