import { UNRESTRICTED } from '../../models/tenancy.ts';

import { unknownKey } from '../input/unknown-key.ts';
import { deleteApp } from './delete-app.ts';
import { requirePkce } from './require-pkce.ts';
import { rotateAppSecret } from './rotate-app-secret.ts';

/**
 * Gives an app of whatever account a new secret.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `app`
 */
export async function rotateAnySecret(clientId: string): Promise<string> {
  const secret = await rotateAppSecret(clientId, { accessScope: UNRESTRICTED });
  if (secret === null) throw unknownKey('app', 'an app (its client_id)', clientId);
  return secret;
}

/**
 * Deletes an app of whatever account with its grants.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `app`
 */
export async function deleteAnyApp(clientId: string): Promise<void> {
  if (!(await deleteApp(clientId, { accessScope: UNRESTRICTED })))
    throw unknownKey('app', 'an app (its client_id)', clientId);
}

/**
 * Requires PKCE of an app of whatever account, or makes it optional.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `app`, or for a public app
 */
export async function requirePkceOfAnyApp(clientId: string, isRequired: boolean): Promise<boolean> {
  if (!(await requirePkce(clientId, isRequired, { accessScope: UNRESTRICTED }))) {
    throw unknownKey('app', 'an app (its client_id)', clientId);
  }
  return isRequired;
}
