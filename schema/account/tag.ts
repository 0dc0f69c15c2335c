import { Field, InputType, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { NotNull } from '../not-null.ts';

/** Kinds of records that a tag marks. */
export const TagType = closedList('TagType', 'What a tag marks.', {
  Car: 'Vehicles.',
  Trip: 'Trips.',
  User: 'Users.',
});

/** One of {@link TagType}. */
export type TagType = keyof typeof TagType;

/** Effects of applying a tag. */
export const TagAction = closedList('TagAction', 'What is done with a tag.', {
  add: 'It is put on the records.',
  remove: 'It is taken off the records.',
});

/** One of {@link TagAction}. */
export type TagAction = keyof typeof TagAction;

/** A mark with which an account sorts its vehicles, trips or users. Fleet API: "Paths". */
@ObjectType({ simpleResolvers: true, description: 'A mark with which an account sorts its vehicles, trips or users.' })
export class Tag {
  @Field(() => String, { description: 'Unique tag key.' })
  readonly key!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Color in which to show it, `#rrggbb`; null where none was chosen.',
  })
  readonly color!: string | null;

  @Field(() => String, { description: 'Text of the tag.' })
  readonly value!: string;

  @Field(() => TagType, { description: 'What it marks.' })
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

  @Field(() => TagType, { description: 'What it marks.' })
  readonly type!: TagType;

  @Field(() => String, { nullable: true, description: 'Color in which to show it, `#rrggbb`.' })
  readonly color?: string | null;
}

/** Records that a tag is put on or taken off. */
@InputType({ description: 'The records that a tag is put on, or taken off.' })
export class TaggedRecordsInput {
  @Field(() => TagAction, { nullable: true, defaultValue: TagAction.add, description: 'What to do with the tag.' })
  readonly action!: TagAction | null;

  @Field(() => [String], { description: 'Keys of vehicles, trips or users, by the type of the tag; at most 200.' })
  readonly entity_keys!: string[];
}

/** The fields of a tag that can be changed. */
@InputType({ description: 'The writable fields of a tag; a field left out stays as it is.' })
export class TagChange {
  @NotNull()
  @Field(() => String, { nullable: true, description: 'Text of the tag, 1 to 255 characters.' })
  readonly value?: string | null;

  @Field(() => String, { nullable: true, description: 'Color in which to show it, `#rrggbb`; null for none.' })
  readonly color?: string | null;
}
