import type { AdapterPayload } from 'oidc-provider';

import { holderOfGrant, keepAccessToken, revokeGrant } from '../../grants.ts';
import { RESOURCE } from './resource.ts';
import { epochOf, instantOf } from './epoch.ts';
import { HashedRecordAdapter } from './hashed-record-adapter.ts';

/** Shows the access tokens of `grants.ts` to the library; one whose grant, app or user is gone is not there. */
export class AccessTokenAdapter extends HashedRecordAdapter<'AccessToken'> {
  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { grantId, accountId, clientId, scope = '', exp, iat } = payload;
    if (!grantId || !accountId || !clientId || exp === undefined || iat === undefined) {
      throw new TypeError('Refused: an access token must have a grant, a user, an app and an end');
    }
    const scopes = scope.split(' ').filter((name) => name !== '');
    const facts = { grant_hash: grantId, user_key: accountId, client_id: clientId, scopes, expires_at: instantOf(exp) };
    await keepAccessToken(id, facts, instantOf(iat));
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.stored(id);
    if (!record?.grant_hash || !record.user_key || !record.client_id || !record.expires_at) return undefined;
    const holder = await holderOfGrant(record.grant_hash, record.scopes);
    if (!holder) return undefined;
    return {
      kind: 'AccessToken',
      jti: id,
      aud: RESOURCE,
      accountId: record.user_key,
      clientId: record.client_id,
      grantId: record.grant_hash,
      scope: [...holder.scopes].join(' '),
      iat: epochOf(record.created),
      exp: epochOf(record.expires_at),
    };
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    await revokeGrant(grantId, { by: 'app' });
  }
}
