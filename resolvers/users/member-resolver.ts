import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { Group, type GroupAction, GroupMembersInput } from '../../schema/account/group.ts';
import { namedGroups } from '../groups/group-resolver.ts';
import { managerIn, type UserManager } from './user-manager.ts';
import { GroupStore } from '../../models/account/group.ts';
import { UserStore } from '../../models/account/user.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { type StoredVehicle, VehicleStore } from '../../models/vehicles/vehicle.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { groupMembership, type GroupMembership } from '../../models/groups/group-membership.ts';
import { memberGroups } from '../groups/member-groups.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';
import { checkUserGroups, putUserIntoGroups } from './change-user.ts';

const MAX_MEMBERS = 1000;

/** A vehicle with the groups that it was read with. */
type VehicleGroups = Pick<StoredVehicle, 'key' | 'group_keys'>;

/**
 * Changes the groups of vehicles and users. All are checked before the first is changed; idempotent.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter, or for the last administrator; FORBIDDEN if it would take someone out
 *   of sight, or give somebody more than the manager may
 */
async function applyGroups(manager: UserManager, input: GroupMembersInput): Promise<void> {
  const { accessScope } = manager;
  const memberKeys = [...new Set(input.member_keys)];
  if (memberKeys.length < 1 || memberKeys.length > MAX_MEMBERS) {
    throw new ServiceError('BAD_REQUEST', `member_keys must have 1 to ${MAX_MEMBERS} keys`);
  }
  const { group_keys } = await groupMembership(input.group_keys, accessScope, 'group_keys');
  const key = { $in: memberKeys };
  const [vehicles, users] = await Promise.all([
    VehicleStore.find(accessScope, { key }, { key: 1, group_keys: 1 }),
    UserStore.find(accessScope, { key }),
  ]);
  const known = new Set([...vehicles, ...users].map((member) => member.key));
  for (const memberKey of memberKeys) {
    if (!known.has(memberKey)) throw unknownKey('member_keys', 'a vehicle or a user of the account', memberKey);
  }
  const groupsFor = (before: readonly string[]) => changed(input.action, before, group_keys);
  const changes: (readonly [VehicleGroups, GroupMembership])[] = [];
  for (const vehicle of vehicles) {
    changes.push([vehicle, await vehicleGroups(accessScope, vehicle.group_keys, groupsFor)]);
  }
  for (const user of users) await checkUserGroups(manager, user, groupsFor);
  for (const [vehicle, groups] of changes) {
    const isWritten = await writeGroups(accessScope, vehicle, groups);
    if (!isWritten) await putVehicleIntoGroups(accessScope, vehicle.key, groupsFor);
  }
  for (const user of users) await putUserIntoGroups(accessScope.service, manager, user.key, groupsFor);
}

function changed(action: GroupAction, before: readonly string[], groupKeys: readonly string[]): readonly string[] {
  switch (action) {
    case 'add':
      return [...before, ...groupKeys];
    case 'remove':
      return before.filter((key) => !groupKeys.includes(key));
    case 'replace':
      return groupKeys;
  }
}

/** The groups of a vehicle after a change of the visible ones. */
async function vehicleGroups(
  accessScope: AccessScope,
  before: readonly string[],
  groupsFor: (before: readonly string[]) => readonly string[],
) {
  const seen = await GroupStore.find(accessScope, { key: { $in: [...before] } }, { key: 1 });
  const seenKeys = new Set(seen.map(({ key }) => key));
  return memberGroups(accessScope, groupsFor(before.filter((key) => seenKeys.has(key))), before);
}

/** Changes the groups of a vehicle as it is read, again if they change meanwhile. */
async function putVehicleIntoGroups(
  accessScope: AccessScope,
  key: string,
  groupsFor: (before: readonly string[]) => readonly string[],
): Promise<void> {
  for (;;) {
    const vehicle = await VehicleStore.findOne(accessScope, { key }, { key: 1, group_keys: 1 });
    if (!vehicle) return;
    const groups = await vehicleGroups(accessScope, vehicle.group_keys, groupsFor);
    if (await writeGroups(accessScope, vehicle, groups)) return;
  }
}

/** Writes the groups of a vehicle; returns false if they have changed since it was read. */
async function writeGroups(
  accessScope: AccessScope,
  { key, group_keys }: VehicleGroups,
  groups: GroupMembership,
): Promise<boolean> {
  if (groups.group_keys.join() === group_keys.join()) return true;
  const change = { ...groups, updated: new Date() };
  const { matchedCount } = await VehicleStore.updateOne(accessScope, { key, group_keys }, change);
  return matchedCount > 0;
}

/** Vehicles and users in groups. */
@Resolver()
export class MemberResolver {
  @Access('account.manage')
  @Mutation(() => [Group], { description: 'Changes the groups of vehicles and users. Returns these groups.' })
  async applyGroups(
    @Arg('input', () => GroupMembersInput, { description: 'The change, the members and the groups.' })
    input: GroupMembersInput,
    @Ctx() context: RequestContext,
  ): Promise<Group[]> {
    await applyGroups(managerIn(context), input);
    return namedGroups(input.group_keys, context);
  }
}
