import { type OauthRecord, OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { permissionsChanged } from '../../models/store/permission-stamp.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { browserName } from '../browser-name.ts';
import { networkOf } from '../network-of.ts';
import { noteUse } from '../note-use.ts';
import { hashSecret } from '../secrets/secrets.ts';
import { cookieIn } from './cookie-header.ts';
import { SESSION_COOKIE } from './flow-cookies.ts';
import { isOfVersion } from './session-version.ts';
import type { Client } from './sign-in.ts';
import type { Service } from '../../models/store/service.ts';

/** Resolution of the recorded last use of a session, in milliseconds. */
const LAST_USE_GRAIN = 60_000;

/** A browser in which a user is signed in. */
export interface ListedSession {
  /** Id of the session; it gives no access. */
  readonly uid: string;
  readonly signed_in: Date;
  readonly last_used: Date | null;
  readonly network: string | null;
  readonly browser: string | null;
}

/** Records when and where the session of a request's cookie was last used, if there is one; at most once a minute. */
export async function noteSessionUse(service: Service, { cookies, address, userAgent }: Client): Promise<void> {
  const cookie = cookieIn(cookies, SESSION_COOKIE);
  if (!cookie) return;
  const now = new Date();
  const stale = { $not: { $gt: new Date(now.getTime() - LAST_USE_GRAIN) } };
  await noteUse(
    OauthRecordStore.updateOne(
      service,
      { kind: 'Session', id_hash: hashSecret(cookie), last_used: stale },
      { last_used: now, network: networkOf(address), browser: browserName(userAgent) },
    ),
  );
}

/** The sessions of a user that have not ended, the last used first. */
export async function listSessions(service: Service, userKey: string): Promise<ListedSession[]> {
  const user = await UserStore.findOne(unrestricted(service), { key: userKey }, { session_version: 1 });
  if (!user) return [];
  const records = await OauthRecordStore.find(service, {
    kind: 'Session',
    user_key: userKey,
    expires_at: { $gt: new Date() },
  }).sort({ last_used: -1, _id: -1 });
  return records.flatMap((record) => {
    const details = detailsOf(record);
    if (!details || !isOfVersion(details.acr, user)) return [];
    const { created, last_used, network, browser } = record;
    return [{ uid: details.uid, signed_in: created, last_used, network, browser }];
  });
}

/**
 * Ends a session, keeping its record so that no pending request restores it.
 *
 * @returns false if there is none
 */
export async function endListedSession(service: Service, userKey: string, uid: string): Promise<boolean> {
  const records = await OauthRecordStore.find(service, { kind: 'Session', user_key: userKey });
  const ended = records.find((record) => detailsOf(record)?.uid === uid);
  if (!ended) return false;
  const { id_hash } = ended;
  await OauthRecordStore.updateOne(service, { kind: 'Session', id_hash }, { details: null, consumed: new Date() });
  await permissionsChanged(service);
  return true;
}

function detailsOf({ details }: Pick<OauthRecord, 'details'>): { uid: string; acr?: string } | null {
  return details === null ? null : (JSON.parse(details) as { uid: string; acr?: string });
}
