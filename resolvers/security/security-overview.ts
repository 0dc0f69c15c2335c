import type { BrowserSession } from '../../auth/oauth/browser-session.ts';
import { listSessions } from '../../auth/oauth/session-list.ts';
import { AccountModel } from '../../models/account/account.ts';
import { ApiKeyModel } from '../../models/account/api-key.ts';
import { AppModel } from '../../models/account/app.ts';
import { UNRESTRICTED, accountAccessScope } from '../../models/tenancy.ts';
import { UserModel } from '../../models/account/user.ts';

import { listGrants } from '../apps/list-grants.ts';
import { listSecurityEvents } from './list-security-events.ts';

const EVENTS_SHOWN = 50;

/** Tells whether a signed-in user is the owner of the account, and still an administrator. */
export async function isOwner({ account_key, user_key, role }: BrowserSession): Promise<boolean> {
  if (role !== 'administrator') return false;
  const accessScope = accountAccessScope(account_key);
  return (await AccountModel.countDocuments({ owner_key: user_key }, { accessScope })) > 0;
}

/**
 * Reads what a signed-in user sees on the security page: own events from a cursor on; for the owner, those of the
 * account, and its API keys (null for others).
 *
 * @throws ServiceError BAD_REQUEST for a bad cursor
 */
export async function securityOverview(session: BrowserSession, after: string | null) {
  const { account_key, user_key } = session;
  const accessScope = accountAccessScope(account_key);
  const owns = await isOwner(session);
  const [user, sessions, grants, apiKeys, events] = await Promise.all([
    UserModel.findOne({ key: user_key }, { password_changed: 1 }, { accessScope }).lean(),
    listSessions(user_key),
    listGrants([user_key]),
    owns ? ApiKeyModel.find({}, null, { accessScope }).sort({ _id: -1 }).lean() : null,
    listSecurityEvents({ accessScope, first: EVENTS_SHOWN, after, user_key: owns ? null : user_key }),
  ]);
  const userKeys = events.nodes.flatMap((event) => event.user_key ?? []);
  const subjects = events.nodes.flatMap(({ subject }) => subject ?? []);
  const [users, apps] = await Promise.all([
    UserModel.find({ key: { $in: userKeys } }, { key: 1, email: 1 }, { accessScope }).lean(),
    AppModel.find({ client_id: { $in: subjects } }, { client_id: 1, name: 1 }, { accessScope: UNRESTRICTED }).lean(),
  ]);
  return {
    password_changed: user?.password_changed ?? null,
    sessions,
    grants,
    apiKeys,
    events,
    /** E-mail addresses of the users in the events, by key. */
    emails: new Map(users.map(({ key, email }) => [key, email])),
    /** Names of the apps in the events, by client id. */
    apps: new Map(apps.map(({ client_id, name }) => [client_id, name])),
  };
}
