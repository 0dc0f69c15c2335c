import type { FastifyReply } from 'fastify';

import type { SignInOutcome } from '../../auth/oauth/sign-in.ts';

/** A sign-in that failed. */
export type RejectedSignIn = Exclude<SignInOutcome, { readonly kind: 'user' | 'choice' }>;

/** Sets the status of a failed sign-in; returns the reason, which does not reveal if the address is known. */
export function rejectSignIn(reply: FastifyReply, outcome: RejectedSignIn): string {
  if (outcome.kind === 'wrong') {
    reply.code(422);
    return 'E-mail address or password is wrong. Please try again.';
  }
  if (outcome.kind === 'expired') {
    reply.code(422);
    return 'The choice of accounts has expired. Please sign in again.';
  }
  return rejectForNow(reply, outcome.retryAfterSeconds);
}

/** Sets the status of an attempt after too many failures; returns the reason, for the form. */
export function rejectForNow(reply: FastifyReply, retryAfterSeconds: number): string {
  reply.code(429).header('Retry-After', retryAfterSeconds);
  return `Too many attempts. Wait ${timeOf(Math.ceil(retryAfterSeconds / 60))}, then try again.`;
}

function timeOf(minutes: number): string {
  if (minutes <= 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
