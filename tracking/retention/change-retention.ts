import { type Actor, recordSecurityEvent } from '../../auth/security-events.ts';
import { AccountStore } from '../../models/account/account.ts';
import { accountAccessScope, type AccessScope, unrestricted } from '../../models/store/tenancy.ts';
import type { ExpiredTrips, Retention } from '../../schema/account/retention.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import type { Service } from '../../models/store/service.ts';

/** Days for which positions can be kept. */
const MAX_DAYS = 3650;
/** Time in which a change that deletes more can be reverted, in milliseconds. */
const GRACE_MS = 7 * 86_400_000;

/** A change of a retention: omitted fields keep their current or pending values; `positions_days` null stands for no limit. */
interface RetentionChange {
  readonly positions_days?: number | null | undefined;
  readonly trips?: ExpiredTrips | null | undefined;
}

type Rule = Pick<Retention, 'positions_days' | 'trips'>;

/**
 * Changes how long an account keeps positions. A change that keeps more takes effect immediately. One that deletes more is
 * pending for seven days, in which any other change replaces it, since deleted positions cannot be restored.
 * @throws ServiceError BAD_REQUEST naming `positions_days`
 */
export async function changeRetention(accessScope: AccessScope, change: RetentionChange, actor: Actor): Promise<void> {
  const { positions_days: days = null } = change;
  if (change.positions_days === undefined && change.trips == null) return;
  if (days !== null && !isPermitted(days))
    throw new ServiceError('BAD_REQUEST', `positions_days must be 1 to ${MAX_DAYS}, or null for no limit`);
  const retention = await writeRetention(accessScope, change);
  const { pending = null } = retention ?? {};
  const then = pending && `, from ${pending.effective.toISOString().slice(0, 10)} on ${wordsOf(pending)}`;
  await recordSecurityEvent(accessScope.service, {
    kind: 'retention_changed',
    actor,
    account_key: accessScope.account_key,
    subject: `${wordsOf(retention)}${then ?? ''}`,
  });
}

/** Applies pending retentions whose grace period is over. Idempotent. */
export async function applyPendingRetentions(service: Service, now: number): Promise<void> {
  const due = { 'retention.pending.effective': { $lte: new Date(now) } };
  const accounts = await AccountStore.find(unrestricted(service), due, 'key retention');
  for (const { key, retention } of accounts) {
    if (!retention?.pending) continue;
    const { effective, ...rule } = retention.pending;
    const inForce = { retention: { ...rule, pending: null }, updated: new Date() };
    await AccountStore.updateOne(
      accountAccessScope(service, key),
      { 'retention.pending.effective': effective },
      inForce,
    );
  }
}

/** Writes a change of the retention, and computes it again if the retention has changed meanwhile. */
async function writeRetention(accessScope: AccessScope, change: RetentionChange): Promise<Retention | null> {
  for (;;) {
    const account = await AccountStore.findOne(accessScope, {}, 'retention updated');
    if (!account) throw notFound('account');
    const retention = changed(account.retention, change, Date.now());
    const write = { retention, updated: new Date() };
    const written = await AccountStore.updateOne(accessScope, { updated: account.updated }, write);
    if (written.matchedCount > 0) return retention;
  }
}

/** The retention after a change: of each member, the value that keeps more applies until the grace period is over. */
function changed(stored: Retention | null, change: RetentionChange, now: number): Retention | null {
  const before: Retention = stored ?? { positions_days: null, trips: 'keep_facts', pending: null };
  const last = before.pending ?? before;
  const wanted = {
    positions_days: change.positions_days === undefined ? last.positions_days : change.positions_days,
    trips: change.trips ?? last.trips,
  };
  const inForce: Rule = {
    positions_days: longer(before.positions_days, wanted.positions_days),
    trips: before.trips === 'remove' && wanted.trips === 'remove' ? 'remove' : 'keep_facts',
  };
  if (wanted.positions_days === null) return null;
  const { positions_days, trips } = wanted;
  if (positions_days === inForce.positions_days && trips === inForce.trips) return { ...inForce, pending: null };
  const { pending } = before;
  if (pending?.positions_days === positions_days && pending.trips === trips) return { ...inForce, pending };
  return { ...inForce, pending: { positions_days, trips, effective: new Date(now + GRACE_MS) } };
}

function longer(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

function wordsOf(rule: Rule | null): string {
  return rule === null || rule.positions_days === null
    ? 'without a limit'
    : `${rule.positions_days} days, trips: ${rule.trips}`;
}

function isPermitted(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS;
}
