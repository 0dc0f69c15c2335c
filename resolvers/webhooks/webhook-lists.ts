import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import { madeBy } from '../../auth/maker.ts';
import { WebhookStore } from '../../models/webhooks/webhook.ts';
import { WebhookDeliveryStore } from '../../models/webhooks/webhook-delivery.ts';
import type { Page } from '../../schema/page.ts';
import type { Webhook } from '../../schema/webhooks/webhook.ts';
import type { DeliveryStatus, WebhookDelivery } from '../../schema/webhooks/webhook-delivery.ts';

import { creationPage } from '../pages/creation-page.ts';
import type { PageArgs } from '../pages/page-args.ts';
import { allVisibleVehicles } from '../places/visible-vehicles.ts';
import { findWebhook } from './manage-webhook.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * A page of the webhooks that a caller manages, in order of creation.
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor
 */
export function webhookPage(service: Service, caller: Caller, page: PageArgs): Promise<Page<Webhook>> {
  return creationPage(WebhookStore, {
    accessScope: accessScopeOf({ service, caller }),
    search: madeBy(caller),
    ...page,
  });
}

/**
 * A page of what a webhook was sent and is to be sent, as far as the caller sees the vehicles, the newest first.
 * @param status only deliveries in this state
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST for an invalid size or cursor
 */
export async function deliveryPage(
  service: Service,
  caller: Caller,
  webhook_key: string,
  page: PageArgs,
  status?: DeliveryStatus | null,
): Promise<Page<WebhookDelivery>> {
  await findWebhook(service, caller, webhook_key);
  const { accessScope, filter } = await allVisibleVehicles(service, caller);
  const search = { webhook_key };
  const listed = { ...filter, ...(status != null && { status }) };
  return creationPage(WebhookDeliveryStore, { accessScope, search, listed, isNewestFirst: true, ...page });
}
