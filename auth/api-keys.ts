import { ApiKeyStore, findKeyAndPlan } from '../models/account/api-key.ts';
import { atRevision, removeUnlessLast } from '../models/account/remove-unless-last.ts';
import { newKey } from '../models/key.ts';
import { unrestricted, type AccessScope, type Unrestricted } from '../models/store/tenancy.ts';
import type { IssuedApiKey } from '../schema/account/api-key.ts';
import { ServiceError } from '../schema/service-error.ts';

import type { Owner } from './caller.ts';
import { noteUse } from './note-use.ts';
import { hashSecret, newSecret } from './secrets/secrets.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from './security-events.ts';
import type { Service } from '../models/store/service.ts';

/** Resolution of the recorded last use of a key, in milliseconds. */
const LAST_USE_GRAIN = 60_000;

/** Issues a key to the owner of an account; this is the only time its secret is seen. */
export async function issueApiKey(
  service: Service,
  accountKey: string,
  actor: Actor = OPERATOR,
  name: string | null = null,
): Promise<IssuedApiKey> {
  const secret = newSecret('wb_key_');
  const key = newKey();
  await ApiKeyStore.create(unrestricted(service), {
    key,
    name,
    account_key: accountKey,
    secret_hash: hashSecret(secret),
    created: new Date(),
  });
  await recordSecurityEvent(service, { kind: 'api_key_created', actor, account_key: accountKey, subject: key });
  return { key, secret };
}

/**
 * Revokes a key immediately; idempotent. An API key cannot revoke the last key of its account; people can.
 *
 * @returns false if the access scope has no such key
 * @throws ServiceError BAD_REQUEST for the last key, by a key
 */
export async function revokeApiKey(
  key: string,
  accessScope: AccessScope | Unrestricted,
  actor: Actor = OPERATOR,
): Promise<boolean> {
  for (;;) {
    const found = await ApiKeyStore.findOne(accessScope, { key });
    if (!found || found.revoked) return found !== null;
    const { account_key, revision } = found;
    const write = async () =>
      ApiKeyStore.findOneAndUpdate(
        accessScope,
        { key, revoked: null, ...atRevision(revision) },
        { revoked: new Date() },
      );
    const outcome =
      actor.by === 'owner' ? await removeKey(accessScope.service, account_key, key, write) : await outcomeOf(write);
    if (outcome === 'last') throw new ServiceError('BAD_REQUEST', 'key is the last API key of the account');
    if (outcome === 'changed') continue;
    await recordSecurityEvent(accessScope.service, { kind: 'api_key_revoked', actor, account_key, subject: key });
    return true;
  }
}

async function outcomeOf(write: () => Promise<object | null>): Promise<'removed' | 'changed'> {
  return (await write()) === null ? 'changed' : 'removed';
}

function removeKey(service: Service, account_key: string, key: string, write: () => Promise<object | null>) {
  const counted = { revoked: null };
  return removeUnlessLast(service, { field: 'api_key_removal', model: ApiKeyStore, account_key, key, counted, write });
}

/** The owner whom a key proves, or null if it does not exist or was revoked. */
export async function findApiKey(service: Service, apiKey: string, now: Date = new Date()): Promise<Owner | null> {
  const found = await findKeyAndPlan(service, hashSecret(apiKey));
  if (!found || found.revoked !== null) return null;
  const { key, account_key, last_used, account } = found;
  if (last_used === null || now.getTime() - last_used.getTime() >= LAST_USE_GRAIN) {
    await noteUse(ApiKeyStore.updateOne(unrestricted(service), { key }, { $max: { last_used: now } }));
  }
  return { kind: 'owner', account_key, plan: account.account_plan, api_key: key };
}
