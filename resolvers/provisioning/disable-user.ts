import { EVERYTHING } from '../../models/tenancy.ts';
import { UserModel } from '../../models/user.ts';

import { unknownKey } from './unknown-key.ts';

/** Shuts a user out: all that came of the user's grants is refused from the next request on. Repeating it is fine. */
export async function disableUser(userKey: string): Promise<void> {
  const { matchedCount } = await UserModel.updateOne({ key: userKey }, { disabled: true }).setOptions({
    sight: EVERYTHING,
  });
  if (matchedCount === 0) throw unknownKey('user', 'a user', userKey);
}
