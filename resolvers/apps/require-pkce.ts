import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { AppModel } from '../../models/account/app.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { type AppKeeper, kept } from './app-keeper.ts';

/**
 * Requires PKCE (RFC 7636) of an app that has a secret, or makes it optional.
 *
 * @returns false where there is no such app
 * @throws ServiceError BAD_REQUEST for a public app, which must always use it
 */
export async function requirePkce(clientId: string, isRequired: boolean, manager: AppKeeper): Promise<boolean> {
  const { accessScope, actor = OPERATOR } = manager;
  const which = { client_id: clientId, ...kept(manager) };
  const change = { pkce: isRequired };
  const app = await AppModel.findOneAndUpdate({ ...which, secret_hash: { $ne: null } }, change, { accessScope }).lean();
  if (app) {
    const { account_key } = app;
    const kind = isRequired ? 'app_pkce_required' : 'app_pkce_optional';
    await recordSecurityEvent({ kind, actor, account_key, subject: clientId });
    return true;
  }
  if ((await AppModel.countDocuments(which, { accessScope })) === 0) return false;
  throw new ServiceError('BAD_REQUEST', 'client_id names a public app, which must use PKCE');
}
