import { insertIfAbsent } from '../../../models/store/duplicate-key.ts';
import { type OauthRecord, OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { newSecret } from '../../secrets/secrets.ts';
import { deriveTokens } from './derived-tokens.ts';
import { findRecord, identityOf } from './hashed-record.ts';
import type { Service } from '../../../models/store/service.ts';

/**
 * Continues the rotation of a used refresh token: an app that asks twice at the same time, or whose answer was lost, gets the
 * successors of its first request, also if the server that consumed the token was killed before it stored them. They are
 * derived from the token itself and a salt, which is kept for the seconds of reuse, so that the database never reveals them.
 *
 * @param token the presented refresh token
 * @returns false if it may not be used again
 */
export async function continueRotation(service: Service, token: string, used: OauthRecord): Promise<boolean> {
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
