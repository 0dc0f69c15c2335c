import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';

import { insertIfAbsent } from '../../../models/store/duplicate-key.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { destroyerOf, findRecord, identityOf, instantOf } from './hashed-record.ts';
import type { Service } from '../../../models/store/service.ts';

/** Seconds that an authorization code is good for (RFC 6749, section 4.1.2: at most ten minutes). */
export const CODE_LIFETIME = 60;

/** Stores sessions or waiting requests, without the secrets that prove a browser: the cookie, the request's address. */
export function visits(service: Service, kind: 'Session' | 'Interaction'): Partial<Adapter> {
  return {
    upsert: async (id, payload) => {
      if (payload.exp === undefined) throw new TypeError('Refused: a visit must have an end');
      const name = identityOf(kind, id);
      const details = JSON.stringify(withoutSecrets(payload));
      const visit = { ...name, user_key: payload.accountId ?? null, expires_at: instantOf(payload.exp), details };
      // The record of an ended session is consumed: it is not written again, and the index rejects a second one.
      const active = { ...name, consumed: null };
      await insertIfAbsent(() => OauthRecordStore.updateOne(service, active, { $set: visit }, { upsert: true }));
    },
    find: async (id) => {
      const record = await findRecord(service, kind, id);
      return record?.details && !record.consumed
        ? { ...(JSON.parse(record.details) as AdapterPayload), jti: id }
        : undefined;
    },
    destroy: kind === 'Interaction' ? (id) => endRequest(service, id) : destroyerOf(service, kind),
  };
}

/** Ends a request, unless its code follows: until that is stored, a repeated answer makes the same code. */
async function endRequest(service: Service, id: string): Promise<void> {
  if (Provider.ctx?.oidc.entities.Interaction?.result?.consent === undefined) await markAnswered(service, id);
}

/**
 * Keeps an answered request for as long as its code lives, so that its answer can be repeated. It is no longer found as a
 * waiting request.
 */
export async function markAnswered(service: Service, id: string): Promise<void> {
  const consumed = new Date();
  const expires_at = new Date(consumed.getTime() + CODE_LIFETIME * 1000);
  await OauthRecordStore.updateOne(
    service,
    { ...identityOf('Interaction', id), consumed: null },
    { consumed, expires_at },
  );
}

function withoutSecrets(payload: AdapterPayload): AdapterPayload {
  const { jti: _id, returnTo: _address, session, ...rest } = payload;
  if (!session) return rest;
  const { cookie: _cookie, ...known } = session;
  return { ...rest, session: known };
}
