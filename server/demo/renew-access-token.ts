import { ACCESS_TOKEN_LIFETIME, findAccessToken, holderOfGrant, keepAccessToken } from '../../auth/grants.ts';
import { newSecret } from '../../auth/secrets.ts';

import { type DemoKeys, replaceDemoKeys } from './demo-keys.ts';

const HOUR_MS = 3_600_000;
/** Minimum remaining lifetime of a start's access token, in hours, so that a printed example works for the day. */
export const GOOD_FOR_HOURS = 20;

/**
 * Sees to it that the demonstration's access token works for some hours, unless its grant has been revoked. A new one is
 * written down before it opens anything.
 */
export async function renewAccessToken(dataDir: string, keys: DemoKeys, now: Date = new Date()): Promise<DemoKeys> {
  if (await findAccessToken(keys.access_token, new Date(now.getTime() + GOOD_FOR_HOURS * HOUR_MS))) return keys;
  const holder = await holderOfGrant(keys.grant_hash);
  if (!holder) return keys;
  const renewed = { ...keys, access_token: newSecret('') };
  await replaceDemoKeys(dataDir, renewed);
  const { grant_hash, user_key, client_id, scopes } = holder;
  const expires_at = new Date(now.getTime() + ACCESS_TOKEN_LIFETIME * 1000);
  const facts = { grant_hash, user_key, client_id, scopes: [...scopes], expires_at };
  await keepAccessToken(renewed.access_token, facts, now);
  return renewed;
}
