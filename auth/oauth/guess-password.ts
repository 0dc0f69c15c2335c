import { matchPassword } from '../secrets/passwords.ts';
import { announceAttempt, guessLimits, type LockedAttempt, type OpenAttempt } from './sign-in-attempts.ts';
import type { Service } from '../../models/store/service.ts';

/** Maximum number of users with whose passwords one is compared; the work is always the same as for this many. */
const MAX_USERS = 8;

/** A person who signs in with a password. */
export interface PasswordUser {
  readonly key: string;
  readonly password_hash: string | null;
  /** True if the user has signed in with this browser before: then the limits of the browser apply instead of the user's. */
  readonly isKnown: boolean;
}

/** Outcome of a comparison. */
export interface GuessOutcome<User> {
  /** The users whose password it is. */
  readonly proved: readonly User[];
  /** The limit that prevented the comparison with a user; null if there was none. */
  readonly locked: LockedAttempt | null;
}

/**
 * Compares a password with those of the first users of an e-mail address. Neither the work nor the limits that are met reveal how
 * many there are: placeholders for missing ones are limited and hashed in the same way.
 */
export async function guessPassword<User extends PasswordUser>(
  service: Service,
  password: string,
  users: readonly User[],
  email: string,
  now: Date,
): Promise<GuessOutcome<User>> {
  const attempts = await Promise.all(
    Array.from({ length: MAX_USERS }, (_, at) => {
      const user = users[at];
      return announceAttempt(service, user?.isKnown ? [] : guessLimits(user?.key ?? `${email} ${at}`), now);
    }),
  );
  const open = (at: number): OpenAttempt | null => (attempts[at]?.kind === 'open' ? attempts[at] : null);
  const hashes = attempts.map((_, at) => (open(at) && users[at]?.password_hash) ?? null);
  const matches = await matchPassword(password, hashes).catch(async (error: unknown) => {
    await Promise.all(attempts.map((_, at) => open(at)?.withdraw()));
    throw error;
  });
  await Promise.all(matches.map((isRight, at) => isRight && open(at)?.succeed()));
  const locked = attempts.find((attempt) => attempt.kind === 'locked') ?? null;
  return { proved: users.slice(0, MAX_USERS).filter((_, at) => matches[at]), locked };
}
