import { IssuedToken } from '../account/issued-token.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A token for an embedded share, with what it opens. */
@RecordType('A special-purpose token for an embedded share, with what it opens.')
export class RedeemedShare extends IssuedToken {
  @NullableField(() => String, 'Key of the vehicle; null if several of a group are shown.')
  readonly vehicle_key!: string | null;

  @NullableField(() => String, 'Key of the only trip that is shown; null if all are.')
  readonly trip_key!: string | null;
}
