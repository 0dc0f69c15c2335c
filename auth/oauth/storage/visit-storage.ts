import type { Adapter, AdapterPayload } from 'oidc-provider';

import { insertIfAbsent } from '../../../models/duplicate-key.ts';
import { OauthRecordModel } from '../../../models/sign-in/oauth-record.ts';
import { destroyerOf, findRecord, identityOf, instantOf } from './hashed-record.ts';

/** Stores sessions or waiting requests, without the secrets that prove a browser: the cookie, the request's address. */
export function visits(kind: 'Session' | 'Interaction'): Partial<Adapter> {
  return {
    upsert: async (id, payload) => {
      if (payload.exp === undefined) throw new TypeError('Refused: a visit must have an end');
      const name = identityOf(kind, id);
      const details = JSON.stringify(withoutSecrets(payload));
      const visit = { ...name, user_key: payload.accountId ?? null, expires_at: instantOf(payload.exp), details };
      // The record of an ended session is consumed: it is not written again, and the index rejects a second one.
      const active = { ...name, consumed: null };
      await insertIfAbsent(() => OauthRecordModel.updateOne(active, { $set: visit }, { upsert: true }));
    },
    find: async (id) => {
      const record = await findRecord(kind, id);
      return record?.details ? { ...(JSON.parse(record.details) as AdapterPayload), jti: id } : undefined;
    },
    destroy: destroyerOf(kind),
  };
}

function withoutSecrets(payload: AdapterPayload): AdapterPayload {
  const { jti: _id, returnTo: _address, session, ...rest } = payload;
  if (!session) return rest;
  const { cookie: _cookie, ...known } = session;
  return { ...rest, session: known };
}
