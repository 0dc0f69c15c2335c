import type { Scope } from '../../auth/scope.ts';
import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { AppModel } from '../../models/account/app.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';

import { checkScopes } from './register-app.ts';
import { unknownKey } from '../input/unknown-key.ts';

/**
 * Records that the operator has reviewed an app, and lets it ask for further scopes, beside those that it may ask for
 * already. What users have granted stays as it is.
 *
 * @returns all that it may ask for now
 * @throws ServiceError BAD_REQUEST naming what is unknown, the app or a scope
 */
export async function approveApp(clientId: string, scopes: readonly string[]): Promise<readonly string[]> {
  const further: Scope[] = checkScopes(scopes);
  const app = await AppModel.findOneAndUpdate(
    { client_id: clientId },
    { $addToSet: { scopes: { $each: further } }, $set: { reviewed: new Date() } },
    { accessScope: UNRESTRICTED, returnDocument: 'after' },
  ).lean();
  if (!app) throw unknownKey('app', 'an app (its client_id)', clientId);
  const { account_key, scopes: allowed } = app;
  await recordSecurityEvent({ kind: 'app_approved', actor: OPERATOR, account_key, subject: clientId });
  return allowed;
}
