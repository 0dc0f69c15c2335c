import { WebhookDelivery } from '../../schema/webhooks/webhook-delivery.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';
import { type AccessScope, accountAccessScope, tripsAccessScope } from '../store/tenancy.ts';
import type { Service } from '../store/service.ts';

/** Days for which deliveries are kept. */
export const DELIVERY_DAYS = 30;

/** Deliveries of webhooks, which belong to the vehicles of their events. */
export const WebhookDeliveryStore = storeOf(WebhookDelivery, {
  collection: 'webhook_deliveries',
  tenancy: 'visit',
  hidden: {
    account_key: required(String),
    device_key: nullable(String),
    /** The user who drove, once it was sent. */
    driver_key: nullable(String),
    /** Entry of the log with the event. */
    number: required(Number),
    /** Position among pending deliveries: those of a vehicle are sent in this order, by the times of their events. */
    sequence: required(Number),
    /** Number of rejections by the receiver. */
    rejections: defaulting(Number, 0),
    /** Number of failed requests since it was due. */
    failures: defaulting(Number, 0),
  },
  indexes: [
    [{ webhook_key: 1, event_key: 1, number: 1 }, { unique: true }],
    [{ webhook_key: 1, status: 1, sequence: 1 }],
    [{ webhook_key: 1, _id: 1 }],
    [{ vehicle_key: 1 }],
    [{ account_key: 1, timestamp: 1 }],
    [{ created: 1 }, { expireAfterSeconds: DELIVERY_DAYS * 86_400 }],
  ],
});

/** The access scope of all deliveries of an account. */
export function deliveriesAccessScope(service: Service, accountKey: string): AccessScope {
  return tripsAccessScope(accountAccessScope(service, accountKey), null);
}

/** A delivery as it is read from the database. */
export type StoredDelivery = StoredIn<typeof WebhookDeliveryStore>;
