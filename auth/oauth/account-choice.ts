import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { newSecret } from '../secrets/secrets.ts';
import type { ProvedUser } from './proved-user.ts';
import { identityOf } from './storage/hashed-record.ts';
import type { Service } from '../../models/store/service.ts';

/** Milliseconds in which a person can choose an account after the password was checked. */
const CHOICE_LIFETIME_MS = 600_000;

/** Stores the users whose password was entered; returns the secret with which one of them is chosen, once. */
export async function storeChoice(service: Service, users: readonly ProvedUser[], now: Date): Promise<string> {
  const secret = newSecret('');
  const proved = users.map(({ user_key, session_version }) => [user_key, session_version]);
  const expires_at = new Date(now.getTime() + CHOICE_LIFETIME_MS);
  await OauthRecordStore.create(service, {
    ...identityOf('AccountChoice', secret),
    details: JSON.stringify(proved),
    created: now,
    expires_at,
  });
  return secret;
}

/** Takes the choice of a user; null if the secret has been used or has expired, or is not for this user. */
export async function takeChoice(
  service: Service,
  secret: string,
  userKey: string,
  now: Date,
): Promise<ProvedUser | null> {
  const kept = { ...identityOf('AccountChoice', secret), expires_at: { $gt: now } };
  const choice = await OauthRecordStore.findOneAndDelete(service, kept);
  const proved = new Map(JSON.parse(choice?.details ?? '[]') as [string, number][]);
  const session_version = proved.get(userKey);
  return session_version === undefined ? null : { user_key: userKey, session_version };
}
