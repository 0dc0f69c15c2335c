import { ApiKeyModel, findKeyAndPlan } from '../models/account/api-key.ts';
import { newKey } from '../models/key.ts';
import { UNRESTRICTED, type AccessScope } from '../models/tenancy.ts';
import type { IssuedApiKey } from '../schema/account/api-key.ts';

import type { Owner } from './caller.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from './security-events.ts';

/** Resolution of the recorded last use of a key, in milliseconds. */
const LAST_USE_GRAIN = 60_000;

/** Issues a key to the owner of an account; this is the only time its secret is seen. */
export async function issueApiKey(accountKey: string, actor: Actor = OPERATOR): Promise<IssuedApiKey> {
  const api_key = newSecret('wb_key_');
  const key = newKey();
  await ApiKeyModel.create({ key, account_key: accountKey, secret_hash: hashSecret(api_key), created: new Date() });
  await recordSecurityEvent({ kind: 'api_key_created', actor, account_key: accountKey, subject: key });
  return { key, api_key };
}

/**
 * Revokes a key immediately; idempotent.
 *
 * @returns false if the access scope has no such key
 */
export async function revokeApiKey(
  key: string,
  accessScope: AccessScope | typeof UNRESTRICTED,
  actor: Actor = OPERATOR,
): Promise<boolean> {
  const revoked = await ApiKeyModel.findOneAndUpdate(
    { key, revoked: null },
    { revoked: new Date() },
    { accessScope },
  ).lean();
  if (revoked) {
    await recordSecurityEvent({ kind: 'api_key_revoked', actor, account_key: revoked.account_key, subject: key });
    return true;
  }
  return (await ApiKeyModel.countDocuments({ key }, { accessScope })) > 0;
}

/** The owner whom a key proves, or null where it does not exist or was revoked. */
export async function findApiKey(apiKey: string, now: Date = new Date()): Promise<Owner | null> {
  const found = await findKeyAndPlan(hashSecret(apiKey));
  if (!found || found.revoked !== null) return null;
  const { key, account_key, last_used, account } = found;
  if (last_used === null || now.getTime() - last_used.getTime() >= LAST_USE_GRAIN) {
    await ApiKeyModel.updateOne({ key }, { $max: { last_used: now } }).setOptions({ accessScope: UNRESTRICTED });
  }
  return { kind: 'owner', account_key, plan: account.account_plan };
}
