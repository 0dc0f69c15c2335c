import { SignInAttemptModel } from '../../models/sign-in-attempt.ts';
import { hashSecret } from '../secrets.ts';

/** Failures after which signing in is refused for a while. */
export const MAX_FAILURES = 10;
/** For how long a failure counts, in milliseconds. */
export const COUNTS_FOR_MS = 600_000;

/** Who tries: an e-mail address from a network address. */
export interface Who {
  readonly email: string;
  readonly address: string;
}

/** What came of announcing an attempt. */
export type Attempt = { readonly kind: 'open' } | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/**
 * Announces an attempt before the password is looked at, so that many at once are counted as well: it counts as a failure
 * until {@link forgetAttempts}. Address and e-mail are counted together: nobody can lock out somebody elsewhere.
 */
export async function announceAttempt(who: Who, now: Date): Promise<Attempt> {
  const who_hash = hashOf(who);
  const { _id } = await SignInAttemptModel.create({
    who_hash,
    at: now,
    expires_at: new Date(now.getTime() + COUNTS_FOR_MS),
  });
  const recent = await SignInAttemptModel.find({ who_hash, at: { $gt: new Date(now.getTime() - COUNTS_FOR_MS) } })
    .sort({ at: 1, _id: 1 })
    .lean();
  if (recent.length <= MAX_FAILURES) return { kind: 'open' };
  // A refused attempt is no failure: going on asking does not make the wait longer.
  await SignInAttemptModel.deleteOne({ _id });
  const until = (recent[recent.length - 1 - MAX_FAILURES]?.at ?? now).getTime() + COUNTS_FOR_MS;
  return { kind: 'locked', retryAfterSeconds: Math.max(1, Math.ceil((until - now.getTime()) / 1000)) };
}

/** Forgets the failures of somebody who has proved who it is. */
export async function forgetAttempts(who: Who): Promise<void> {
  await SignInAttemptModel.deleteMany({ who_hash: hashOf(who) });
}

function hashOf({ email, address }: Who): string {
  return hashSecret(JSON.stringify([email, address]));
}
