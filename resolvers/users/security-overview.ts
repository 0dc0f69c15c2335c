import type { BrowserSession } from '../../auth/oauth/browser-session.ts';
import { listSessions } from '../../auth/oauth/session-list.ts';
import { AccountStore } from '../../models/account/account.ts';
import { ApiKeyStore } from '../../models/account/api-key.ts';
import { AppStore } from '../../models/account/app.ts';
import { unrestricted, accountAccessScope } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';

import { listGrants } from '../apps/app-grant-resolver.ts';
import { listSecurityEvents } from './security-event-resolver.ts';
import type { Service } from '../../models/store/service.ts';

const EVENTS_SHOWN = 50;

/** Returns true if a signed-in user is the owner of the account, and still an administrator. */
export async function isOwner(service: Service, { account_key, user_key, role }: BrowserSession): Promise<boolean> {
  if (role !== 'administrator') return false;
  const accessScope = accountAccessScope(service, account_key);
  return (await AccountStore.countDocuments(accessScope, { owner_key: user_key })) > 0;
}

/**
 * Reads what a signed-in user sees on the security page: own events from a cursor on; for the owner, those of the
 * account, and its API keys (null for others).
 *
 * @throws ServiceError BAD_REQUEST for a bad cursor
 */
export async function securityOverview(service: Service, session: BrowserSession, after: string | null) {
  const { account_key, user_key } = session;
  const accessScope = accountAccessScope(service, account_key);
  const owns = await isOwner(service, session);
  const [user, sessions, grants, apiKeys, events] = await Promise.all([
    UserStore.findOne(accessScope, { key: user_key }, { password_changed: 1 }),
    listSessions(service, user_key),
    listGrants(service, [user_key]),
    owns ? ApiKeyStore.find(accessScope).sort({ _id: -1 }) : null,
    listSecurityEvents({ accessScope, first: EVENTS_SHOWN, after, user_key: owns ? null : user_key }),
  ]);
  const userKeys = events.nodes.flatMap((event) => event.user_key ?? []);
  const subjects = events.nodes.flatMap(({ subject }) => subject ?? []);
  const [users, apps] = await Promise.all([
    UserStore.find(accessScope, { key: { $in: userKeys } }, { key: 1, email: 1 }),
    AppStore.find(unrestricted(service), { client_id: { $in: subjects } }, { client_id: 1, name: 1 }),
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
