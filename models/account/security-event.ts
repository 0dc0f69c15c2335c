import { SecurityEvent } from '../../schema/account/security-event.ts';

import { modelOf, type Stored } from '../model-of.ts';

/** Fields of a security event that never leave. */
interface SecurityEventHidden {
  /** Null where no account is concerned: signing keys, and sign-in with an address that nobody has. */
  readonly account_key: string | null;
  /** Names what is counted together; null for an event of its own. */
  readonly once: string | null;
  readonly expires_at: Date;
}

/** A security event as it is read from the database. */
export type StoredSecurityEvent = Stored<SecurityEvent, SecurityEventHidden>;

/** The security log. Only `auth/security-events.ts` writes it; nothing but expiry removes from it. */
export const SecurityEventModel = modelOf<SecurityEvent, SecurityEventHidden>(SecurityEvent, {
  collection: 'security_events',
  tenancy: 'account',
  hidden: {
    account_key: { type: String, default: null },
    once: { type: String, default: null },
    expires_at: { type: Date, required: true },
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ user_key: 1, _id: 1 }],
    [{ once: 1 }, { unique: true, partialFilterExpression: { once: { $type: 'string' } } }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
