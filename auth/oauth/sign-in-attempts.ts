import { insertUnlessThere } from '../../models/duplicate-key.ts';
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
 * until {@link forgetAttempts}. Address and e-mail are counted together: nobody can lock out somebody elsewhere. A refused
 * attempt is no failure: going on asking does not make the wait longer.
 */
export async function announceAttempt(who: Who, now: Date): Promise<Attempt> {
  const who_hash = hashOf(who);
  const cutoff = new Date(now.getTime() - COUNTS_FOR_MS);
  for (;;) {
    const recent = await SignInAttemptModel.find({ who_hash, at: { $gt: cutoff } }).lean();
    if (recent.length >= MAX_FAILURES) return lockedUntil(Math.min(...recent.map(({ at }) => at.getTime())), now);
    const taken = new Set(recent.map(({ slot }) => slot));
    for (let slot = 0; slot < MAX_FAILURES; slot++) {
      if (!taken.has(slot) && (await takeSlot(who_hash, slot, cutoff, now))) return { kind: 'open' };
    }
  }
}

/** Takes a place that is free, or whose attempt counts no more; answers false where somebody else was quicker. */
function takeSlot(who_hash: string, slot: number, cutoff: Date, now: Date): Promise<boolean> {
  const attempt = { at: now, expires_at: new Date(now.getTime() + COUNTS_FOR_MS) };
  return insertUnlessThere(() =>
    SignInAttemptModel.updateOne({ who_hash, slot, at: { $lte: cutoff } }, { $set: attempt }, { upsert: true }),
  );
}

function lockedUntil(oldest: number, now: Date): Attempt {
  const milliseconds = oldest + COUNTS_FOR_MS - now.getTime();
  return { kind: 'locked', retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) };
}

/** Forgets the failures of somebody who has proved who it is. */
export async function forgetAttempts(who: Who): Promise<void> {
  await SignInAttemptModel.deleteMany({ who_hash: hashOf(who) });
}

function hashOf({ email, address }: Who): string {
  return hashSecret(JSON.stringify([email, address]));
}
