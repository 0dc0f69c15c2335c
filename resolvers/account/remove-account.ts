import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { AccountStore } from '../../models/account/account.ts';
import { DeletedRecordStore } from '../../models/account/deleted-record.ts';
import { UserStore } from '../../models/account/user.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';

import { type DeletableKind, deleteRecord, restoreRecord } from '../../tracking/retention/delete-record.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { Service } from '../../models/store/service.ts';

const ACCOUNTS: DeletableKind = { kind: 'account', model: AccountStore };
/** Users who go with their account: it alone brings them back. */
const USERS: DeletableKind = { kind: 'user', model: UserStore, goesWithAccount: true };

/**
 * Removes an account, for the operator: its keys stop working and its users can no longer sign in, so that no one reads or sends
 * anything. It can be brought back for a while; then it is purged. A removal that was interrupted is completed by repeating it.
 *
 * @throws ServiceError BAD_REQUEST naming `account`
 */
export async function removeAccount(service: Service, key: string): Promise<void> {
  const accessScope = accountAccessScope(service, key);
  if ((await AccountStore.countDocuments(accessScope)) === 0) throw unknownAccount(key);
  for (;;) {
    const user = await UserStore.findOne(accessScope, {}, { key: 1 });
    if (!user) break;
    await deleteRecord(USERS, accessScope, user.key);
  }
  await deleteRecord(ACCOUNTS, accessScope, key);
  await recordSecurityEvent(service, { kind: 'account_removed', actor: OPERATOR, account_key: key });
}

/**
 * Brings a removed account back with its users, keys and grants, for the operator; repeating it completes it.
 *
 * @throws ServiceError BAD_REQUEST naming `account` if it was not removed, or too long ago
 */
export async function restoreAccount(service: Service, key: string): Promise<void> {
  const accessScope = accountAccessScope(service, key);
  const users = await DeletedRecordStore.find(accessScope, { kind: 'user', with_account: true }, { key: 1 });
  for (const user of users) await restoreRecord(USERS, accessScope, user.key);
  await restoreRecord(ACCOUNTS, accessScope, key).catch((error: unknown) => {
    throw error instanceof ServiceError && error.code === 'NOT_FOUND' ? unknownAccount(key) : error;
  });
  await recordSecurityEvent(service, { kind: 'account_restored', actor: OPERATOR, account_key: key });
}

function unknownAccount(key: string): Error {
  return unknownKey('account', 'an account', key);
}
