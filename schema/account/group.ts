import { Field, Int, ObjectType } from 'type-graphql';

import { SpacedTimestamp } from '../timestamp.ts';

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

  @Field(() => [Group], { description: 'Groups directly below this one.' })
  readonly children!: Group[];

  @Field(() => MemberCounts, { description: 'Members of this group and all below it.' })
  readonly member_counts!: MemberCounts;

  @Field(() => Int, { description: 'Depth in the hierarchy: a group directly under the account is at 2.' })
  readonly tree_depth!: number;

  @SpacedTimestamp({ description: 'When the group was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @SpacedTimestamp({ description: 'When the group was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}
