import { type Actor, recordSecurityEvent } from '../../auth/security-events.ts';
import { AccountModel } from '../../models/account/account.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import type { ExpiredTrips } from '../../schema/account/retention.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

/** Days for which positions can be kept. */
const MAX_DAYS = 3650;

/** A change of a retention: what is left out stays as it is; `positions_days` null stands for no limit. */
interface RetentionChange {
  readonly positions_days?: number | null | undefined;
  readonly trips?: ExpiredTrips | null | undefined;
}

/**
 * Changes for how long an account keeps positions. What is too old by then is deleted within an hour, and cannot be brought
 * back.
 * @throws ServiceError BAD_REQUEST naming `positions_days`
 */
export async function changeRetention(accessScope: AccessScope, change: RetentionChange, actor: Actor): Promise<void> {
  if (change.positions_days === undefined && change.trips == null) return;
  const account = await AccountModel.findOne({}, 'retention', { accessScope }).lean();
  if (!account) throw notFound('account');
  const { positions_days = account.retention?.positions_days ?? null } = change;
  const trips = change.trips ?? account.retention?.trips ?? 'keep_facts';
  if (positions_days !== null && !isPermitted(positions_days))
    throw new ServiceError('BAD_REQUEST', `positions_days must be 1 to ${MAX_DAYS}, or null for no limit`);
  const retention = positions_days === null ? null : { positions_days, trips };
  await AccountModel.updateOne({}, { retention, updated: new Date() }).setOptions({ accessScope });
  const subject = retention === null ? 'without a limit' : `${positions_days} days, trips: ${trips}`;
  await recordSecurityEvent({
    kind: 'retention_changed',
    actor,
    account_key: accessScope.account_key,
    subject,
  });
}

function isPermitted(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS;
}
