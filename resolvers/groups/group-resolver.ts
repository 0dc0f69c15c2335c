import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { GroupModel } from '../../models/account/group.ts';
import { newKey } from '../../models/key.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { Group, MAX_TREE_DEPTH } from '../../schema/account/group.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { checkName } from '../input/check-name.ts';
import { buildTree } from './group-tree.ts';

/** The hierarchy that organises vehicles and restricts what users see. */
@Resolver()
export class GroupResolver {
  @Access('account.read')
  @Query(() => [Group], {
    description: 'The groups in sight as a tree; its top are the highest of them, or those named.',
  })
  async groups(
    @Arg('group_keys', () => [String], { nullable: true, description: 'Only these groups and those below them.' })
    group_keys: readonly string[] | undefined,
    @Arg('show_inactive', () => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'Whether to show deactivated groups.',
    })
    show_inactive: boolean | null,
    @Ctx() { caller }: RequestContext,
  ): Promise<Group[]> {
    const accessScope = accessScopeOf(caller);
    const named = group_keys == null ? null : new Set(group_keys);
    const found = await GroupModel.find(named ? { group_path: { $in: [...named] } } : {}, null, { accessScope })
      .sort({ _id: 1 })
      .lean();
    const hidden = new Set<string>();
    if (!show_inactive) {
      const account = accountAccessScope(accessScope.account_key);
      const inactive = await GroupModel.find({ active: false }, { key: 1 }, { accessScope: account }).lean();
      for (const { key } of inactive) hidden.add(key);
    }
    const seen = found.filter((group) => !group.group_path.some((key) => hidden.has(key)));
    const tops = new Set(seen.filter((group) => !named || named.has(group.key)).map((group) => group.key));
    return buildTree(
      seen,
      (group) => tops.has(group.key) && !group.group_path.some((key) => key !== group.key && tops.has(key)),
      accessScope,
    );
  }

  @Access('account.read')
  @Query(() => Group, { description: 'One group with the active groups below it.' })
  async group(
    @Arg('group_key', () => String, { description: 'Key of the group.' }) group_key: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<Group> {
    const accessScope = accessScopeOf(caller);
    const found = await GroupModel.find({ group_path: group_key }, null, { accessScope }).sort({ _id: 1 }).lean();
    const inactive = new Set(found.filter((group) => !group.active && group.key !== group_key).map(({ key }) => key));
    const seen = found.filter((group) => !group.group_path.some((key) => inactive.has(key)));
    const [top] = await buildTree(seen, (group) => group.key === group_key, accessScope);
    if (!top) throw notFound('group');
    return top;
  }

  @Access('account.manage')
  @Mutation(() => Group, { description: 'Creates a group, under the account or under an active group.' })
  async createGroup(
    @Arg('name', () => String, { description: 'Name of the group, 1 to 255 characters.' }) name: string,
    @Arg('parent_group_key', () => String, { nullable: true, description: 'Key of the group above it.' })
    parent_group_key: string | undefined,
    @Ctx() { caller }: RequestContext,
  ): Promise<Group> {
    const accessScope = accessScopeOf(caller);
    if (parent_group_key == null && accessScope.group_keys !== null) {
      throw new ServiceError('FORBIDDEN', 'A user restricted to groups may create groups only below them');
    }
    const trimmed = checkName('name', name);
    const parent =
      parent_group_key == null
        ? null
        : await GroupModel.findOne({ key: parent_group_key, active: true }, null, { accessScope }).lean();
    if (parent_group_key != null && !parent) {
      throw new ServiceError('BAD_REQUEST', 'parent_group_key must name an active group');
    }
    const tree_depth = (parent?.tree_depth ?? 1) + 1;
    if (tree_depth > MAX_TREE_DEPTH) {
      throw new ServiceError('BAD_REQUEST', `parent_group_key is at level ${MAX_TREE_DEPTH}, the deepest there is`);
    }
    const key = newKey();
    const now = new Date();
    const group = await GroupModel.create({
      key,
      name: trimmed,
      active: true,
      tree_depth,
      created: now,
      updated: now,
      account_key: accessScope.account_key,
      parent_key: parent?.key ?? null,
      group_path: [...(parent?.group_path ?? []), key],
    });
    return { ...group.toObject(), children: [], member_counts: { car: 0, user: 0 } };
  }
}
