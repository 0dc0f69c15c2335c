import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { purgeBrowsers } from './known-browsers.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Ends all sessions of a user, even of pending sign-ins, and forgets the browsers. Returns the version that new sessions must carry.
 */
export async function endSessions(service: Service, userKey: string): Promise<number> {
  const user = await UserStore.findOneAndUpdate(
    unrestricted(service),
    { key: userKey },
    { $inc: { session_version: 1 } },
    { returnDocument: 'after', projection: { session_version: 1 } },
  );
  await endSessionRecords(service, userKey, null);
  return user?.session_version ?? 0;
}

/**
 * Deletes the sessions of a user, all of which have ended: the user's `session_version` was counted up; and forgets the browsers
 * except the one whose hash is given.
 */
export async function endSessionRecords(
  service: Service,
  userKey: string,
  exceptBrowser: string | null,
): Promise<void> {
  await OauthRecordStore.deleteMany(service, { kind: 'Session', user_key: userKey });
  await purgeBrowsers(service, userKey, exceptBrowser);
}
