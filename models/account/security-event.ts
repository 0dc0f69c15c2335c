import { SecurityEvent } from '../../schema/account/security-event.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { nullable, required } from '../store/stored-fields.ts';

/** The security log. Only `auth/security-events.ts` writes it; nothing but expiry removes from it. */
export const SecurityEventStore = storeOf(SecurityEvent, {
  collection: 'security_events',
  tenancy: 'account',
  hidden: {
    /** Null if no account is concerned: signing keys, and sign-in with an unknown address. */
    account_key: nullable(String),
    /** Key of events that are counted together; null for a separate event. */
    once: nullable(String),
    expires_at: required(Date),
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ user_key: 1, _id: 1 }],
    [{ once: 1 }, { unique: true, partialFilterExpression: { once: { $type: 'string' } } }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});

/** A security event as it is read from the database. */
export type StoredSecurityEvent = StoredIn<typeof SecurityEventStore>;
