import type { AdapterPayload } from 'oidc-provider';

import { insertIfAbsent } from '../../../models/duplicate-key.ts';
import { OauthRecordModel } from '../../../models/sign-in/oauth-record.ts';
import { instantOf } from './epoch.ts';
import { HashedRecordAdapter } from './hashed-record-adapter.ts';

/**
 * Keeps sessions and the requests that wait for a user. What a browser proves itself by, the cookie of a session and the
 * address of a request, is not among what is stored.
 */
export class VisitAdapter extends HashedRecordAdapter<'Session' | 'Interaction'> {
  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    if (payload.exp === undefined) throw new TypeError('Refused: a visit must have an end');
    const name = this.named(id);
    const visit = {
      ...name,
      user_key: payload.accountId ?? null,
      expires_at: instantOf(payload.exp),
      details: JSON.stringify(withoutSecrets(payload)),
    };
    // The record of a session that was ended is consumed: it is not written again, and the index keeps a second one out.
    await insertIfAbsent(() =>
      OauthRecordModel.updateOne({ ...name, consumed: null }, { $set: visit }, { upsert: true }),
    );
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.stored(id);
    return record?.details ? { ...(JSON.parse(record.details) as AdapterPayload), jti: id } : undefined;
  }
}

function withoutSecrets(payload: AdapterPayload): AdapterPayload {
  const { jti: _id, returnTo: _address, session, ...rest } = payload;
  if (!session) return rest;
  const { cookie: _cookie, ...known } = session;
  return { ...rest, session: known };
}
