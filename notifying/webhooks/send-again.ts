import type { Service } from '../../models/store/service.ts';
import { deliveriesAccessScope, WebhookDeliveryStore } from '../../models/webhooks/webhook-delivery.ts';

/** Resets deliveries so that they are sent again. */
export async function sendAgain(
  service: Service,
  accountKey: string,
  those: Readonly<Record<string, unknown>>,
): Promise<number> {
  const unsent = { status: 'pending', next_attempt: new Date(), rejections: 0, failures: 0 } as const;
  const accessScope = deliveriesAccessScope(service, accountKey);
  const { matchedCount } = await WebhookDeliveryStore.updateMany(accessScope, those, unsent);
  return matchedCount;
}
