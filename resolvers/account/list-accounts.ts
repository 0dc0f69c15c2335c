import { foldEmail } from '../../auth/secrets/fold-email.ts';
import { AccountStore } from '../../models/account/account.ts';
import { UserStore } from '../../models/account/user.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import type { Page } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { creationPage } from '../../models/lists/creation-page.ts';
import type { Service } from '../../models/store/service.ts';

/** A page of the accounts of the service, in order of creation, for the operator. */
export async function listAccounts(
  service: Service,
  query: { readonly first?: number; readonly after?: string; readonly email?: string },
): Promise<Page<{ readonly key: string }>> {
  const { first = 50, after, email } = query;
  const users = email === undefined ? null : await usersWithEmail(service, email);
  const search = users && { key: { $in: users.map(({ account_key }) => account_key) } };
  const asked = { first, after, search: search ?? {}, requested: { email } };
  return creationPage(AccountStore, { accessScope: unrestricted(service), ...asked });
}

/**
 * Finds the user who signs in with an e-mail address, for the operator.
 *
 * @throws ServiceError BAD_REQUEST if no user has it, or users of several accounts do
 */
export async function findUserByEmail(
  service: Service,
  email: string,
): Promise<{ readonly key: string; readonly account_key: string }> {
  const [user, ...others] = await usersWithEmail(service, email);
  if (user === undefined) throw new ServiceError('BAD_REQUEST', 'No user has this e-mail address');
  if (others.length === 0) return user;
  const keys = [user, ...others].map(({ account_key }) => account_key);
  throw new ServiceError(
    'BAD_REQUEST',
    `Users of several accounts have this e-mail address (${keys.join(', ')}): list them with account list --email`,
  );
}

function usersWithEmail(service: Service, email: string) {
  const projection = { key: 1, account_key: 1 };
  const found = UserStore.find(unrestricted(service), { email_folded: foldEmail(email) }, projection);
  return found.sort({ _id: 1 });
}
