import { Field, InputType, Int, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { NotNull } from '../not-null.ts';

/** Depth of the deepest group; the account itself is level 1. One REST answer can hold the whole tree. */
export const MAX_TREE_DEPTH = 50;

/** Counts of a group's members. */
@ObjectType({ simpleResolvers: true, description: 'Distinct, visible, active members of a group and all below it.' })
export class MemberCounts {
  @Field(() => Int, { description: 'Vehicles.' })
  readonly car!: number;

  @Field(() => Int, { description: 'Users.' })
  readonly user!: number;
}

/** A node of the hierarchy that organises vehicles and restricts user permissions. Specification: "Group". */
@ObjectType({
  simpleResolvers: true,
  description: 'A node of the hierarchy that organises vehicles and restricts what users see.',
})
export class Group {
  @Field(() => String, { description: 'Unique group key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the group.' })
  readonly name!: string;

  @Field(() => Boolean, { description: 'Deactivated groups are hidden from listings unless asked for.' })
  readonly active!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Key of the group directly above; null directly under the account, or if that group is not visible.',
  })
  readonly parent_group_key!: string | null;

  @Field(() => [Group], { description: 'Groups directly below this one.' })
  readonly children!: Group[];

  @Field(() => MemberCounts, { description: 'Members of this group and all below it.' })
  readonly member_counts!: MemberCounts;

  @Field(() => Int, { description: 'Depth in the hierarchy: a group directly under the account is at 2.' })
  readonly tree_depth!: number;

  @Field(() => SpacedDateTime, { description: 'When the group was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the group was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** Fields of a group that requests may change. */
@InputType({ description: 'The writable fields of a group; a field left out stays as it is.' })
export class GroupInput {
  @NotNull()
  @Field(() => String, { nullable: true, description: 'Name of the group, 1 to 255 characters.' })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: 'Key of the group above it; null puts it under the account.' })
  readonly parent_group_key?: string | null;

  @NotNull()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Deactivated groups are hidden from listings unless asked for.',
  })
  readonly active?: boolean | null;
}

/** Changes of the groups that records are in. */
export const GroupAction = closedList('GroupAction', 'A change of the groups that records are in.', {
  add: 'Puts them into the groups, too.',
  remove: 'Takes them out of the groups.',
  replace: 'Puts them into exactly the groups.',
});

/** One of {@link GroupAction}. */
export type GroupAction = keyof typeof GroupAction;

/** Records and groups. */
@InputType({ description: 'Vehicles and users, and groups that they are to be in, or not.' })
export class GroupMembersInput {
  @Field(() => GroupAction, { description: 'The change.' })
  readonly action!: GroupAction;

  @Field(() => [String], { description: 'Keys of the groups; none with `replace` takes members out of all.' })
  readonly group_keys!: string[];

  @Field(() => [String], { description: 'Keys of vehicles or users, 1 to 1000.' })
  readonly member_keys!: string[];
}
