import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { GroupStore, type StoredGroup } from '../../models/account/group.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { Group, GroupInput, MAX_TREE_DEPTH } from '../../schema/account/group.ts';
import { Deletion } from '../../schema/deletion.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { timeSliceOf } from '../../tracking/scheduling/time-slice.ts';
import { buildTree } from './group-tree.ts';
import { once } from '../../schema/once.ts';
import type { Service } from '../../models/store/service.ts';
import { newKey } from '../../models/key.ts';
import { checkName } from '../../schema/check-name.ts';
import { moveGroup } from '../../models/groups/move-group.ts';

/** The hierarchy that organizes vehicles and restricts what users see. */
@Resolver()
export class GroupResolver {
  @Access('account.read')
  @Query(() => [Group], {
    description:
      'The groups that the caller can see, as a tree. Its roots are the topmost visible groups, or the groups in ' +
      '`group_keys`.',
  })
  async groups(
    @Arg('group_keys', () => [String], { nullable: true, description: 'Only these groups and those below them.' })
    group_keys: readonly string[] | undefined,
    @Arg('show_inactive', () => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'True to include deactivated groups.',
    })
    show_inactive: boolean | null,
    @Ctx() context: RequestContext,
  ): Promise<Group[]> {
    const accessScope = accessScopeOf(context);
    const named = group_keys == null ? null : new Set(group_keys);
    const found = await findGroups(named ? { group_path: { $in: [...named] } } : {}, accessScope);
    const isWhole = named === null && accessScope.group_keys === null;
    const inactive = show_inactive
      ? []
      : isWhole
        ? found
        : await inactiveGroups(accessScope.service, accessScope.account_key);
    const hidden = new Set(inactive.filter(({ active }) => !active).map(({ key }) => key));
    const seen = found.filter((group) => !group.group_path.some((key) => hidden.has(key)));
    const tops = new Set(seen.filter((group) => !named || named.has(group.key)).map((group) => group.key));
    return buildTree(
      seen,
      (group) => tops.has(group.key) && !group.group_path.some((key) => key !== group.key && tops.has(key)),
      accessScope,
      timeSliceOf(context),
    );
  }

  @Access('account.read')
  @Query(() => Group, { nullable: true, description: 'One group with the active groups below it.' })
  async group(
    @Arg('group_key', () => String, { description: 'Key of the group.' }) group_key: string,
    @Ctx() context: RequestContext,
  ): Promise<Group> {
    return theGroup(group_key, context);
  }

  @Access('account.manage')
  @Mutation(() => Group, { description: 'Creates a top-level group, or a group below an active group.' })
  async createGroup(
    @Arg('name', () => String, { description: 'Name of the group, 1 to 255 characters.' }) name: string,
    @Arg('parent_group_key', () => String, { nullable: true, description: 'Key of the parent group.' })
    parent_group_key: string | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Group> {
    const accessScope = accessScopeOf({ service, caller });
    const group = withParent(await createGroup(accessScope, name, parent_group_key), accessScope);
    return { ...group, children: [], member_counts: { car: 0, user: 0 } };
  }

  @Access('account.manage')
  @Mutation(() => Group, {
    description: 'Renames, activates, deactivates or moves a group, with everything below it.',
  })
  async updateGroup(
    @Arg('group_key', () => String, { description: 'Key of the group.' }) group_key: string,
    @Arg('input', () => GroupInput, { description: 'The fields to change.' }) input: GroupInput,
    @Ctx() context: RequestContext,
  ): Promise<Group> {
    const { name, active, parent_group_key } = input;
    if (name === null) throw new ServiceError('BAD_REQUEST', 'name must be a string');
    if (active === null) throw new ServiceError('BAD_REQUEST', 'active must be true or false');
    await updateGroup(accessScopeOf(context), group_key, { name, active, parent_group_key });
    return theGroup(group_key, context);
  }

  @Access('account.manage')
  @Mutation(() => Deletion, {
    description: 'Deactivates a group: lists omit it. Its members stay in it and keep their access.',
  })
  async deactivateGroup(
    @Arg('group_key', () => String, { description: 'Key of the group.' }) group_key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    await updateGroup(accessScopeOf({ service, caller }), group_key, { active: false });
    return { key: group_key, deleted: true };
  }
}

/** One visible group with the active groups below it. */
async function theGroup(group_key: string, context: RequestContext): Promise<Group> {
  const accessScope = accessScopeOf(context);
  const found = await findGroups({ group_path: group_key }, accessScope);
  const inactive = new Set(found.filter((group) => !group.active && group.key !== group_key).map(({ key }) => key));
  const seen = found.filter((group) => !group.group_path.some((key) => inactive.has(key)));
  const [top] = await buildTree(seen, (group) => group.key === group_key, accessScope, timeSliceOf(context));
  if (!top) throw notFound('group');
  return top;
}

/** The groups with the given keys, as {@link GroupResolver.groups} lists them, deactivated ones too. */
export async function namedGroups(group_keys: readonly string[], context: RequestContext): Promise<Group[]> {
  return group_keys.length === 0 ? [] : new GroupResolver().groups(group_keys, true, context);
}

