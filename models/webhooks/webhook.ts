import { Webhook } from '../../schema/webhooks/webhook.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { nested, nullable, required } from '../store/stored-fields.ts';

const SECRET = nested({
  /** A symmetric JSON Web Key, encrypted if there is a secret for keys. */
  sealed: required(String),
  /** When it stops signing; null for the newest. */
  expires: nullable(Date),
});

/** A server that sends the events of a webhook, until when. */
const LEASE = nested({ holder: required(String), until: required(Date) });

/** Webhooks. */
export const WebhookStore = storeOf(Webhook, {
  collection: 'webhooks',
  tenancy: 'account',
  hidden: {
    account_key: required(String),
    /** The user for whom its app acts; null of the account's own. */
    user_key: nullable(String),
    /** The grant by which the app sees what it is sent. */
    grant_hash: nullable(String),
    secrets: required([SECRET]),
    /** Number of the last entry of the log whose events have deliveries. */
    position: required(Number),
    lease: nullable(LEASE),
    /** When somebody must look after its deliveries; null if nothing is left to do. */
    due: nullable(Date),
  },
  indexes: [[{ account_key: 1, _id: 1 }], [{ due: 1 }]],
});

/** A webhook as it is read from the database. */
export type StoredWebhook = StoredIn<typeof WebhookStore>;
