import { OauthRecordModel } from '../../models/sign-in/oauth-record.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { UserModel } from '../../models/account/user.ts';
import { purgeBrowsers } from './known-browsers.ts';

/**
 * Ends all sessions of a user, even of pending sign-ins, and forgets the browsers except the one whose hash is given.
 * Returns the version that new sessions must carry.
 */
export async function endSessions(userKey: string, exceptBrowser: string | null = null): Promise<number> {
  const user = await UserModel.findOneAndUpdate(
    { key: userKey },
    { $inc: { session_version: 1 } },
    { accessScope: UNRESTRICTED, returnDocument: 'after', projection: { session_version: 1 } },
  ).lean();
  await endSessionRecords(userKey, exceptBrowser);
  return user?.session_version ?? 0;
}

/** Deletes the sessions of a user, all of which have ended: the user's `session_version` was counted up. */
export async function endSessionRecords(userKey: string, exceptBrowser: string | null): Promise<void> {
  await OauthRecordModel.deleteMany({ kind: 'Session', user_key: userKey });
  await purgeBrowsers(userKey, exceptBrowser);
}
