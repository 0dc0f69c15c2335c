import { DeletedRecordStore } from '../account/deleted-record.ts';
import { GroupStore } from '../account/group.ts';
import { UserStore } from '../account/user.ts';
import { BATCH_SIZE } from '../store/plain-store.ts';
import type { AccessScope } from '../store/tenancy.ts';
import { DeviceStore } from '../vehicles/device.ts';
import { VehicleStore } from '../vehicles/vehicle.ts';
import type { Store } from '../store/store.ts';

/** A record that is in groups. */
interface Member {
  readonly _id: unknown;
  readonly key: string;
  readonly group_keys: readonly string[];
  readonly group_path: readonly string[];
}

type MemberStore = Pick<Store<unknown, unknown>, 'findStored' | 'updateEach'>;

const MODELS: readonly MemberStore[] = [VehicleStore, DeviceStore, UserStore];

/** Updates the paths of all members of a group and the groups below it to those of their groups. */
export async function placeMembers(accessScope: AccessScope, groupKey: string): Promise<void> {
  for (const model of MODELS) await placeMembersIn(model, accessScope, groupKey);
  await placeDeleted(accessScope, groupKey);
}

async function placeMembersIn(model: MemberStore, accessScope: AccessScope, groupKey: string): Promise<void> {
  const projection = { key: 1, group_keys: 1, group_path: 1 };
  const options = { projection, sort: { _id: 1 }, limit: BATCH_SIZE } as const;
  let after: unknown = null;
  for (;;) {
    const filter = { group_path: groupKey, ...(after !== null && { _id: { $gt: after } }) };
    const found = (await model.findStored(accessScope, filter, options).toArray()) as unknown as Member[];
    const last = found.at(-1);
    if (!last) return;
    const pathOf = await pathsOf(
      found.flatMap(({ group_keys }) => group_keys),
      accessScope,
    );
    const updates = found
      .map((member) => ({ member, group_path: pathOf(member.group_keys) }))
      .filter(({ member, group_path }) => member.group_path.toSorted().join() !== group_path.toSorted().join())
      .map(({ member: { key, group_keys, group_path: before }, group_path }) => ({
        filter: { key, group_keys, group_path: before },
        update: { $set: { group_path } },
      }));
    if (updates.length > 0) await model.updateEach(accessScope, updates);
    after = last._id;
  }
}

/** Deleted records are restored with the path stored here. */
async function placeDeleted(accessScope: AccessScope, groupKey: string): Promise<void> {
  const found = await DeletedRecordStore.find(accessScope, { group_path: groupKey });
  for (const { key, document } of found) {
    const group_keys = (document?.group_keys ?? []) as readonly string[];
    const group_path = (await pathsOf(group_keys, accessScope))(group_keys);
    const change = { group_path, ...(document && { 'document.group_path': group_path }) };
    await DeletedRecordStore.updateOne(accessScope, { key, group_path: groupKey }, { $set: change });
  }
}

/** Reads groups, and returns a function that joins the paths of those with the given keys. */
async function pathsOf(groupKeys: readonly string[], accessScope: AccessScope) {
  const key = { $in: [...new Set(groupKeys)] };
  const groups = await GroupStore.find(accessScope, { key }, { key: 1, group_path: 1 });
  const paths = new Map(groups.map((group) => [group.key, group.group_path]));
  return (keys: readonly string[]) => [...new Set(keys.flatMap((one) => paths.get(one) ?? []))];
}
