import { hashSecret, newSecret } from '../../auth/secrets.ts';
import { AppModel } from '../../models/app.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { type AppKeeper, kept } from './app-keeper.ts';

/**
 * Gives an app a new secret, which is shown this once; the old one opens nothing any more. Grants stay.
 *
 * @returns null where there is no such app
 * @throws ServiceError BAD_REQUEST for a public app, which has none
 */
export async function rotateAppSecret(clientId: string, keeper: AppKeeper): Promise<string | null> {
  const { sight } = keeper;
  const which = { client_id: clientId, ...kept(keeper) };
  const secret = newSecret('wb_secret_');
  const change = { secret_hash: hashSecret(secret) };
  const { matchedCount } = await AppModel.updateOne({ ...which, secret_hash: { $ne: null } }, change).setOptions({
    sight,
  });
  if (matchedCount > 0) return secret;
  if ((await AppModel.countDocuments(which, { sight })) === 0) return null;
  throw new ServiceError('BAD_REQUEST', 'client_id names a public app, which has no secret');
}
