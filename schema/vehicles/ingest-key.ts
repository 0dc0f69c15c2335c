import { Field, ObjectType } from 'type-graphql';

import { OffsetTimestamp } from '../timestamp.ts';

/** A credential of a device or a forwarder, as it may be shown: the secret itself is stored hashed. */
@ObjectType({
  simpleResolvers: true,
  description: 'A credential that adds positions; its secret is never shown again.',
})
export class IngestKey {
  @Field(() => String, { description: 'Names the key when it is revoked.' })
  readonly key!: string;

  @OffsetTimestamp({ description: 'When the key was issued, ISO 8601 with offset.' })
  readonly created!: Date;

  @OffsetTimestamp({ nullable: true, description: 'When it last opened something, to the minute; null if never.' })
  readonly last_used!: Date | null;

  @OffsetTimestamp({ nullable: true, description: 'When it was revoked; null while it is valid.' })
  readonly revoked!: Date | null;
}
