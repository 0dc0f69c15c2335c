import { insertIfAbsent } from '../models/store/duplicate-key.ts';
import { newKey } from '../models/key.ts';
import { SecurityEventStore } from '../models/account/security-event.ts';
import { unrestricted } from '../models/store/tenancy.ts';
import { UserStore } from '../models/account/user.ts';
import type { ActorKind, SecurityEventKind } from '../schema/account/security-event.ts';

import type { RequestContext } from './caller.ts';
import { hashSecret } from './secrets/secrets.ts';
import type { Service } from '../models/store/service.ts';
import { documentId } from '../models/store/plain-store.ts';

/** The party that causes an event, and where it is. */
export interface Actor {
  readonly by: ActorKind;
  /** The signed-in user. */
  readonly user_key?: string;
  /** As `networkOf` names it. */
  readonly network?: string | null;
  /** As `browserName` names it. */
  readonly browser?: string | null;
}

/** The command line. */
export const OPERATOR: Actor = { by: 'operator' };

/** The owner of an account, or a signed-in user, who sends a request, or the operator who runs a command on the account. */
export function ownerIn({ caller, network }: RequestContext): Actor {
  if (caller.kind === 'operator') return OPERATOR;
  if (caller.kind === 'user') return { by: 'user', user_key: caller.user_key, network: network ?? null };
  return { by: 'owner', network: network ?? null };
}

/** The owner of an account, or an app for one of its users, who sends a request. */
export function actorIn(context: RequestContext): Actor {
  return { ...ownerIn(context), ...(context.caller.kind === 'app' && { by: 'app' }) };
}

/** Maximum number of days for which events of no account are kept: strangers can cause such events at will. */
const MAX_STRANGER_DAYS = 30;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Facts of a security event; never a secret. */
export interface SecurityEventFacts {
  readonly kind: SecurityEventKind;
  readonly actor: Actor;
  /** The account; that of the user by default. */
  readonly account_key?: string | null;
  /** The user whom it concerns; by default the one who causes it. */
  readonly user_key?: string | null;
  /** The key, app or other thing that it concerns. */
  readonly subject?: string | null;
}

/** Writes an event into the security log after it has happened. Nothing else writes to the log. */
export async function recordSecurityEvent(
  service: Service,
  facts: SecurityEventFacts,
  now: Date = new Date(),
): Promise<void> {
  const user_key = facts.user_key ?? facts.actor.user_key ?? null;
  const account_key = facts.account_key ?? (await accountOf(service, user_key));
  await SecurityEventStore.create(unrestricted(service), {
    ...entryOf(service, { ...facts, account_key, user_key }, now),
    count: 1,
    once: null,
  });
}

/** A failed sign-in. */
export interface FailedSignIn {
  readonly kind: 'sign_in_failed' | 'sign_in_limited';
  /** The users of the e-mail address, each of an account; none if no user has it. */
  readonly users: readonly { readonly key: string; readonly account_key: string }[];
  readonly actor: Actor;
}

/**
 * Counts a failed sign-in. Those of an hour are one event for a user and a network, so that guessing does not fill the log;
 * rejections are one per user, however often they are repeated. The work is the same if the user does not exist.
 */
export async function countFailedSignIn(
  service: Service,
  { kind, users, actor }: FailedSignIn,
  now: Date = new Date(),
): Promise<void> {
  await Promise.all((users.length > 0 ? users : [null]).map((user) => countFor(service, user, { kind, actor }, now)));
}

async function countFor(
  service: Service,
  user: FailedSignIn['users'][number] | null,
  { kind, actor }: Pick<FailedSignIn, 'kind' | 'actor'>,
  now: Date,
): Promise<void> {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const where = kind === 'sign_in_failed' || user === null ? actor.network : null;
  const once = hashSecret(JSON.stringify([kind, user?.key, where, hour]));
  const event = { kind, actor, account_key: user?.account_key ?? null, user_key: user?.key ?? null };
  const change = kind === 'sign_in_failed' ? { $inc: { count: 1 } } : {};
  // The database's own identifier would not follow those of this process, by which events are ordered.
  const first = {
    _id: documentId(),
    ...entryOf(service, event, now),
    ...(kind === 'sign_in_limited' && { count: 1 }),
  };
  const upsert = () =>
    SecurityEventStore.updateOne(unrestricted(service), { once }, { ...change, $setOnInsert: first }, { upsert: true });
  // Of two concurrent first events, one finds the other's entry when it tries again.
  if (!(await insertIfAbsent(upsert))) await insertIfAbsent(upsert);
}

function entryOf(service: Service, { kind, actor, account_key, user_key, subject }: SecurityEventFacts, now: Date) {
  const days = account_key
    ? service.settings.securityLogDays
    : Math.min(service.settings.securityLogDays, MAX_STRANGER_DAYS);
  return {
    key: newKey(),
    kind,
    time: now,
    actor: actor.by,
    account_key: account_key ?? null,
    user_key: user_key ?? null,
    subject: subject ?? null,
    network: actor.network ?? null,
    browser: actor.browser ?? null,
    expires_at: new Date(now.getTime() + days * DAY_MS),
  };
}

async function accountOf(service: Service, userKey: string | null): Promise<string | null> {
  if (userKey === null) return null;
  const user = await UserStore.findOne(unrestricted(service), { key: userKey }, { account_key: 1 });
  return user?.account_key ?? null;
}
