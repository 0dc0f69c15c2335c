import { type Actor, recordSecurityEvent } from '../../auth/security-events.ts';
import { AccountModel } from '../../models/account/account.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import type { Retention } from '../../schema/account/retention.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

/** Days for which positions can be kept. */
const MAX_DAYS = 3650;

/**
 * Changes for how long an account keeps positions; `positions_days` null stands for no limit. What is too old by then is deleted
 * within an hour, and cannot be brought back.
 * @throws ServiceError BAD_REQUEST naming `positions_days`
 */
export async function changeRetention(
  accessScope: AccessScope,
  { positions_days, trips }: Omit<Retention, 'positions_days'> & { readonly positions_days: number | null },
  actor: Actor,
): Promise<void> {
  if (
    positions_days !== null &&
    !(Number.isInteger(positions_days) && positions_days >= 1 && positions_days <= MAX_DAYS)
  )
    throw new ServiceError('BAD_REQUEST', `positions_days must be 1 to ${MAX_DAYS}, or null for no limit`);
  const retention = positions_days === null ? null : { positions_days, trips };
  const { account_key } = accessScope;
  const change = AccountModel.updateOne({}, { retention, updated: new Date() }).setOptions({ accessScope });
  if ((await change).matchedCount === 0) throw notFound('account');
  const subject = retention === null ? 'without a limit' : `${positions_days} days, trips: ${trips}`;
  await recordSecurityEvent({ kind: 'retention_changed', actor, account_key, subject });
}
