import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';

import { insertIfAbsent } from '../../../models/store/duplicate-key.ts';
import { findHeldRecord } from '../../../models/sign-in/held-grant.ts';
import { type OauthRecord, OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { holderOf, keepAccessToken, revokeGrant } from '../../grants.ts';
import { hashSecret, newSecret } from '../../secrets/secrets.ts';
import { keepGrantOfRequest } from './grant-of-request.ts';
import { destroyerOf, findRecord, identityOf, instantOf } from './hashed-record.ts';
import { RESOURCE } from './resource.ts';
import { markAnswered } from './visit-storage.ts';
import type { Service } from '../../../models/store/service.ts';
import { deriveTokens } from './derived-tokens.ts';

/** Revokes a grant at the request of its app. */
export async function revokeForApp(service: Service, grantId: string): Promise<void> {
  await revokeGrant(service, grantId, { by: 'app' });
}

/** Shows the access tokens of `grants.ts` to the library; one whose grant, app or user is gone is not found. */
export function accessTokens(service: Service): Partial<Adapter> {
  return {
    upsert: async (id, payload) => {
      const { scope = '' } = payload;
      const scopes = scope.split(' ').filter((name) => name !== '');
      const { created, ...facts } = factsOf(payload);
      await insertIfAbsent(() => keepAccessToken(service, id, { ...facts, scopes }, created));
    },
    find: async (id) => {
      const record = await findHeldRecord(service, 'AccessToken', hashSecret(id));
      const holder = holderOf(record?.grant, record?.scopes);
      if (!record?.expires_at || !holder) return undefined;
      keepGrantOfRequest(record.grant);
      return {
        kind: 'AccessToken',
        jti: id,
        aud: RESOURCE,
        accountId: holder.user_key,
        clientId: holder.client_id,
        grantId: holder.grant_hash,
        scope: [...holder.scopes].join(' '),
        iat: epochOf(record.created),
        exp: epochOf(record.expires_at),
      };
    },
    destroy: destroyerOf(service, 'AccessToken'),
    revokeByGrantId: (id) => revokeForApp(service, id),
  };
}

/** Stores authorization codes or refresh tokens, for a single use (RFC 6749, section 4.1.2; RFC 9700, 4.14.2). */
export function singleUseTokens(service: Service, kind: 'AuthorizationCode' | 'RefreshToken') {
  return {
    upsert: async (id: string, payload: AdapterPayload): Promise<void> => {
      const { jti: _secret, ...details } = payload;
      const facts = factsOf(payload);
      const record = { ...identityOf(kind, id), ...facts, details: JSON.stringify(details) };
      await insertIfAbsent(() => OauthRecordStore.create(service, record));
      const request = Provider.ctx?.oidc.entities.Interaction;
      if (request) await markAnswered(service, request.uid);
      if (kind === 'RefreshToken') await keepGrant(service, facts.grant_hash, facts.expires_at);
    },
    find: async (id: string): Promise<AdapterPayload | undefined> => {
      const record = await findHeldRecord(service, kind, hashSecret(id));
      if (!record || record.details === null || !holderOf(record.grant)) return undefined;
      keepGrantOfRequest(record.grant);
      const payload = JSON.parse(record.details) as AdapterPayload;
      // The token endpoint learns from `consume` the effects of an earlier use.
      const isUsed = record.consumed && Provider.ctx?.oidc.route !== 'token';
      return { ...payload, jti: id, ...(isUsed && { consumed: epochOf(record.consumed) }) };
    },
    /**
     * Marks as used, atomically. A second use presents a copy, so it revokes the grant with all that came of it, unless it
     * continues the rotation of a refresh token.
     */
    consume: async (id: string): Promise<void> => {
      const consumed = new Date();
      const unused = { ...identityOf(kind, id), consumed: null };
      const first = await OauthRecordStore.findOneAndUpdate(service, unused, { consumed });
      const used = first ? { ...first, consumed } : await findRecord(service, kind, id);
      if (kind === 'RefreshToken' && used && (await continueRotation(service, id, used))) return;
      if (first) return;
      if (used?.grant_hash) await revokeGrant(service, used.grant_hash, { by: 'service' }, 'token_reused');
      throw new errors.InvalidGrant('used more than once');
    },
    destroy: destroyerOf(service, kind),
    revokeByGrantId: (id: string) => revokeForApp(service, id),
  };
}

/** The members that every token must have, as they are stored. */
function factsOf({ grantId, accountId, clientId, exp, iat }: AdapterPayload) {
  if (!grantId || !accountId || !clientId || exp === undefined || iat === undefined) {
    throw new TypeError('Refused: a token must have a grant, a user, an app and an end');
  }
  const times = { created: instantOf(iat), expires_at: instantOf(exp) };
  return { grant_hash: grantId, user_key: accountId, client_id: clientId, ...times };
}

/** Keeps a grant for as long as its newest refresh token. */
async function keepGrant(service: Service, grantHash: string, until: Date): Promise<void> {
  const expiring = { kind: 'Grant', id_hash: grantHash, expires_at: { $ne: null } } as const;
  await OauthRecordStore.updateOne(service, expiring, { expires_at: until });
}

function epochOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/**
 * Continues the rotation of a used refresh token: an app that asks twice at the same time, or whose answer was lost, gets the
 * successors of its first request, also if the server that consumed the token was killed before it stored them. They are
 * derived from the token itself and a salt, which is kept for the seconds of reuse, so that the database never reveals them.
 *
 * @param token the presented refresh token
 * @returns false if it may not be used again
 */
async function continueRotation(service: Service, token: string, used: OauthRecord): Promise<boolean> {
  const { consumed: since, grant_hash } = used;
  if (!since) return false;
  const expires_at = new Date(since.getTime() + service.settings.refreshReuseSeconds * 1000);
  if (expires_at <= new Date()) return false;
  const details = newSecret('');
  const rotation = { ...identityOf('Rotation', token), grant_hash, details, expires_at };
  const isFirst = await insertIfAbsent(() => OauthRecordStore.create(service, rotation));
  const salt = isFirst ? details : (await findRecord(service, 'Rotation', token))?.details;
  if (!salt) return false;
  deriveTokens({ secret: token, salt, since });
  return true;
}
