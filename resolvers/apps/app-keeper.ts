import type { Actor } from '../../auth/security-events.ts';
import type { UNRESTRICTED, AccessScope } from '../../models/tenancy.ts';

/** Whose apps may be managed: all in sight, or of them only those that one user has registered. */
export interface AppKeeper {
  readonly accessScope: AccessScope | typeof UNRESTRICTED;
  readonly registeredBy?: string;
  /** Whoever manages them, for the security log; the operator unless given. */
  readonly actor?: Actor;
}

/** The condition that an app fulfils which a keeper may manage, besides being in sight. */
export function kept({ registeredBy }: AppKeeper): { readonly registered_by?: string } {
  return registeredBy === undefined ? {} : { registered_by: registeredBy };
}
