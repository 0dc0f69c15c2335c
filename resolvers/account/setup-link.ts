import type { ProvedUser } from '../../auth/oauth/proved-user.ts';
import { rememberBrowser } from '../../auth/oauth/known-browsers.ts';
import { actorOf, type Client } from '../../auth/oauth/sign-in.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { recordSecurityEvent } from '../../auth/security-events.ts';
import { DeletedRecordStore } from '../../models/account/deleted-record.ts';
import { UserStore } from '../../models/account/user.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import type { Service } from '../../models/store/service.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { hasTransactions, inTransaction } from '../../models/store/transaction.ts';

import { newAccount } from './create-account.ts';

/** Path to which a setup link leads, with `#` and its code, below `{auth_url}`: browsers send no fragment to servers. */
export const SETUP_PATH = '/start';

/** Lifetime of a setup link, in milliseconds. */
const LIFETIME_MS = 3_600_000;

/** The one setup link of an installation: a newer one replaces it, and of those who use it at the same time one takes it away. */
const LINK = { kind: 'SetupLink', id_hash: 'setup' } as const;

/**
 * Returns true if someone has an account, also one that was removed and can be restored.
 *
 * @param demoAccount key of the demonstration's, which does not count; null if there is none
 */
export async function isSetUp(service: Service, demoAccount: string | null): Promise<boolean> {
  const [all, account_key] = [unrestricted(service), { $ne: demoAccount }];
  if ((await UserStore.exists(all, { account_key })) !== null) return true;
  return (await DeletedRecordStore.exists(all, { kind: 'account', account_key })) !== null;
}

/**
 * Issues the link with which the first account is created; null if there is one. Only the hash of its code is stored.
 *
 * @param issuer `{auth_url}`
 */
export async function issueSetupLink(
  service: Service,
  demoAccount: string | null,
  issuer: string,
  now: Date = new Date(),
): Promise<{ readonly link: string; readonly expires: Date } | null> {
  if (await isSetUp(service, demoAccount)) return null;
  const code = newSecret('');
  const expires = new Date(now.getTime() + LIFETIME_MS);
  const stored = { details: hashSecret(code), created: now, expires_at: expires };
  const issue = () => OauthRecordStore.updateOne(service, LINK, { $set: stored }, { upsert: true });
  // Of two concurrent first links, the later replaces the other when it tries again.
  if (!(await insertIfAbsent(issue))) await issue();
  return { link: `${issuer}${SETUP_PATH}#${code}`, expires };
}

/** Input of the person who follows a setup link. */
export interface SetupForm {
  readonly code: string;
  /** Name of the account. */
  readonly nickname: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Creates the first account with its owner, and signs the owner in, all in one step: a kill leaves everything or nothing, and the
 * link works once.
 *
 * @param startSession signs in; returns a `Set-Cookie` header
 * @returns the `Set-Cookie` headers; null if the link is not valid, or there is an account
 * @throws ServiceError BAD_REQUEST naming `nickname`, `email` or `password`; the link stays valid
 */
export async function setUp(
  service: Service,
  demoAccount: string | null,
  { code, nickname, email, password }: SetupForm,
  client: Client,
  startSession: (user: ProvedUser) => Promise<string>,
  now: Date = new Date(),
): Promise<string[] | null> {
  const link = { ...LINK, details: hashSecret(code), expires_at: { $gt: now } };
  if ((await OauthRecordStore.exists(service, link)) === null || (await isSetUp(service, demoAccount))) return null;
  const actor = actorOf(client, 'user');
  const { account_key, owner_key, insert } = await newAccount(
    service,
    { nickname, signIn: { email, password } },
    actor,
  );
  const work = async () => {
    if ((await OauthRecordStore.findOneAndDelete(service, link)) === null) return null;
    if (await isSetUp(service, demoAccount)) return null;
    await insert(async () => undefined);
    const session = await startSession({ user_key: owner_key, session_version: 0 });
    const browser = await rememberBrowser(service, client.cookies, owner_key, now);
    await recordSecurityEvent(service, { kind: 'signed_in', actor, account_key, user_key: owner_key }, now);
    return [session, browser];
  };
  return (await hasTransactions(service)) ? inTransaction(service, work, (cookies) => cookies !== null) : work();
}