/** Visible groups by key, deactivated ones too; those below each are read when they are requested. */
export async function groupsByKey(
  keys: readonly string[],
  context: RequestContext,
): Promise<readonly { readonly key: string }[]> {
  const found = await findGroups({ key: { $in: keys } }, accessScopeOf(context));
  const trees = once(() => subtrees(keys, context));
  return found.map((group) => ({
    ...group,
    children: async () => (await trees()).get(group.key)?.children ?? [],
    member_counts: async () => (await trees()).get(group.key)?.member_counts ?? { car: 0, user: 0 },
  }));
}

/** Visible groups by key, with the active groups below each. */
async function subtrees(keys: readonly string[], context: RequestContext): Promise<ReadonlyMap<string, Group>> {
  const accessScope = accessScopeOf(context);
  const found = await findGroups({ group_path: { $in: keys } }, accessScope);
  const known = new Set(found.map(({ key }) => key));
  const isTop = ({ key, group_path }: (typeof found)[number]) =>
    group_path.every((above) => above === key || !known.has(above));
  const all = await buildTree(found, isTop, accessScope, timeSliceOf(context));
  for (const group of all) all.push(...group.children);
  return new Map(all.map((group) => [group.key, withActiveChildren(group)]));
}

function withActiveChildren(group: Group): Group {
  return { ...group, children: group.children.filter(({ active }) => active).map(withActiveChildren) };
}

/** The deactivated groups of an account: what is below one is deactivated too, wherever the caller begins to see. */
function inactiveGroups(service: Service, account_key: string) {
  const accessScope = accountAccessScope(service, account_key);
  return GroupStore.find(accessScope, { active: false }, { _id: 0, key: 1, active: 1 });
}

/** Reads groups, in the order of their creation. */
async function findGroups(
  filter: Readonly<Partial<Record<'key' | 'group_path', string | { readonly $in: readonly string[] }>>>,
  accessScope: AccessScope,
) {
  const query = { accessScope, filter, hidden: ['parent_key', 'group_path'] as const };
  const found = await GroupStore.readShown(query, { sort: { _id: 1 } });
  return found.map((group) => withParent(group, accessScope));
}

/** Adds the group above a group, as far as the access scope reaches. */
function withParent<Placed extends Pick<StoredGroup, 'key' | 'parent_key' | 'group_path'>>(
  group: Placed,
  { group_keys }: AccessScope,
): Placed & Pick<Group, 'parent_group_key'> {
  const { key, parent_key, group_path } = group;
  const isVisible = group_keys === null || group_path.some((above) => above !== key && group_keys.includes(above));
  return { ...group, parent_group_key: isVisible ? parent_key : null };
}

/**
 * Creates a group, under an active group or, if none is named, under the account.
 * @throws ServiceError FORBIDDEN for a user restricted to groups who names none; BAD_REQUEST naming a parameter
 */
export async function createGroup(
  accessScope: AccessScope,
  name: string,
  parentKey: string | null | undefined,
): Promise<StoredGroup> {
  const { account_key, group_keys } = accessScope;
  if (parentKey == null && group_keys !== null) {
    throw new ServiceError('FORBIDDEN', 'A user restricted to groups may create groups only below them');
  }
  const trimmed = checkName('name', name);
  const parent = parentKey == null ? null : await GroupStore.findOne(accessScope, { key: parentKey, active: true });
  if (parentKey != null && !parent) {
    throw new ServiceError('BAD_REQUEST', 'parent_group_key must name an active group');
  }
  const tree_depth = (parent?.tree_depth ?? 1) + 1;
  if (tree_depth > MAX_TREE_DEPTH) {
    throw new ServiceError('BAD_REQUEST', `parent_group_key is at level ${MAX_TREE_DEPTH}, the deepest there is`);
  }
  const key = newKey();
  const now = new Date();
  const place = { parent_key: parent?.key ?? null, group_path: [...(parent?.group_path ?? []), key], tree_depth };
  const times = { created: now, updated: now };
  return GroupStore.create(accessScope, { key, name: trimmed, active: true, ...times, account_key, ...place });
}

/** Change of a group; omitted fields stay unchanged. */
export interface GroupChange {
  readonly name?: string | undefined;
  /** Deactivated groups are hidden from listings; what their members may see stays as it is. */
  readonly active?: boolean | undefined;
  /** The group above it; null for the account itself. */
  readonly parent_group_key?: string | null | undefined;
}

/**
 * Renames, deactivates, activates or moves a group. A caller who is restricted to groups changes only those below them.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN for a group that is not below one of the caller's; BAD_REQUEST naming a parameter
 */
export async function updateGroup(accessScope: AccessScope, key: string, change: GroupChange): Promise<void> {
  const { name, active, parent_group_key } = change;
  const { group_keys } = accessScope;
  const group = await GroupStore.findOne(accessScope, { key }, { group_path: 1 });
  if (!group) throw notFound('group');
  const isBelow = group_keys === null || group.group_path.slice(0, -1).some((above) => group_keys.includes(above));
  if (!isBelow || (parent_group_key === null && group_keys !== null)) {
    throw new ServiceError('FORBIDDEN', 'A user restricted to groups may change groups only below them');
  }
  const fields = {
    ...(name !== undefined && { name: checkName('name', name) }),
    ...(active !== undefined && { active }),
  };
  if (parent_group_key !== undefined) await moveGroup(accessScope, key, parent_group_key);
  if (Object.keys(fields).length === 0) return;
  await GroupStore.updateOne(accessScope, { key }, { ...fields, updated: new Date() });
}
