import { accessScopeOf, type Caller } from '../../auth/caller.ts';
import { newKey } from '../../models/key.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import type { DeliveryAttempt } from '../../schema/webhooks/webhook-delivery.ts';

import { attempt } from '../../notifying/webhooks/attempt.ts';
import { findWebhook } from './manage-webhook.ts';
import type { Service } from '../../models/store/service.ts';

/** Posts an event `test` to a webhook, whatever its state, and returns what came of it. @throws ServiceError NOT_FOUND */
export async function testWebhook(service: Service, caller: Caller, key: string): Promise<DeliveryAttempt> {
  const hook = await findWebhook(service, caller, key);
  const id = newKey();
  const timestamp = formatOffsetDateTime(new Date());
  const { account_key } = accessScopeOf({ service, caller });
  const body = JSON.stringify({ key: id, event: 'test', timestamp, account_key, user_key: null });
  return attempt(service, hook, { id, body });
}
