import type { FastifyReply } from 'fastify';

import type { SignInOutcome } from '../../auth/oauth/sign-in.ts';

/**
 * Sets the status of a sign-in that failed.
 *
 * @returns why, for the form; it does not tell whether there is such an address
 */
export function refuseSignIn(reply: FastifyReply, outcome: Exclude<SignInOutcome, { readonly kind: 'user' }>): string {
  if (outcome.kind === 'wrong') {
    reply.code(422);
    return 'E-mail address or password is wrong. Please try again.';
  }
  reply.code(429).header('Retry-After', outcome.retryAfterSeconds);
  const minutes = Math.ceil(outcome.retryAfterSeconds / 60);
  return `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`;
}
