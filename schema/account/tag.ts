import { Field, InputType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { ServiceError } from '../service-error.ts';
import { ANY, type FieldRule, inputOf, NAME, Writable, WritableInput } from '../writable.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** Kinds of records that can have tags. */
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

/** A color, which is stored in lower case. */
const COLOR: FieldRule<string> = {
  read: (parameter, color) => {
    if (/^#[0-9a-f]{6}$/i.test(color)) return color.toLowerCase();
    throw new ServiceError('BAD_REQUEST', `${parameter} must be of the form #rrggbb`);
  },
};

/** A label with which an account sorts its vehicles, trips or users. Fleet API: "Paths". */
@RecordType('A label for vehicles, trips or users.')
export class Tag {
  @Field(() => String, { description: 'Unique tag key.' })
  readonly key!: string;

  @Writable(() => String, 'Display color, `#rrggbb`; null if none was chosen.', {
    nullable: true,
    inputDescription: 'Display color, `#rrggbb`; null clears it.',
    rule: COLOR,
    option: '--color <color>',
    optionDescription: 'display color, #rrggbb',
  })
  readonly color!: string | null;

  @Writable(() => String, 'Text of the tag.', { rule: NAME, option: '--value <text>' })
  readonly value!: string;

  @Writable(() => TagType, 'Type of the records that can have the tag.', {
    rule: ANY,
    option: '--type <type>',
    optionDescription: 'type of the records that can have it',
    isFixed: true,
  })
  readonly type!: TagType;

  @Field(() => SpacedDateTime, { description: 'When the tag was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @NullableField(() => SpacedDateTime, 'When the tag was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).')
  readonly updated!: Date | null;
}

/** The fields of a new tag. */
@WritableInput({ description: 'The fields of a new tag.' })
export class TagInput extends inputOf(Tag, { isNew: true, first: ['value', 'type'] }) {
  @Field(() => String, { description: 'Text of the tag, 1 to 255 characters; unique among the tags of the type.' })
  readonly value!: string;

  readonly type!: TagType;

  @NullableField(() => String, 'Display color, `#rrggbb`.')
  readonly color?: string | null;
}

/** Records to which a tag is added, or from which it is removed. */
@InputType({ description: 'The records to which a tag is added, or from which it is removed.' })
export class TaggedRecordsInput {
  @Field(() => TagAction, { nullable: true, defaultValue: TagAction.add, description: 'What to do with the tag.' })
  readonly action!: TagAction | null;

  @Field(() => [String], { description: 'Keys of vehicles, trips or users, by the type of the tag; at most 200.' })
  readonly entity_keys!: string[];
}

/** The fields of a tag that can be changed. */
@WritableInput({ description: 'The writable fields of a tag. Omitted fields stay unchanged.' })
export class TagChange extends inputOf(Tag, { first: ['value'] }) {}
