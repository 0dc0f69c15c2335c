import { AppModel } from '../models/app.ts';
import { newKey } from '../models/key.ts';
import { type OauthRecord, OauthRecordModel } from '../models/oauth-record.ts';
import { EVERYTHING } from '../models/tenancy.ts';
import { UserModel } from '../models/user.ts';

import type { AppForUser } from './caller.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** Seconds that an OAuth access token lives. Decisions: "Who may do what". */
export const ACCESS_TOKEN_LIFETIME = 86_400;

/** Records that a user grants an app some scopes; all tokens of the grant end with it. */
export async function createGrant(grant: {
  readonly user_key: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
}): Promise<OauthRecord> {
  const id_hash = hashSecret(newKey());
  return OauthRecordModel.create({ kind: 'Grant', id_hash, grant_hash: id_hash, expires_at: null, ...grant });
}

/** Issues an opaque access token of a grant; the database keeps its hash only. */
export async function issueAccessToken(grant: OauthRecord, now: Date = new Date()): Promise<string> {
  const token = newSecret('');
  await OauthRecordModel.create({
    kind: 'AccessToken',
    id_hash: hashSecret(token),
    grant_hash: grant.grant_hash,
    user_key: grant.user_key,
    client_id: grant.client_id,
    scopes: grant.scopes,
    expires_at: new Date(now.getTime() + ACCESS_TOKEN_LIFETIME * 1000),
  });
  return token;
}

/** The app and user for whom an access token stands, or null where it does not exist, has expired or was revoked. */
export async function findAccessToken(token: string, now: Date = new Date()): Promise<AppForUser | null> {
  const record = await OauthRecordModel.findOne({ kind: 'AccessToken', id_hash: hashSecret(token) }).lean();
  if (!record?.expires_at || record.expires_at <= now) return null;
  return holderOfGrant(record.grant_hash, record.scopes);
}

/**
 * The app and user of a grant, if grant, app and user all still stand.
 *
 * @param scopes what the token at hand was given; the grant may have been narrowed since
 */
export async function holderOfGrant(grantHash: string, scopes?: readonly string[]): Promise<AppForUser | null> {
  const grant = await OauthRecordModel.findOne({ kind: 'Grant', id_hash: grantHash }).lean();
  if (!grant) return null;
  const [user, app] = await Promise.all([
    UserModel.findOne({ key: grant.user_key }, null, { sight: EVERYTHING }).lean(),
    AppModel.findOne({ client_id: grant.client_id }, { _id: 1 }, { sight: EVERYTHING }).lean(),
  ]);
  if (!user || user.disabled || !app) return null;
  return {
    kind: 'app',
    account_key: user.account_key,
    user_key: user.key,
    client_id: grant.client_id,
    grant_hash: grantHash,
    scopes: new Set((scopes ?? grant.scopes).filter((scope) => grant.scopes.includes(scope))),
    group_keys: user.group_keys.length > 0 ? user.group_keys : null,
  };
}
