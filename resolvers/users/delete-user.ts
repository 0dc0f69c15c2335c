import { revokeAllGrants } from '../../auth/grants.ts';
import { endSessions } from '../../auth/oauth/end-sessions.ts';
import { recordSecurityEvent } from '../../auth/security-events.ts';
import { DeletedRecordStore } from '../../models/account/deleted-record.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import type { Deletion } from '../../schema/deletion.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';

import { deleteRecord, restoreRecord } from '../../tracking/retention/delete-record.ts';
import { groupMembership } from '../../models/groups/group-membership.ts';
import { changeUser } from './change-user.ts';
import { emailTaken } from './new-user.ts';
import { demandGrantable, demandManageable, type Rights, type UserManager } from './user-manager.ts';

/**
 * Deletes a user, who can be brought back for a while: first it is disabled, then sessions and grants end. A deletion that was
 * interrupted is completed by repeating it.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN for a user who sees more than the manager; BAD_REQUEST for the last administrator
 */
export async function deleteUser(manager: UserManager, key: string): Promise<Deletion> {
  const { accessScope, actor, subject } = manager;
  const { account_key } = await changeUser(accessScope.service, manager, key, ({ disabled, disabled_before }) =>
    disabled_before === null ? { disabled: true, disabled_before: disabled, ...NO_RESET } : {},
  );
  const before = async () => {
    await endSessions(accessScope.service, key);
    await revokeAllGrants(accessScope.service, key, actor);
    return [];
  };
  const deletion = await deleteRecord({ kind: 'user', model: UserStore, before }, accessScope, key);
  await recordSecurityEvent(accessScope.service, { kind: 'user_deleted', actor, account_key, user_key: key, subject });
  return deletion;
}

const NO_RESET = { reset_hash: null, reset_expires_at: null };

/**
 * Brings a deleted user back, with its password, in its groups as they are now; idempotent.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN for a user who sees more than the manager, or has more rights; BAD_REQUEST if another
 *   user has taken the e-mail address
 */
export async function restoreUser(manager: UserManager, key: string): Promise<StoredUser> {
  const { accessScope, actor, subject } = manager;
  const deleted = await DeletedRecordStore.findOne(accessScope, { key, kind: 'user' });
  if (deleted?.document) {
    await demandRestorable(manager, rightsIn(deleted.document));
    await restoreRecord({ kind: 'user', model: UserStore }, accessScope, key, emailTaken);
  }
  let isBack = false;
  const user = await changeUser(accessScope.service, manager, key, async (found) => {
    isBack = found.disabled_before !== null;
    if (found.disabled_before === null) return {};
    await demandRestorable(manager, found);
    const { account_key } = accessScope;
    const groups = await groupMembership(found.group_keys, accountAccessScope(accessScope.service, account_key));
    return { disabled: found.disabled_before, disabled_before: null, ...groups };
  });
  const { account_key } = user;
  if (isBack)
    await recordSecurityEvent(accessScope.service, {
      kind: 'user_restored',
      actor,
      account_key,
      user_key: key,
      subject,
    });
  return user;
}

async function demandRestorable(manager: UserManager, after: Rights): Promise<void> {
  await demandManageable(manager, after);
  demandGrantable(manager, { before: null, after, widens: true });
}

/** The rights of a user as it was stored, perhaps by an older program. */
function rightsIn({ account_role, group_keys }: Readonly<Record<string, unknown>>): Rights {
  return {
    account_role: (account_role as Rights['account_role'] | undefined) ?? 'administrator',
    group_keys: (group_keys as string[] | undefined) ?? [],
    disabled: true,
  };
}
