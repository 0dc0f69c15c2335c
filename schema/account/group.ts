import { Field, InputType, Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { NotNull, NullableField, RecordType } from '../field-decorators.ts';

/** Depth of the deepest group; the account itself is level 1. One REST answer can hold the whole tree. */
export const MAX_TREE_DEPTH = 50;

/** Counts of a group's members. */
@RecordType('Number of distinct, visible, active members of a group and all groups below it.')
export class MemberCounts {
  @Field(() => Int, { description: 'Vehicles.' })
  readonly car!: number;

  @Field(() => Int, { description: 'Users.' })
  readonly user!: number;
}

/** A node of the hierarchy that organizes vehicles and restricts user permissions. Specification: "Group". */
@RecordType('A node of the hierarchy that organizes vehicles and restricts what users can see.')
export class Group {
  @Field(() => String, { description: 'Unique group key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the group.' })
  readonly name!: string;

  @Field(() => Boolean, {
    description: 'False if deactivated. Lists omit deactivated groups unless they are requested.',
  })
  readonly active!: boolean;

  @NullableField(() => String, 'Key of the parent group; null for a top-level group, or if the parent is not visible.')
  readonly parent_group_key!: string | null;

  @Field(() => [Group], { description: 'Groups directly below this one.' })
  readonly children!: Group[];

  @Field(() => MemberCounts, { description: 'Number of members of this group and all groups below it.' })
  readonly member_counts!: MemberCounts;

  @Field(() => Int, { description: 'Depth in the hierarchy. Top-level groups have depth 2.' })
  readonly tree_depth!: number;

  @Field(() => SpacedDateTime, { description: 'When the group was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the group was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** Fields of a group that requests may change. */
@InputType({ description: 'The writable fields of a group. Omitted fields stay unchanged.' })
export class GroupInput {
  @NotNull()
  @NullableField(() => String, 'Name of the group, 1 to 255 characters.')
  readonly name?: string | null;

  @NullableField(() => String, 'Key of the parent group; null makes it a top-level group.')
  readonly parent_group_key?: string | null;

  @NotNull()
  @NullableField(() => Boolean, 'False if deactivated. Lists omit deactivated groups unless they are requested.')
  readonly active?: boolean | null;
}

/** Changes of the groups that records are in. */
export const GroupAction = closedList('GroupAction', 'What to do with the groups of records.', {
  add: 'Add the records to the groups.',
  remove: 'Remove the records from the groups.',
  replace: 'Make these the only groups of the records.',
});

/** One of {@link GroupAction}. */
export type GroupAction = keyof typeof GroupAction;

/** Records and groups. */
@InputType({ description: 'A change of the groups of vehicles and users.' })
export class GroupMembersInput {
  @Field(() => GroupAction, { description: 'What to do with the members.' })
  readonly action!: GroupAction;

  @Field(() => [String], {
    description: 'Keys of the groups. With `replace`, an empty list removes the members from all groups.',
  })
  readonly group_keys!: string[];

  @Field(() => [String], { description: 'Keys of vehicles or users, 1 to 1000.' })
  readonly member_keys!: string[];
}
