import { Field, InputType } from 'type-graphql';
import { NotNull } from '../not-null.ts';

/** The fields of a trip that an account can set. */
@InputType({ description: 'Fields of a trip to change; those that are left out stay as they are.' })
export class TripInput {
  @NotNull()
  @Field(() => [String], { nullable: true, description: 'Keys of all its tags, of the type `Trip`, in order.' })
  readonly tags?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Key of the user who drove; null if nobody is known to have.' })
  readonly user_key?: string | null;
}
