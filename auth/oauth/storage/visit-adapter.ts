import type { AdapterPayload } from 'oidc-provider';

import { OauthRecordModel } from '../../../models/oauth-record.ts';
import { hashSecret } from '../../secrets.ts';
import { instantOf } from './epoch.ts';
import { RefusingAdapter } from './refusing-adapter.ts';

/**
 * Keeps sessions and the requests that wait for a user. What a browser proves itself by, the cookie of a session and the
 * address of a request, is not among what is stored.
 */
export class VisitAdapter extends RefusingAdapter {
  override readonly kind: 'Session' | 'Interaction';

  constructor(kind: 'Session' | 'Interaction') {
    super(kind);
    this.kind = kind;
  }

  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    if (payload.exp === undefined) throw new TypeError('Refused: a visit must have an end');
    const id_hash = hashSecret(id);
    const visit = {
      kind: this.kind,
      id_hash,
      user_key: payload.accountId ?? null,
      expires_at: instantOf(payload.exp),
      details: JSON.stringify(withoutSecrets(payload)),
    };
    await OauthRecordModel.updateOne({ kind: this.kind, id_hash }, { $set: visit }, { upsert: true });
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await OauthRecordModel.findOne({ kind: this.kind, id_hash: hashSecret(id) }).lean();
    return record?.details ? { ...(JSON.parse(record.details) as AdapterPayload), jti: id } : undefined;
  }

  override async destroy(id: string): Promise<void> {
    await OauthRecordModel.deleteOne({ kind: this.kind, id_hash: hashSecret(id) });
  }
}

function withoutSecrets(payload: AdapterPayload): AdapterPayload {
  const { jti: _id, returnTo: _address, session, ...rest } = payload;
  if (!session) return rest;
  const { cookie: _cookie, ...known } = session;
  return { ...rest, session: known };
}
