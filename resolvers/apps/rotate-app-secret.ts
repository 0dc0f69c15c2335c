import { hashSecret, newSecret } from '../../auth/secrets.ts';
import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { AppModel } from '../../models/account/app.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { type AppKeeper, kept } from './app-keeper.ts';

/**
 * Gives an app a new secret, which is shown this once; the old one opens nothing any more. Grants stay.
 *
 * @returns null where there is no such app
 * @throws ServiceError BAD_REQUEST for a public app, which has none
 */
export async function rotateAppSecret(clientId: string, manager: AppKeeper): Promise<string | null> {
  const { accessScope, actor = OPERATOR } = manager;
  const which = { client_id: clientId, ...kept(manager) };
  const secret = newSecret('wb_secret_');
  const change = { secret_hash: hashSecret(secret) };
  const app = await AppModel.findOneAndUpdate({ ...which, secret_hash: { $ne: null } }, change, { accessScope }).lean();
  if (app) {
    const { account_key } = app;
    await recordSecurityEvent({ kind: 'app_secret_rotated', actor, account_key, subject: clientId });
    return secret;
  }
  if ((await AppModel.countDocuments(which, { accessScope })) === 0) return null;
  throw new ServiceError('BAD_REQUEST', 'client_id names a public app, which has no secret');
}
