import { Field, InputType, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { NotNull } from '../not-null.ts';

/** Kinds of records that a tag marks. */
export const TagType = closedList('TagType', 'Type of the records that can have a tag.', {
  Car: 'Vehicles.',
  Trip: 'Trips.',
  User: 'Users.',
});

/** One of {@link TagType}. */
export type TagType = keyof typeof TagType;

/** Effects of applying a tag. */
export const TagAction = closedList('TagAction', 'What to do with a tag.', {
  add: 'Add the tag to the records.',
  remove: 'Remove the tag from the records.',
});

/** One of {@link TagAction}. */
export type TagAction = keyof typeof TagAction;

/** A mark with which an account sorts its vehicles, trips or users. Fleet API: "Paths". */
@ObjectType({ simpleResolvers: true, description: 'A label for vehicles, trips or users.' })
export class Tag {
  @Field(() => String, { description: 'Unique tag key.' })
  readonly key!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Display color, `#rrggbb`; null if none was chosen.',
  })
  readonly color!: string | null;

  @Field(() => String, { description: 'Text of the tag.' })
  readonly value!: string;

  @Field(() => TagType, { description: 'Type of the records that can have the tag.' })
  readonly type!: TagType;

  @Field(() => SpacedDateTime, { description: 'When the tag was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, {
    nullable: true,
    description: 'When the tag was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).',
  })
  readonly updated!: Date | null;
}

/** The fields of a new tag. */
@InputType({ description: 'The fields of a new tag.' })
export class TagInput {
  @Field(() => String, { description: 'Text of the tag, 1 to 255 characters; unique among the tags of the type.' })
  readonly value!: string;

  @Field(() => TagType, { description: 'Type of the records that can have the tag.' })
  readonly type!: TagType;

  @Field(() => String, { nullable: true, description: 'Display color, `#rrggbb`.' })
  readonly color?: string | null;
}

/** Records that a tag is put on or taken off. */
@InputType({ description: 'The records to which a tag is added, or from which it is removed.' })
export class TaggedRecordsInput {
  @Field(() => TagAction, { nullable: true, defaultValue: TagAction.add, description: 'What to do with the tag.' })
  readonly action!: TagAction | null;

  @Field(() => [String], { description: 'Keys of vehicles, trips or users, by the type of the tag; at most 200.' })
  readonly entity_keys!: string[];
}

/** The fields of a tag that can be changed. */
@InputType({ description: 'The writable fields of a tag. Omitted fields stay unchanged.' })
export class TagChange {
  @NotNull()
  @Field(() => String, { nullable: true, description: 'Text of the tag, 1 to 255 characters.' })
  readonly value?: string | null;

  @Field(() => String, { nullable: true, description: 'Display color, `#rrggbb`; null clears it.' })
  readonly color?: string | null;
}
