import { networkOf } from '../../auth/network-of.ts';
import { announceAttempt, postPasswordLimits } from '../../auth/oauth/sign-in-attempts.ts';
import type { ContentContext } from '../access/content-context.ts';
import type { StoredItem } from '../models/content-item.ts';
import { ContentError } from '../schema/content-error.ts';

import { isSamePassword } from './item-view.ts';

type ProtectedItem = Pick<StoredItem, 'id' | 'password'>;

/** Passwords sent by requests: permissions are checked several times per request, which counts as one guess. */
const given = new WeakMap<ContentContext, Map<string, Promise<boolean>>>();

/**
 * Returns true if a password sent by a client is that of an item. Wrong ones are limited like those of sign-ins.
 *
 * @throws ContentError after too many wrong ones
 */
export function isPasswordOf(password: string, item: ProtectedItem, context: ContentContext): Promise<boolean> {
  const guesses = given.get(context) ?? new Map<string, Promise<boolean>>();
  given.set(context, guesses);
  const name = `${item.id} ${password}`;
  const guess = guesses.get(name) ?? tryPassword(password, item, context);
  guesses.set(name, guess);
  return guess;
}

async function tryPassword(
  password: string,
  item: ProtectedItem,
  { service, client }: ContentContext,
): Promise<boolean> {
  if (item.password === '') return false;
  const attempt = await announceAttempt(service, postPasswordLimits(item.id, networkOf(client.ip)), new Date());
  if (attempt.kind === 'locked') {
    const message = `Too many wrong passwords. Try again in ${attempt.retryAfterSeconds} seconds.`;
    throw new ContentError('rest_too_many_requests', message, 429);
  }
  if (!isSamePassword(password, item.password)) return false;
  await attempt.succeed();
  return true;
}
