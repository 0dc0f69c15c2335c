import { EVERYTHING } from '../../models/tenancy.ts';

import { unknownKey } from '../provisioning/unknown-key.ts';
import { deleteApp } from './delete-app.ts';
import { rotateAppSecret } from './rotate-app-secret.ts';

/**
 * Gives an app of whatever account a new secret.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `app`
 */
export async function rotateAnySecret(clientId: string): Promise<string> {
  const secret = await rotateAppSecret(clientId, { sight: EVERYTHING });
  if (secret === null) throw unknownKey('app', 'an app (its client_id)', clientId);
  return secret;
}

/**
 * Deletes an app of whatever account with its grants.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `app`
 */
export async function deleteAnyApp(clientId: string): Promise<void> {
  if (!(await deleteApp(clientId, { sight: EVERYTHING }))) throw unknownKey('app', 'an app (its client_id)', clientId);
}
