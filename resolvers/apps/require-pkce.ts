import { AppModel } from '../../models/app.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { type AppKeeper, kept } from './app-keeper.ts';

/**
 * Requires PKCE (RFC 7636) of an app that has a secret, or makes it optional.
 *
 * @returns false where there is no such app
 * @throws ServiceError BAD_REQUEST for a public app, which must always use it
 */
export async function requirePkce(clientId: string, isRequired: boolean, keeper: AppKeeper): Promise<boolean> {
  const { sight } = keeper;
  const which = { client_id: clientId, ...kept(keeper) };
  const { matchedCount } = await AppModel.updateOne(
    { ...which, secret_hash: { $ne: null } },
    { pkce: isRequired },
  ).setOptions({ sight });
  if (matchedCount > 0) return true;
  if ((await AppModel.countDocuments(which, { sight })) === 0) return false;
  throw new ServiceError('BAD_REQUEST', 'client_id names a public app, which must use PKCE');
}
