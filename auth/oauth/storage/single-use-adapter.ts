import { type AdapterPayload, errors } from 'oidc-provider';

import { OauthRecordModel } from '../../../models/sign-in/oauth-record.ts';
import { holderOfGrant, revokeGrant } from '../../grants.ts';
import { epochOf, instantOf } from './epoch.ts';
import { HashedRecordAdapter } from './hashed-record-adapter.ts';

/**
 * Keeps authorization codes and refresh tokens, each of which may be used once (RFC 6749, section 4.1.2; RFC 9700, section
 * 4.14.2). One whose grant, app or user is gone is not there.
 */
export class SingleUseAdapter extends HashedRecordAdapter<'AuthorizationCode' | 'RefreshToken'> {
  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { jti: _secret, ...details } = payload;
    const { grantId, accountId, clientId, exp, iat } = details;
    if (!grantId || !accountId || !clientId || exp === undefined || iat === undefined) {
      throw new TypeError('Refused: what may be used once must have a grant, a user, an app and an end');
    }
    await OauthRecordModel.create({
      ...this.named(id),
      grant_hash: grantId,
      user_key: accountId,
      client_id: clientId,
      created: instantOf(iat),
      expires_at: instantOf(exp),
      details: JSON.stringify(details),
    });
    if (this.kind === 'RefreshToken') await keepGrant(grantId, instantOf(exp));
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.stored(id);
    if (!record?.grant_hash || record.details === null || !(await holderOfGrant(record.grant_hash))) return undefined;
    const payload = JSON.parse(record.details) as AdapterPayload;
    return { ...payload, jti: id, ...(record.consumed && { consumed: epochOf(record.consumed) }) };
  }

  /**
   * Marks as used, in one step: of several at once only one gets through. Whoever comes late holds a copy, so the grant
   * ends, with what the first has got by it.
   */
  override async consume(id: string): Promise<void> {
    const first = await OauthRecordModel.findOneAndUpdate(
      { ...this.named(id), consumed: null },
      { consumed: new Date() },
    ).lean();
    if (first) return;
    const used = await this.stored(id);
    if (used?.grant_hash) await revokeGrant(used.grant_hash, { by: 'service' }, 'token_reused');
    throw new errors.InvalidGrant('used more than once');
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    await revokeGrant(grantId, { by: 'app' });
  }
}

/** A grant is kept for as long as its newest refresh token. */
async function keepGrant(grantHash: string, until: Date): Promise<void> {
  await OauthRecordModel.updateOne(
    { kind: 'Grant', id_hash: grantHash, expires_at: { $ne: null } },
    { expires_at: until },
  );
}
