import { foldEmail } from '../../auth/fold-email.ts';
import { AccountModel } from '../../models/account/account.ts';
import { UserModel } from '../../models/account/user.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import type { Page } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { creationPage } from '../pages/creation-page.ts';

/** A page of the accounts of the service, in order of creation, for the operator. */
export function listAccounts(first: number, after: string | undefined): Promise<Page<{ readonly key: string }>> {
  return creationPage(AccountModel, { accessScope: UNRESTRICTED, first, after });
}

/**
 * Finds the user who signs in with an e-mail address, for the operator.
 *
 * @throws ServiceError BAD_REQUEST naming `email`
 */
export async function findUserByEmail(email: string): Promise<{ readonly key: string; readonly account_key: string }> {
  const email_folded = foldEmail(email);
  const projection = { key: 1, account_key: 1 };
  const user = await UserModel.findOne({ email_folded }, projection, { accessScope: UNRESTRICTED }).lean();
  if (user) return user;
  throw new ServiceError('BAD_REQUEST', 'email must be the e-mail address of a user, and there is none with this one');
}
