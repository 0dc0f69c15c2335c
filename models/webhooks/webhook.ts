import { Webhook } from '../../schema/webhooks/webhook.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { nested, nullable, required } from '../store/stored-fields.ts';

const SECRET = nested({
  /** A symmetric JSON Web Key, encrypted if there is a secret for keys. */
  sealed: required(String),
  /** When it stops signing; null for the newest. */
  expires: nullable(Date),
});

/** The server that sends the events of a webhook, and until when. */
const LEASE = nested({ holder: required(String), until: required(Date) });

/** Webhooks. */
export const WebhookStore = storeOf(Webhook, {
  collection: 'webhooks',
  tenancy: 'account',
  hidden: {
    account_key: required(String),
    /** The user for whom its app acts; null for webhooks of the account. */
    user_key: nullable(String),
    /** The grant that gives the app access to the events. */
    grant_hash: nullable(String),
    secrets: required([SECRET]),
    /** Number of the last entry of the log whose events have deliveries. */
    position: required(Number),
    lease: nullable(LEASE),
    /** When its deliveries must be processed again; null if nothing is left to do. */
    due: nullable(Date),
  },
  indexes: [[{ account_key: 1, _id: 1 }], [{ due: 1 }]],
});

/** A webhook as it is read from the database. */
export type StoredWebhook = StoredIn<typeof WebhookStore>;
