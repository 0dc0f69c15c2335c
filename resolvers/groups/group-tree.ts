import type { StoredGroup } from '../../models/account/group.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { Group, MemberCounts } from '../../schema/account/group.ts';

import { forEachInSlices, type TimeSlice } from '../../tracking/scheduling/time-slice.ts';
import type { Store } from '../../models/store/store.ts';

/** A group as it is read to be shown: without what only the service needs. */
type PlacedGroup = Pick<StoredGroup, (keyof Group & keyof StoredGroup) | 'parent_key' | 'group_path'> &
  Pick<Group, 'parent_group_key'>;

type GroupNode = PlacedGroup & Pick<Group, 'member_counts'> & { readonly children: Group[] };

/** Maximum number of groups whose members are counted by their keys. */
const MAX_NAMED = 1000;

/**
 * Makes trees of groups, which become the nodes, in the given order, with member counts, in two database queries whatever
 * their number. Only members of groups in the trees are counted, unless all trees begin at the top, or there are many.
 */
export async function buildTree(
  groups: readonly PlacedGroup[],
  isTop: (group: PlacedGroup) => boolean,
  accessScope: AccessScope,
  slice: TimeSlice,
): Promise<Group[]> {
  if (groups.length === 0) return [];
  const tops = groups.filter(isTop);
  const areAll = tops.every(({ parent_key }) => parent_key === null) || groups.length > MAX_NAMED;
  const keys = areAll ? null : groups.map(({ key }) => key);
  // Whoever sees a group sees its vehicles, and may know the number of its users.
  const ofAccount = accountAccessScope(accessScope.service, accessScope.account_key);
  const [cars, users] = await Promise.all([
    countByGroup(VehicleStore, {}, keys, ofAccount),
    countByGroup(UserStore, { disabled: false }, keys, ofAccount),
  ]);
  const nodes = new Map<string, GroupNode>();
  await forEachInSlices(slice, groups, (group) => {
    const member_counts: MemberCounts = { car: cars.get(group.key) ?? 0, user: users.get(group.key) ?? 0 };
    nodes.set(group.key, Object.assign(group, { children: [], member_counts }));
  });
  const trees: Group[] = [];
  await forEachInSlices(slice, nodes.values(), (node) => {
    if (isTop(node)) trees.push(node);
    else nodes.get(node.parent_key ?? '')?.children.push(node);
  });
  return trees;
}

/**
 * Counts members by the groups in their paths: all groups of an account, or those with the given keys. The embedded database
 * keeps these numbers: it recognizes the stages.
 */
async function countByGroup(
  model: Pick<Store<unknown, unknown>, 'aggregate'>,
  match: Readonly<Record<string, unknown>>,
  keys: readonly string[] | null,
  accessScope: AccessScope,
): Promise<Map<string, number>> {
  const inGroups = keys && { $match: { group_path: { $in: keys } } };
  const counts = await model.aggregate<{ _id: string; members: number }>(accessScope, [
    { $match: match },
    ...(inGroups ? [inGroups] : []),
    { $project: { group_path: { $setUnion: ['$group_path'] } } },
    { $unwind: '$group_path' },
    ...(inGroups ? [inGroups] : []),
    { $group: { _id: '$group_path', members: { $sum: 1 } } },
  ]);
  return new Map(counts.map((count) => [count._id, count.members]));
}
