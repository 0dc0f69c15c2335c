import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { Group, GroupMembersInput } from '../../schema/account/group.ts';

import { namedGroups } from '../groups/group-resolver.ts';
import { managerIn } from '../users/user-manager.ts';
import { applyGroups } from './apply-groups.ts';

/** Vehicles and users in groups. */
@Resolver()
export class MemberResolver {
  @Access('account.manage')
  @Mutation(() => [Group], { description: 'Changes the groups that vehicles and users are in; answers these groups.' })
  async applyGroups(
    @Arg('input', () => GroupMembersInput, { description: 'The change, the members and the groups.' })
    input: GroupMembersInput,
    @Ctx() context: RequestContext,
  ): Promise<Group[]> {
    await applyGroups(managerIn(context), input);
    return namedGroups(input.group_keys, context);
  }
}
