import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { type Actor, ownerIn } from '../../auth/security-events.ts';
import { GroupStore } from '../../models/account/group.ts';
import type { StoredUser } from '../../models/account/user.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import type { AccountRole } from '../../schema/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** The party that changes users: it grants no more than it has. */
export interface UserManager {
  readonly accessScope: AccessScope;
  /** An app that acts for a user; otherwise the account's owner, or the operator. */
  readonly isApp: boolean;
  /** For the security log. */
  readonly actor: Actor;
  /** The app, for the security log; null for others. */
  readonly subject: string | null;
}

/** The manager that sends a request. */
export function managerIn(context: RequestContext): UserManager {
  const { caller, network } = context;
  const accessScope = accessScopeOf(context);
  if (caller.kind !== 'app') return { accessScope, isApp: false, actor: ownerIn(context), subject: null };
  return { accessScope, isApp: true, actor: { by: 'app', network: network ?? null }, subject: caller.client_id };
}

/** Rights of a user: a role, in groups with all below them. */
export type Rights = Pick<StoredUser, 'account_role' | 'group_keys' | 'disabled'>;

/** Returns true if a user is one of the administrators of whom an account needs one: enabled, and restricted to no group. */
export function isFullAdministrator({ account_role, group_keys, disabled }: Rights): boolean {
  return account_role === 'administrator' && group_keys.length === 0 && !disabled;
}

/** Condition of the administrators for whom {@link isFullAdministrator} is true; older programs stored no role. */
export const FULL_ADMINISTRATORS = {
  account_role: { $nin: ['viewer', 'driver'] },
  'group_keys.0': { $exists: false },
  disabled: false,
} as const;

/**
 * Requires that a manager may change a user, who must be visible: with all of the user's groups.
 *
 * @throws ServiceError FORBIDDEN for a user who sees more than the manager
 */
export async function demandManageable({ accessScope }: UserManager, user: Pick<Rights, 'group_keys'>): Promise<void> {
  if (accessScope.group_keys === null) return;
  const key = { $in: [...user.group_keys] };
  const seen = await GroupStore.countDocuments(accessScope, { key });
  if (seen < user.group_keys.length) throw forbidden('The user is in groups that these credentials cannot see');
}

/** A change of rights; nothing before it for a new user. */
export interface RightsChange {
  readonly before: Rights | null;
  readonly after: { readonly account_role: AccountRole; readonly group_keys: readonly string[] };
  /** True if the user sees groups after it that it did not see before. */
  readonly widens: boolean;
}

/**
 * Requires that a manager may give a user these rights. Fleet API: "Nobody rises by this API".
 *
 * @throws ServiceError FORBIDDEN
 */
export function demandGrantable({ accessScope, isApp }: UserManager, { before, after, widens }: RightsChange): void {
  const isUnrestricted = after.group_keys.length === 0;
  const wasUnrestricted = before !== null && before.group_keys.length === 0;
  if (isUnrestricted && !wasUnrestricted && accessScope.group_keys !== null) {
    throw forbidden('Only an unrestricted administrator can make a user unrestricted');
  }
  const wasAdministrator = before?.account_role === 'administrator';
  if (isApp && after.account_role === 'administrator' && (!wasAdministrator || widens)) {
    throw forbidden('An app cannot create administrators');
  }
}

/** The refusal of a change that these credentials do not allow. */
export function forbidden(message: string): ServiceError {
  return new ServiceError('FORBIDDEN', message);
}
