import { InputType } from 'type-graphql';
import { NotNull, NullableField } from '../field-decorators.ts';

/** The fields of a trip that an account can set. */
@InputType({ description: 'The writable fields of a trip. Omitted fields stay unchanged.' })
export class TripInput {
  @NotNull()
  @NullableField(() => [String], 'Keys of all tags of the trip, of the type `Trip`, in order.')
  readonly tags?: string[] | null;

  @NullableField(() => String, 'Key of the driver; null if not known.')
  readonly user_key?: string | null;
}
