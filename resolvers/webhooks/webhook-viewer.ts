import { holderOfGrant } from '../../auth/grants.ts';
import type { Caller } from '../../auth/caller.ts';
import { AccountModel } from '../../models/account/account.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import type { StoredWebhook } from '../../models/webhooks/webhook.ts';

/** For whom a webhook is sent events: what this caller may see now, and nothing else; null where its grant has ended. */
export async function viewerOf({
  account_key,
  grant_hash,
}: Pick<StoredWebhook, 'account_key' | 'grant_hash'>): Promise<Caller | null> {
  if (grant_hash !== null) return holderOfGrant(grant_hash);
  const accessScope = accountAccessScope(account_key);
  const account = await AccountModel.findOne({}, 'account_plan', { accessScope }).lean();
  return account && { kind: 'owner', account_key, plan: account.account_plan };
}
