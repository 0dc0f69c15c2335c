import type { RequestContext } from '../../auth/caller.ts';
import { ownerIn } from '../../auth/security-events.ts';
import type { StoredUser } from '../../models/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { issueInvitation } from '../security/reset-link.ts';

/**
 * Issues the link by which a new user sets a first password, for the owner of the account and the operator alone; null for
 * others, and for a user who cannot sign in.
 */
export async function invitationFor(user: StoredUser, context: RequestContext): Promise<string | null> {
  const { caller, issuer } = context;
  const isOwner = caller.kind === 'owner' || caller.kind === 'operator';
  if (!isOwner || issuer === undefined || user.email === null) return null;
  return issueInvitation(context.service, user, issuer, ownerIn(context));
}

/**
 * Requires that a user can be invited.
 *
 * @throws ServiceError BAD_REQUEST naming the reason
 */
export function demandInvitable({ email, disabled, password_hash }: StoredUser): void {
  if (disabled) throw new ServiceError('BAD_REQUEST', 'key names a user who is disabled');
  if (email === null) throw new ServiceError('BAD_REQUEST', 'key names a user without email');
  if (password_hash !== null) throw new ServiceError('BAD_REQUEST', 'key names a user who has a password already');
}
