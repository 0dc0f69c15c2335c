import { AccountStore, type GroupMove } from '../account/account.ts';
import { GroupStore, type StoredGroup } from '../account/group.ts';
import { atRevision } from '../account/remove-unless-last.ts';
import { newKey } from '../key.ts';
import { type AccessScope, accountAccessScope, unrestricted } from '../store/tenancy.ts';
import { MAX_TREE_DEPTH } from '../../schema/account/group.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { placeMembers } from './place-members.ts';
import type { Service } from '../store/service.ts';

/**
 * Milliseconds after a move at which everything below the group is checked again: requests that were in progress during the
 * move, with the old paths, have ended by then.
 */
const SETTLED_AFTER_MS = 120_000;

type Place = Pick<StoredGroup, 'parent_key' | 'group_path' | 'tree_depth'>;

/**
 * Moves a group with everything below it under another group, or under the account.
 *
 * An account has one move in progress at a time. It is recorded in the account before the first write, and every process that
 * finds it completes it; each step may be repeated. A record changes from its old path to its new one by a single write, so
 * that it is always visible in one of the two places.
 *
 * @param accessScope of the caller, who must see the parent
 * @throws ServiceError NOT_FOUND; BAD_REQUEST naming `parent_group_key`, for a parent that is not visible or below the group,
 *   and if the tree would become too deep
 */
export async function moveGroup(accessScope: AccessScope, key: string, parentKey: string | null): Promise<void> {
  const account = accountAccessScope(accessScope.service, accessScope.account_key);
  for (;;) {
    const { group_move, group_moves } = await movesOf(accessScope);
    if (group_move) {
      await completeMove(accessScope.service, accessScope.account_key, group_move);
      continue;
    }
    if (!(await checkMove(accessScope, key, parentKey))) return;
    await GroupStore.updateOne(account, { key }, { moved_at: new Date() });
    const move = { key, parent_key: parentKey, token: newKey() };
    const unchanged = { group_move: null, group_moves: group_moves === 0 ? { $in: [0, null] } : group_moves };
    const begin = { $set: { group_move: move }, $inc: { group_moves: 1 } };
    const { matchedCount } = await AccountStore.updateOne(account, unchanged, begin);
    if (matchedCount === 1) return completeMove(accessScope.service, accessScope.account_key, move);
  }
}

/**
 * Completes moves that were interrupted, and checks again what was below a recently moved group.
 */
export async function completeMoves(service: Service, now: number = Date.now()): Promise<void> {
  const movedLately = { moved_at: { $type: 'date' as const } };
  const moved = await GroupStore.find(unrestricted(service), movedLately, { key: 1, account_key: 1, moved_at: 1 });
  for (const { key, account_key, moved_at } of moved) {
    const accessScope = accountAccessScope(service, account_key);
    const { group_move } = await movesOf(accessScope);
    if (group_move) await completeMove(service, account_key, group_move);
    if (moved_at === null || now - moved_at.getTime() < SETTLED_AFTER_MS) continue;
    await placeBelow(accessScope, key, async () => (await movesOf(accessScope)).group_move === null);
    await GroupStore.updateOne(accessScope, { key, moved_at }, { moved_at: null });
  }
}

async function movesOf({ service, account_key }: AccessScope) {
  const fields = { group_move: 1, group_moves: 1 };
  const account = await AccountStore.findOne(accountAccessScope(service, account_key), {}, fields);
  if (!account) throw notFound('account');
  return account;
}

/** Returns true if a group has to be moved; throws if it must not. */
async function checkMove(accessScope: AccessScope, key: string, parentKey: string | null): Promise<boolean> {
  const { account_key } = accessScope;
  const group = await GroupStore.findOne(accessScope, { key });
  if (!group) throw notFound('group');
  if (group.parent_key === parentKey) return false;
  const filter = { key: parentKey ?? '', active: true };
  const parent = parentKey === null ? null : await GroupStore.findOne(accessScope, filter);
  if (parentKey !== null && !parent) {
    throw new ServiceError('BAD_REQUEST', 'parent_group_key must name an active group');
  }
  if (parent?.group_path.includes(key)) {
    throw new ServiceError('BAD_REQUEST', 'parent_group_key must not name the group itself or one below it');
  }
  const deepest = await GroupStore.findOne(accountAccessScope(accessScope.service, account_key), {
    group_path: key,
  }).sort({ tree_depth: -1 });
  const levels = (deepest?.tree_depth ?? group.tree_depth) - group.tree_depth + 1;
  if ((parent?.tree_depth ?? 1) + levels > MAX_TREE_DEPTH) {
    throw new ServiceError('BAD_REQUEST', `parent_group_key leads to more than ${MAX_TREE_DEPTH} levels`);
  }
  return true;
}

/** Completes the move that an account names; does nothing if it is no longer the one in progress. */
async function completeMove(
  service: Service,
  account_key: string,
  { key, parent_key, token }: GroupMove,
): Promise<void> {
  const accessScope = accountAccessScope(service, account_key);
  const isCurrent = async () => (await movesOf(accessScope)).group_move?.token === token;
  const group = await GroupStore.findOne(accessScope, { key });
  const parent = parent_key === null ? null : await GroupStore.findOne(accessScope, { key: parent_key });
  const group_path = [...(parent?.group_path ?? []), key];
  const isThere = group !== null && (parent !== null || parent_key === null);
  const place = { parent_key, group_path, tree_depth: group_path.length + 1 };
  // It is read after the group, so that the revision shows any other move since.
  if (!(await isCurrent())) return;
  if (isThere && group.parent_key !== parent_key) await writePlaces(accessScope, [[group, place]]);
  await placeBelow(accessScope, key, isCurrent);
  await AccountStore.updateOne(accessScope, { 'group_move.token': token }, { group_move: null });
}

/** Updates the paths of everything below a group to the group's own path. */
async function placeBelow(accessScope: AccessScope, key: string, isCurrent: () => Promise<boolean>): Promise<void> {
  const groups = await GroupStore.find(accessScope, { group_path: key });
  const top = groups.find((group) => group.key === key);
  if (!top) return;
  const pathTo = top.group_path.slice(0, -1);
  const places = groups.map((group): readonly [StoredGroup, Place] => {
    const group_path = [...pathTo, ...group.group_path.slice(group.group_path.indexOf(key))];
    return [group, { parent_key: group.parent_key, group_path, tree_depth: group_path.length + 1 }];
  });
  const wrong = places.filter(([group, { group_path }]) => group.group_path.join() !== group_path.join());
  if (!(await isCurrent())) return;
  await writePlaces(accessScope, wrong);
  await placeMembers(accessScope, key);
}

/** Writes the paths of groups that are unchanged since they were read. */
async function writePlaces(
  accessScope: AccessScope,
  places: readonly (readonly [StoredGroup, Place])[],
): Promise<void> {
  if (places.length === 0) return;
  const updated = new Date();
  const updates = places.map(([{ key, revision }, place]) => ({
    filter: { key, ...atRevision(revision) },
    update: { $set: { ...place, updated }, $inc: { revision: 1 } },
  }));
  await GroupStore.updateEach(accessScope, updates);
}
