import { endSessionRecords } from '../../auth/oauth/end-sessions.ts';
import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { UserModel } from '../../models/account/user.ts';

import { unknownKey } from '../input/unknown-key.ts';

/**
 * Shuts a user out: all that came of the user's grants is refused from the next request on, and sessions and reset links end
 * for good. Repeating it is fine.
 */
export async function disableUser(userKey: string): Promise<void> {
  const user = await UserModel.findOneAndUpdate(
    { key: userKey },
    { disabled: true, reset_hash: null, reset_expires_at: null, $inc: { session_version: 1 } },
    { accessScope: UNRESTRICTED },
  ).lean();
  if (!user) throw unknownKey('user', 'a user', userKey);
  await endSessionRecords(userKey, null);
  const { account_key } = user;
  if (!user.disabled) {
    await recordSecurityEvent({ kind: 'user_disabled', actor: OPERATOR, account_key, user_key: userKey });
  }
}
