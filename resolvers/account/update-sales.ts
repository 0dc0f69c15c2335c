import { AccountStore } from '../../models/account/account.ts';
import type { Account, BillingInfo, PartnerTier } from '../../schema/account/account.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { existingAccountScope } from '../../models/lookup/any-record.ts';
import { checkName } from '../../schema/check-name.ts';
import type { Service } from '../../models/store/service.ts';

/** Changes of how an account pays; omitted fields stay unchanged, null empties it. */
export type BillingChange = Partial<Omit<BillingInfo, 'updated'>>;

const NO_BILLING = {
  billing_method: null,
  card_type: null,
  expiration_month: null,
  expiration_year: null,
  last_four: null,
};

/**
 * Stores how an account pays, as the payment service of the operator has it.
 *
 * @throws ServiceError BAD_REQUEST naming a field, or for an unknown account
 */
export async function updateBilling(service: Service, accountKey: string, change: BillingChange): Promise<void> {
  checkWhole('expiration_month', change.expiration_month, 1, 12);
  checkWhole('expiration_year', change.expiration_year, 2000, 2199);
  if (change.last_four != null && !/^\d{4}$/.test(change.last_four)) {
    throw new ServiceError('BAD_REQUEST', 'last_four must be 4 digits');
  }
  const now = new Date();
  await updateAccount(service, accountKey, ({ billing_info }) => ({
    billing_info: { ...NO_BILLING, ...billing_info, ...change, updated: now },
  }));
}

/** Changes of the partner who sold to an account; omitted fields stay unchanged, null empties it. */
export interface PartnerChange {
  readonly partner_key?: string | null;
  readonly partner_name?: string | null;
  /** Key of the partner's tier, which has a name, too. */
  readonly tier_key?: string | null;
  readonly tier_name?: string | null;
}

/**
 * Stores the partner who sold to an account, and the tier of the partner.
 *
 * @throws ServiceError BAD_REQUEST naming a field, or for an unknown account
 */
export async function updatePartner(service: Service, accountKey: string, change: PartnerChange): Promise<void> {
  await updateAccount(service, accountKey, (account) => {
    const { partner_key = account.partner_key, partner_name = account.partner_name } = change;
    return {
      partner_key: nameOrNull('partner_key', partner_key),
      partner_name: nameOrNull('partner_name', partner_name),
      partner_tier: tierOf(partner_key, { ...tierChange(account.partner_tier), ...change }),
    };
  });
}

function tierChange(tier: PartnerTier | null): PartnerChange {
  return { tier_key: tier?.key ?? null, tier_name: tier?.name ?? null };
}

/** @throws ServiceError BAD_REQUEST if key or name is missing */
function tierOf(partner_key: string | null, { tier_key = null, tier_name = null }: PartnerChange): PartnerTier | null {
  if (tier_key === null && tier_name === null) return null;
  if (tier_key === null) throw new ServiceError('BAD_REQUEST', 'tier_key is required with tier_name');
  if (tier_name === null) throw new ServiceError('BAD_REQUEST', 'tier_name is required with tier_key');
  return { key: checkName('tier_key', tier_key), name: checkName('tier_name', tier_name), partner_key };
}

type SalesFields = Pick<Account, 'billing_info' | 'partner_key' | 'partner_name' | 'partner_tier'>;

/** Writes a change to an account as it was read: if the account has changed since, the change is made again. */
async function updateAccount(
  service: Service,
  key: string,
  changeOf: (account: SalesFields) => Partial<SalesFields>,
): Promise<void> {
  const accessScope = await existingAccountScope(service, key);
  for (;;) {
    const account = await AccountStore.findOne(accessScope);
    if (!account) return;
    const { updated: before } = account;
    // Later than before, so that readers of the earlier state find it changed.
    const updated = new Date(Math.max(Date.now(), (before?.getTime() ?? 0) + 1));
    const change = { ...changeOf(account), updated };
    const { matchedCount } = await AccountStore.updateOne(accessScope, { updated: before }, change);
    if (matchedCount === 1) return;
  }
}

function nameOrNull(parameter: string, text: string | null): string | null {
  return text === null ? null : checkName(parameter, text);
}

function checkWhole(parameter: string, value: number | null | undefined, min: number, max: number): void {
  if (value == null || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw new ServiceError('BAD_REQUEST', `${parameter} must be a whole number from ${min} to ${max}`);
}
