import { Field } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** Kinds of records that can be restored. */
export const RestorableKind = closedList('RestorableKind', 'A kind of record that can be restored.', {
  device: 'A device.',
  user: 'A user.',
  vehicle: 'A vehicle.',
});

/** One of {@link RestorableKind}. */
export type RestorableKind = keyof typeof RestorableKind;

/** A deleted record that can be restored. */
@RecordType('A deleted record that can be restored.')
export class DeletedRecord {
  @Field(() => String, { description: 'Key of the record.' })
  readonly key!: string;

  @Field(() => RestorableKind, { description: 'Kind of the record.' })
  readonly kind!: RestorableKind;

  @NullableField(
    () => String,
    'The nickname of a vehicle, the serial of a device, the name or e-mail address of a user; null without.',
  )
  readonly name!: string | null;

  @Field(() => DateTime, { description: 'When it was deleted, ISO 8601 with offset.' })
  readonly deleted!: Date;

  @Field(() => DateTime, { description: 'Until when it can be restored, ISO 8601 with offset.' })
  readonly restorable_until!: Date;
}

/** A page of deleted records. */
export const DeletedRecordConnection = connectionOf(DeletedRecord, 'DeletedRecord');
