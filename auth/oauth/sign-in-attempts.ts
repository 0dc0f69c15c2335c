import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { SignInAttemptStore } from '../../models/sign-in/sign-in-attempt.ts';
import { hashSecret } from '../secrets/secrets.ts';
import type { Service } from '../../models/store/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A limit on failures within a period, counted by its name and by its subject. */
export interface AttemptLimit {
  readonly name: string;
  readonly of: readonly string[];
  readonly maxFailures: number;
  /** Time for which a failure counts, in milliseconds. */
  readonly windowMs: number;
  /** True if a success clears all failures, not just its own attempt: the same person can have caused them. */
  readonly isCleared: boolean;
}

/** A person who tries to sign in. */
export interface SignInSource {
  /** E-mail address, folded. */
  readonly email: string;
  /** As `networkOf` names it. */
  readonly network: string;
  /** Hash of the browser's cookie, if a user of the address has signed in with it before; else null. */
  readonly knownBrowser: string | null;
}

/**
 * The limits that an attempt to sign in meets, after OWASP's device cookies. A browser in which the user has signed in before
 * has a limit of its own and meets no other, so that strangers cannot lock its user out. All others share a limit for the
 * account, which no number of networks gets round (NIST SP 800-63B-4, section 3.2.2: at most 100 failures), a smaller one for
 * the account and their network, so that no single network uses it up, and one for their network, whatever accounts it
 * tries.
 */
export function signInLimits({ email, network, knownBrowser }: SignInSource): readonly AttemptLimit[] {
  if (knownBrowser !== null) {
    return [limit('browser', [email, knownBrowser], 10, 10 * MINUTE_MS, true)];
  }
  return [
    limit('account and network', [email, network], 10, 10 * MINUTE_MS, true),
    limit('account and network, daily', [email, network], 30, DAY_MS, true),
    limit('account', [email], 100, DAY_MS, true),
    limit('network', [network], 100, HOUR_MS, false),
  ];
}

/**
 * The limit on guesses at the password of one user. An attempt counts for every user of its address whose password it is not, even
 * if it signs another of them in: a person with a user of that address in another account bypasses the limits above by
 * signing in, but not this one.
 *
 * @param userKey user, or a placeholder if the address has fewer
 */
export function guessLimits(userKey: string): readonly AttemptLimit[] {
  return [limit('user', [userKey], 100, DAY_MS, true)];
}

/** The limit on a signed-in session that confirms its password. */
export function confirmationLimits(sessionUid: string): readonly AttemptLimit[] {
  return [limit('session', [sessionUid], 10, 10 * MINUTE_MS, true)];
}

/**
 * The limits on passwords for one post of the website, which are those of an account. Readers who gave the right one have a
 * cookie, so that no one can lock them out.
 */
export function postPasswordLimits(post: number, network: string): readonly AttemptLimit[] {
  const id = String(post);
  return [
    limit('post and network', [id, network], 10, 10 * MINUTE_MS, true),
    limit('post and network, daily', [id, network], 30, DAY_MS, true),
    limit('post', [id], 100, DAY_MS, false),
    limit('posts by network', [network], 100, HOUR_MS, false),
  ];
}

function limit(name: string, of: readonly string[], maxFailures: number, windowMs: number, isCleared: boolean) {
  return { name, of, maxFailures, windowMs, isCleared };
}

/** An announced attempt, which counts as a failure until it is withdrawn. */
export interface OpenAttempt {
  readonly kind: 'open';
  /** Withdraws it: nothing was learned from it. */
  withdraw(): Promise<void>;
  /** Clears the failures of a user who has proved the identity. */
  succeed(): Promise<void>;
}

/** A rejected attempt, which does not count: further attempts do not prolong the wait. */
export interface LockedAttempt {
  readonly kind: 'locked';
  readonly retryAfterSeconds: number;
}

/**
 * Announces an attempt before the password is checked, so that concurrent ones count. It takes one of the few places of
 * each limit; if one has none left, it releases those that it took.
 */
export async function announceAttempt(
  service: Service,
  limits: readonly AttemptLimit[],
  now: Date,
): Promise<OpenAttempt | LockedAttempt> {
  const taken: TakenPlace[] = [];
  const withdraw = () => giveBack(service, taken);
  for (const one of limits) {
    const place = await takePlace(service, one, now);
    if (place.kind === 'locked') {
      await withdraw();
      return place;
    }
    taken.push(place);
  }
  return {
    kind: 'open',
    withdraw,
    succeed: async () => {
      const cleared = taken.filter(({ isCleared }) => isCleared).map(({ who_hash }) => who_hash);
      if (cleared.length > 0) await SignInAttemptStore.deleteMany(service, { who_hash: { $in: cleared } });
      await giveBack(
        service,
        taken.filter(({ isCleared }) => !isCleared),
      );
    },
  };
}

/**
 * Clears the failures that lock out unknown browsers, after a change of the password.
 *
 * @param userKey user of that password
 * @param email folded
 * @param network that of the user, if known; other networks keep their own, smaller limits
 */
export async function clearFailuresOf(
  service: Service,
  userKey: string,
  email: string,
  network: string | null,
): Promise<void> {
  const limits = [...signInLimits({ email, network: network ?? '', knownBrowser: null }), ...guessLimits(userKey)];
  const cleared = limits.filter(({ isCleared }) => isCleared).map(hashOf);
  await SignInAttemptStore.deleteMany(service, { who_hash: { $in: cleared } });
}

interface TakenPlace {
  readonly kind: 'taken';
  readonly who_hash: string;
  readonly slot: number;
  readonly at: Date;
  readonly isCleared: boolean;
}

async function takePlace(service: Service, limit: AttemptLimit, now: Date): Promise<TakenPlace | LockedAttempt> {
  const { maxFailures, windowMs, isCleared } = limit;
  const who_hash = hashOf(limit);
  const cutoff = new Date(now.getTime() - windowMs);
  for (;;) {
    const recent = await SignInAttemptStore.find(service, { who_hash, at: { $gt: cutoff } }, { slot: 1, at: 1 });
    if (recent.length >= maxFailures) {
      const until = Math.min(...recent.map(({ at }) => at.getTime())) + windowMs;
      return { kind: 'locked', retryAfterSeconds: Math.max(1, Math.ceil((until - now.getTime()) / 1000)) };
    }
    const occupied = new Set(recent.map(({ slot }) => slot));
    for (let slot = 0; slot < maxFailures; slot++) {
      if (!occupied.has(slot) && (await takeSlot(service, who_hash, slot, cutoff, now, windowMs))) {
        return { kind: 'taken', who_hash, slot, at: now, isCleared };
      }
    }
  }
}

/** Takes a free place, or one whose attempt no longer counts; returns false if another request was faster. */
function takeSlot(
  service: Service,
  who_hash: string,
  slot: number,
  cutoff: Date,
  now: Date,
  windowMs: number,
): Promise<boolean> {
  const attempt = { at: now, expires_at: new Date(now.getTime() + windowMs) };
  return insertIfAbsent(() =>
    SignInAttemptStore.updateOne(
      service,
      { who_hash, slot, at: { $lte: cutoff } },
      { $set: attempt },
      { upsert: true },
    ),
  );
}

async function giveBack(service: Service, places: readonly TakenPlace[]): Promise<void> {
  for (const { who_hash, slot, at } of places) await SignInAttemptStore.deleteOne(service, { who_hash, slot, at });
}

function hashOf({ name, of }: Pick<AttemptLimit, 'name' | 'of'>): string {
  return hashSecret(JSON.stringify([name, ...of]));
}
