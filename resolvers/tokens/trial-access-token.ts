import { createGrant, issueAccessToken } from '../../auth/grants.ts';
import { AppModel } from '../../models/account/app.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { UserModel } from '../../models/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkScopes } from '../apps/register-app.ts';
import { unknownKey } from '../input/unknown-key.ts';

/** Request for an access token with which an app acts for a user. */
export interface TrialAccessTokenRequest {
  readonly app: string;
  readonly user: string;
  /** All that the app may be granted unless given. */
  readonly scopes?: readonly string[];
}

/** Issues an OAuth access token as though the user had granted it; for development only. */
export async function issueTrialAccessToken(request: TrialAccessTokenRequest): Promise<string> {
  const app = await AppModel.findOne({ client_id: request.app }, null, { accessScope: UNRESTRICTED }).lean();
  if (!app) throw unknownKey('app', 'an app (its client_id)', request.app);
  const user = await UserModel.findOne(
    { key: request.user },
    { key: 1, disabled: 1 },
    { accessScope: UNRESTRICTED },
  ).lean();
  if (!user) throw unknownKey('user', 'a user', request.user);
  if (user.disabled) throw new ServiceError('BAD_REQUEST', 'user is disabled, so no token would open anything');
  const scopes = checkScopes(request.scopes ?? app.scopes);
  for (const scope of scopes) {
    if (!app.scopes.includes(scope)) {
      throw new ServiceError('BAD_REQUEST', `scope ${scope} is above what the app may be granted; approve it first`);
    }
  }
  return issueAccessToken(await createGrant({ user_key: user.key, client_id: app.client_id, scopes }));
}
