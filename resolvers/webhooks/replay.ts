import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import { ChangeStore } from '../../models/changes/change.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { ReplayInput } from '../../schema/webhooks/webhook.ts';

import { readDateTime } from '../input/read-window.ts';
import { lastNumber } from '../../notifying/changes/number-changes.ts';
import { sendAgain } from '../../notifying/webhooks/send-again.ts';
import { changeOwn, findWebhook } from './manage-webhook.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Has a webhook sent again what it was sent, with the same ids and in the same order; since a time also events of kinds that
 * it did not want then.
 *
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
export async function replayWebhook(
  service: Service,
  caller: Caller,
  key: string,
  { delivery_key, since }: ReplayInput,
): Promise<void> {
  if ((delivery_key == null) === (since == null)) {
    throw new ServiceError('BAD_REQUEST', 'delivery_key or since is required, and not both');
  }
  const { position } = await findWebhook(service, caller, key);
  const { account_key } = accessScopeOf({ service, caller });
  const due = new Date();
  if (delivery_key != null) {
    const count = await sendAgain(service, account_key, { webhook_key: key, key: delivery_key });
    if (count === 0) throw new ServiceError('BAD_REQUEST', 'delivery_key does not belong to this webhook');
    await changeOwn(service, caller, key, { due });
    return;
  }
  const number = await numberBefore(service, account_key, readDateTime('since', since ?? ''));
  await sendAgain(service, account_key, { webhook_key: key, number: { $gt: number } });
  await changeOwn(service, caller, key, { position: Math.min(position, number), due });
}

/** Number of the last entry that was logged before a time. */
async function numberBefore(service: Service, accountKey: string, time: Date): Promise<number> {
  const accessScope = accountAccessScope(service, accountKey);
  const first = await ChangeStore.findOne(accessScope, { timestamp: { $gte: time } }, { number: 1 }).sort({
    number: 1,
  });
  return first ? first.number - 1 : lastNumber(accessScope);
}
