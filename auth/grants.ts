import { findHeldGrant, findHeldToken, type HeldGrant, type HeldToken } from '../models/sign-in/held-grant.ts';
import { insertIfAbsent } from '../models/store/duplicate-key.ts';
import { newKey } from '../models/key.ts';
import { type Grant, OauthRecordStore } from '../models/sign-in/oauth-record.ts';

import type { AppForUser } from './caller.ts';
import { hashSecret, newSecret } from './secrets/secrets.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from './security-events.ts';
import type { Service } from '../models/store/service.ts';

/** Seconds that an OAuth access token lives. Decisions: "Who may do what". */
export const ACCESS_TOKEN_LIFETIME = 86_400;

/**
 * Records that a user grants an app some scopes; all tokens of the grant end with it.
 *
 * @param name of the grant; granting again under the same name changes the same grant
 */
export async function createGrant(
  service: Service,
  grant: {
    readonly user_key: string;
    readonly client_id: string;
    readonly scopes: readonly string[];
    /** When it expires, unless a refresh token extends it; never by default. */
    readonly expires_at?: Date;
  },
  actor: Actor = OPERATOR,
  name: string = newKey(),
): Promise<Grant> {
  const id_hash = hashSecret(name);
  const facts = { kind: 'Grant' as const, id_hash, grant_hash: id_hash, ...grant };
  const created = OauthRecordStore.complete(service, facts);
  if (await insertIfAbsent(() => OauthRecordStore.create(service, created))) {
    const { user_key, client_id: subject } = grant;
    await recordSecurityEvent(service, { kind: 'grant_given', actor, user_key, subject });
  }
  return created as Grant;
}

/** The grant of a name, or null if it was revoked. */
export async function findGrant(service: Service, grantHash: string): Promise<Grant | null> {
  return (await OauthRecordStore.findOne(service, { kind: 'Grant', id_hash: grantHash })) as Grant | null;
}

/**
 * The last grant that a user gave an app on the consent page, or null if it has ended. An earlier one does not count,
 * since the user may have allowed less since; nor does one that the operator made.
 */
export async function findRememberedGrant(service: Service, userKey: string, clientId: string): Promise<Grant | null> {
  const grant = await OauthRecordStore.findOne(service, {
    kind: 'Grant',
    client_id: clientId,
    user_key: userKey,
    expires_at: { $ne: null },
  }).sort({ created: -1, _id: -1 });
  return grant?.expires_at && grant.expires_at > new Date() ? (grant as Grant) : null;
}

/** Ends a grant and all its tokens immediately. Returns false if it had ended already. */
export async function revokeGrant(
  service: Service,
  grantHash: string,
  actor: Actor = OPERATOR,
  kind: 'grant_revoked' | 'token_reused' = 'grant_revoked',
): Promise<boolean> {
  const grant = await OauthRecordStore.findOneAndDelete(service, { kind: 'Grant', id_hash: grantHash });
  await OauthRecordStore.deleteMany(service, { grant_hash: grantHash });
  if (!grant) return false;
  await recordSecurityEvent(service, { kind, actor, user_key: grant.user_key, subject: grant.client_id });
  return true;
}

/** Ends all grants of a user to an app and all their tokens immediately. */
export async function revokeGrantsTo(
  service: Service,
  clientId: string,
  userKey: string,
  actor: Actor = OPERATOR,
): Promise<void> {
  const { deletedCount } = await OauthRecordStore.deleteMany(service, { client_id: clientId, user_key: userKey });
  if (deletedCount > 0) {
    await recordSecurityEvent(service, { kind: 'grant_revoked', actor, user_key: userKey, subject: clientId });
  }
}

/** Ends all grants of a user to any app and all their tokens immediately. */
export async function revokeAllGrants(service: Service, userKey: string, actor: Actor): Promise<void> {
  const { deletedCount } = await OauthRecordStore.deleteMany(service, { user_key: userKey, client_id: { $ne: null } });
  if (deletedCount > 0) await recordSecurityEvent(service, { kind: 'grants_revoked', actor, user_key: userKey });
}

/** Grant, scopes and expiry of an access token. */
export interface AccessTokenFacts {
  readonly grant_hash: string;
  readonly user_key: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly expires_at: Date;
}

/** Stores an access token: its hash and what it gives access to. */
export async function keepAccessToken(
  service: Service,
  token: string,
  facts: AccessTokenFacts,
  now: Date = new Date(),
): Promise<void> {
  await OauthRecordStore.create(service, { kind: 'AccessToken', id_hash: hashSecret(token), created: now, ...facts });
}

/** Issues an opaque access token of a grant; the database keeps its hash only. */
export async function issueAccessToken(service: Service, grant: Grant, now: Date = new Date()): Promise<string> {
  const { grant_hash, user_key, client_id, scopes } = grant;
  const token = newSecret('');
  const expires_at = new Date(now.getTime() + ACCESS_TOKEN_LIFETIME * 1000);
  await keepAccessToken(service, token, { grant_hash, user_key, client_id, scopes, expires_at }, now);
  return token;
}

/** The app and user of an access token, or null if it does not exist, has expired or was revoked. */
export async function findAccessToken(
  service: Service,
  token: string,
  now: Date = new Date(),
): Promise<AppForUser | null> {
  return holderOfToken(await findHeldToken(service, hashSecret(token)), now);
}

/** The app and user of an access token that was read with its grant; null if it has expired. */
export function holderOfToken(held: HeldToken | undefined, now: Date = new Date()): AppForUser | null {
  if (!held?.expires_at || held.expires_at <= now) return null;
  const holder = holderOf(held.grant, held.scopes);
  return holder && { ...holder, expires: held.expires_at.getTime() };
}

/** Finds the app and user of a grant, if all exist. */
export async function holderOfGrant(service: Service, grantHash: string): Promise<AppForUser | null> {
  return holderOf(await findHeldGrant(service, grantHash));
}

/**
 * The holder of a grant that was found with its user and app; the app's current scopes limit even earlier grants.
 *
 * @param scopes those of a token; all of the grant by default
 */
export function holderOf(grant: HeldGrant | undefined, scopes?: readonly string[]): AppForUser | null {
  if (!grant || grant.user.disabled) return null;
  const { user, app } = grant;
  const granted = (scopes ?? grant.scopes).filter((scope) => grant.scopes.includes(scope));
  return {
    kind: 'app',
    account_key: user.account_key,
    user_key: user.key,
    client_id: grant.client_id,
    grant_hash: grant.id_hash,
    scopes: new Set(granted.filter((scope) => app.scopes.includes(scope))),
    group_keys: user.group_keys.length > 0 ? user.group_keys : null,
    role: user.account_role,
  };
}
